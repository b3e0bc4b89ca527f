//! Law: no sequence of requests makes the studio fail. Every answer is a success or a refusal, never an internal error.
//!
//! An input is a list of lines `GET address` or `POST address body`. In an address and a body, `$T` is a table and `$K` its keys.
#![no_main]

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode};
use libfuzzer_sys::fuzz_target;
use std::sync::OnceLock;
use tokio::runtime::Runtime;
use tower::ServiceExt;

/// Lines of one input that are sent.
const MOST_LINES: usize = 12;

struct Server {
    runtime: Runtime,
    router: Router,
    table: String,
    keys: String,
}

impl Server {
    fn start() -> Server {
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let router = ludex_studio::service();
        let mut server = Server { runtime, router, table: String::new(), keys: String::new() };
        let new = r#"{"game":"tictactoe","seats":["human","human"]}"#;
        let (_, text) = server.ask("POST", "/api/tables", new).expect("a table");
        let ids: Vec<&str> = text.split('"').filter(|part| part.len() == 32).collect();
        server.table = ids[0].to_string();
        server.keys = ids[1..].join(",");
        server
    }

    fn ask(&self, method: &str, address: &str, body: &str) -> Option<(StatusCode, String)> {
        let request = Request::builder()
            .method(method)
            .uri(address)
            .header("content-type", "application/json")
            .body(Body::from(body.to_string()))
            .ok()?;
        self.runtime.block_on(async {
            let answer = self.router.clone().oneshot(request).await.ok()?;
            let status = answer.status();
            let bytes = to_bytes(answer.into_body(), 1 << 24).await.ok()?;
            Some((status, String::from_utf8_lossy(&bytes).into_owned()))
        })
    }
}

fuzz_target!(|text: &str| {
    static SERVER: OnceLock<Server> = OnceLock::new();
    let server = SERVER.get_or_init(Server::start);
    for line in text.lines().take(MOST_LINES) {
        let line = line.replace("$T", &server.table).replace("$K", &server.keys);
        let mut parts = line.splitn(3, ' ');
        let method = match parts.next() {
            Some("GET") => "GET",
            Some("POST") => "POST",
            _ => continue,
        };
        let (Some(address), body) = (parts.next(), parts.next().unwrap_or_default()) else {
            continue;
        };
        // Random games take a second by design.
        if address.contains("playouts") {
            continue;
        }
        if let Some((status, answer)) = server.ask(method, address, body) {
            assert!(status != StatusCode::INTERNAL_SERVER_ERROR, "{line}: {answer}");
        }
    }
});
