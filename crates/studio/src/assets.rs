//! The page: files that are built from `web/` and embedded in the binary.

use axum::body::Body;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rust_embed::{Embed, EmbeddedFile};
use std::path::Path;

#[derive(Embed)]
#[folder = "assets/"]
struct Assets;

/// A file of the page. Where a folder is given, its files are shown instead of the embedded ones, for work on the page.
pub(crate) fn file(name: &str, headers: &HeaderMap, folder: Option<&Path>) -> Response {
    let name = if name.is_empty() { "index.html" } else { name };
    let Some(mut file) = Assets::get(name) else {
        return (StatusCode::NOT_FOUND, "there is no such page").into_response();
    };
    let mut tag = tag(&file);
    if let Some(data) = folder.and_then(|folder| std::fs::read(folder.join(name)).ok()) {
        tag = format!("\"{}\"", data.len());
        file.data = data.into();
    }
    let known = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    if known == Some(tag.as_str()) {
        return StatusCode::NOT_MODIFIED.into_response();
    }
    let kind = match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("json") => "application/json",
        _ => "application/octet-stream",
    };
    let headers = [
        (header::CONTENT_TYPE, kind.to_string()),
        (header::CACHE_CONTROL, "no-cache".to_string()),
        (header::ETAG, tag),
    ];
    (headers, Body::from(file.data.into_owned())).into_response()
}

fn tag(file: &EmbeddedFile) -> String {
    let hash = file.metadata.sha256_hash();
    let hex: String = hash.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    format!("\"{hex}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_small() {
        let size: usize =
            Assets::iter().filter_map(|n| Assets::get(&n)).map(|f| f.data.len()).sum();
        assert!(size > 0 && size < 500_000, "{size} bytes");
    }
}
