//! A player somewhere on the network, as a host talks to it.

use crate::http::{self, HttpError};
use crate::message::Message;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// How long a connection may take to come about.
const CONNECT: Duration = Duration::from_secs(2);

/// The largest answer.
const BODY_LIMIT: u64 = 1 << 20;

/// The address of a GGP player. One message is one connection, so it holds no state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remote {
    host: String,
    port: u16,
}

impl Remote {
    /// Sends `message` and waits for the answer, at most for `limit` from now.
    ///
    /// # Errors
    /// No player at the address, no answer in time, or an answer that is not HTTP.
    pub fn ask(&self, message: &Message, limit: Duration) -> Result<String, HttpError> {
        self.send(&message.to_string(), limit)
    }

    fn send(&self, text: &str, limit: Duration) -> Result<String, HttpError> {
        // One message is one connection. Status codes are answers, and no proxy stands between host and player.
        let config = ureq::Agent::config_builder()
            .timeout_global(Some(limit))
            .timeout_connect(Some(CONNECT.min(limit)))
            .http_status_as_error(false)
            .max_redirects(0)
            .max_idle_connections(0)
            .proxy(None)
            .build();
        let mut answer = (ureq::Agent::new_with_config(config).post(format!("http://{self}/")))
            .header("Accept", "text/acl")
            .header("Sender", "GAMESERVER")
            .header("Receiver", "PLAYER")
            .header("Content-Type", "text/acl")
            .header("Connection", "close")
            .send(text)?;
        let body = answer.body_mut().with_config().limit(BODY_LIMIT).read_to_vec()?;
        let body = http::text(body);
        match answer.status().as_u16() {
            200 => Ok(body),
            status => Err(HttpError::Status(status, crate::message::short(&body))),
        }
    }
}

impl FromStr for Remote {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let bad = || format!("expected HOST:PORT such as 127.0.0.1:9147, not `{text}`");
        let (host, port) = text.rsplit_once(':').ok_or_else(bad)?;
        let port = port.parse().ok().filter(|&p| p != 0).ok_or_else(bad)?;
        let host = host.trim_matches(['[', ']']);
        if host.is_empty() { Err(bad()) } else { Ok(Remote { host: host.into(), port }) }
    }
}

impl fmt::Display for Remote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.host.contains(':') {
            write!(f, "[{}]:{}", self.host, self.port)
        } else {
            write!(f, "{}:{}", self.host, self.port)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_print_as_they_are_read() {
        for text in ["127.0.0.1:9147", "localhost:1", "[::1]:80"] {
            assert_eq!(text.parse::<Remote>().expect("an address").to_string(), text);
        }
        for text in ["", "host", ":80", "host:", "host:0", "host:70000"] {
            assert!(text.parse::<Remote>().is_err(), "{text}");
        }
    }
}
