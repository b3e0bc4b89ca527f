//! The door of the server: which hosts and pages may ask, and the headers of every answer.

use crate::keys;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

/// The cookie that holds the token.
const COOKIE: &str = "ludex_token";

/// Only files of this server, no inline scripts. The page may stand in a frame of a notebook on this machine.
const POLICY: &str = "default-src 'self'; img-src 'self' data: blob:; style-src 'self'; script-src 'self'; \
     connect-src 'self' ws: wss:; object-src 'none'; base-uri 'self'; form-action 'none'; \
     frame-ancestors 'self' http://localhost:* http://127.0.0.1:*";

/// The requests that are answered.
#[derive(Debug, Clone, Default)]
pub(crate) struct Door {
    /// Names in the header `Host` that are answered, without the port; empty: all, because the token guards the door.
    pub(crate) hosts: Vec<String>,
    /// The token that every request must show.
    pub(crate) token: Option<String>,
}

impl Door {
    /// Why a request is refused.
    fn refuses(&self, headers: &HeaderMap, uri: &Uri) -> Option<(StatusCode, &'static str)> {
        let Some(host) = text(headers, header::HOST) else {
            return Some((StatusCode::BAD_REQUEST, "the request has no Host"));
        };
        // A page of another name that resolves to this machine must not read the answers.
        if !self.hosts.is_empty() && !self.hosts.iter().any(|known| known == name_of(host)) {
            return Some((StatusCode::FORBIDDEN, "this server does not answer to that Host"));
        }
        let origin = text(headers, header::ORIGIN);
        let same = |origin: &str| origin.split_once("://").is_some_and(|(_, from)| from == host);
        if origin.is_some_and(|origin| !same(origin) && !self.knows(origin)) {
            return Some((StatusCode::FORBIDDEN, "this server does not answer to that Origin"));
        }
        let token = self.token.as_deref()?;
        let shown = cookie(headers).or_else(|| query_token(uri));
        match shown.is_some_and(|shown| keys::same(shown, token)) {
            true => None,
            false => {
                Some((StatusCode::UNAUTHORIZED, "the address must have the token of the server"))
            }
        }
    }

    /// Is it a page of one of our own names? A proxy changes the port.
    fn knows(&self, origin: &str) -> bool {
        let from = origin.split_once("://").map_or("", |(_, from)| name_of(from));
        self.hosts.iter().any(|known| known == from)
    }
}

fn text(headers: &HeaderMap, key: header::HeaderName) -> Option<&str> {
    headers.get(key)?.to_str().ok()
}

/// A host without its port.
fn name_of(host: &str) -> &str {
    match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or(rest),
        None => host.split(':').next().unwrap_or(host),
    }
}

fn cookie(headers: &HeaderMap) -> Option<&str> {
    let cookies = text(headers, header::COOKIE)?.split(';');
    cookies
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(key, _)| *key == COOKIE)
        .map(|c| c.1)
}

fn query_token(uri: &Uri) -> Option<&str> {
    uri.query()?
        .split('&')
        .filter_map(|pair| pair.split_once('='))
        .find(|p| p.0 == "token")
        .map(|p| p.1)
}

/// Refuses strangers, and adds the headers of every answer.
pub(crate) async fn guard(State(door): State<Arc<Door>>, request: Request, next: Next) -> Response {
    if let Some((status, reason)) = door.refuses(request.headers(), request.uri()) {
        return secured((status, reason).into_response());
    }
    let arrives = door.token.as_ref().filter(|_| query_token(request.uri()).is_some()).cloned();
    let mut response = secured(next.run(request).await);
    if let Some(token) = arrives {
        let cookie = format!("{COOKIE}={token}; HttpOnly; SameSite=Strict; Path=/");
        if let Ok(value) = HeaderValue::from_str(&cookie) {
            response.headers_mut().insert(header::SET_COOKIE, value);
        }
    }
    response
}

fn secured(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(door: &Door, pairs: &[(&'static str, &str)], uri: &str) -> bool {
        let mut headers = HeaderMap::new();
        for (key, value) in pairs {
            headers.insert(*key, value.parse().unwrap());
        }
        door.refuses(&headers, &uri.parse().unwrap()).is_some()
    }

    #[test]
    fn other_names_and_other_pages_are_refused() {
        let door = Door { hosts: vec!["127.0.0.1".into(), "localhost".into()], token: None };
        assert!(!refused(&door, &[("host", "127.0.0.1:8080")], "/"));
        assert!(!refused(&door, &[("host", "localhost:1"), ("origin", "http://localhost:1")], "/"));
        assert!(refused(&door, &[("host", "evil.example")], "/"));
        assert!(refused(&door, &[("host", "localhost:1"), ("origin", "http://evil.example")], "/"));
        assert!(refused(&door, &[("host", "localhost:1"), ("origin", "null")], "/"));
        assert!(refused(&door, &[], "/"));
    }

    #[test]
    fn a_token_is_shown_in_the_address_or_a_cookie() {
        let door = Door { hosts: Vec::new(), token: Some("abc".into()) };
        assert!(refused(&door, &[("host", "x")], "/"));
        assert!(refused(&door, &[("host", "x")], "/?token=abd"));
        assert!(!refused(&door, &[("host", "x")], "/?token=abc"));
        assert!(!refused(&door, &[("host", "x"), ("cookie", "a=b; ludex_token=abc")], "/"));
    }
}
