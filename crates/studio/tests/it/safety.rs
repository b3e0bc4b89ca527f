//! The door of the server, and its limits.

use crate::{Studio, limited};
use ludex_studio::{Limits, Settings};
use serde_json::json;
use std::io::{Read, Write};
use std::net::TcpStream;

/// The first line of the answer to a request with these headers.
fn ask(studio: &Studio, request: &str) -> String {
    let host = studio.url.trim_start_matches("http://").split('/').next().unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    let request = request.replace("HERE", host);
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer.lines().next().unwrap_or_default().to_string()
}

#[test]
fn strangers_are_refused() {
    let studio = Studio::start();
    let get = |headers: &str| {
        ask(&studio, &format!("GET /api/games HTTP/1.1\r\n{headers}\r\nConnection: close\r\n\r\n"))
    };
    assert!(get("Host: HERE").contains("200"));
    assert!(get("Host: evil.example").contains("403"));
    assert!(get("Host: HERE\r\nOrigin: http://evil.example").contains("403"));
    assert!(get("Host: HERE\r\nOrigin: http://HERE").contains("200"));
    let upgrade = "GET /api/tables/x/live HTTP/1.1\r\nHost: HERE\r\nOrigin: http://evil.example\r\n\
        Connection: close\r\n\r\n";
    assert!(ask(&studio, upgrade).contains("403"));
}

#[test]
fn answers_carry_their_policy_and_the_page_its_files() {
    let studio = Studio::start();
    let policy = studio.header("", "content-security-policy").unwrap();
    assert!(policy.contains("default-src 'self'") && !policy.contains("unsafe"));
    for file in ["", "app.js", "style.css", "icon.svg"] {
        assert_eq!(studio.get_text(file).0, 200, "{file}");
    }
    for file in ["../Cargo.toml", "..%2f..%2fCargo.toml", "etc/passwd", ".git/config"] {
        assert_eq!(studio.get_text(file).0, 404, "{file}");
    }
}

#[test]
fn names_of_files_are_no_names_of_games() {
    let studio = Studio::start();
    for name in ["kif:/etc/passwd", "lud:/etc/passwd", "/etc/passwd", "kif:../../games/nim.kif"] {
        let (status, text) = studio.post_text("api/tables", &json!({ "game": name, "seats": [] }));
        assert_eq!((status, text.contains("root:")), (404, false), "{name}: {text}");
        assert_eq!(studio.get_text(&format!("api/thumbnail?game={name}")).0, 404);
    }
    for agent in ["portfolio(model=/etc/passwd)", "exec:ls", "ggp:127.0.0.1:1"] {
        let new = json!({ "game": "tictactoe", "seats": [agent] });
        assert!(studio.post_text("api/tables", &new).0 >= 400, "{agent}");
        let toml = format!("name='x'\ngames=['tictactoe']\nagents=['{agent}','random']\nrounds=1");
        assert!(studio.post_text("api/runs", &json!({ "toml": toml })).0 >= 400, "{agent}");
    }
}

#[test]
fn large_bodies_and_nonsense_are_refused() {
    let studio = Studio::start();
    let large = "x".repeat(600 << 10);
    let (status, _) = studio.post_text("api/rules", &json!({ "language": "kif", "text": large }));
    assert_eq!(status, 413);
    assert_eq!(studio.post_text("api/rules", &json!({ "language": "perl", "text": "" })).0, 400);
    assert_eq!(studio.post_text("api/tables", &json!({ "game": 3 })).0, 422);
    assert_eq!(studio.get_text("api/tables/none/snapshot").0, 404);
    assert_eq!(studio.get_text("api/nothing").0, 404);
    let table = studio.table(json!({ "game": "tictactoe", "seats": [] }));
    assert_eq!(table.try_play(99, 0, "a1").0, 400);
    assert_eq!(table.try_play(0, 9, "a1").0, 403);
    assert_eq!(table.control(json!({ "live": 77 })).0, 404);
}

#[test]
fn a_server_for_others_has_a_token() {
    let studio =
        Studio::with(Settings { address: "0.0.0.0".parse().unwrap(), ..Settings::default() });
    assert!(studio.url.contains("/?token="));
    let (bare, token) = studio.url.split_once("?token=").unwrap();
    let port = bare.rsplit(':').next().unwrap().trim_end_matches('/');
    let get = |path: &str, more: &str| {
        let mut stream = TcpStream::connect(format!("127.0.0.1:{port}")).unwrap();
        let text =
            format!("GET {path} HTTP/1.1\r\nHost: box:{port}\r\n{more}Connection: close\r\n\r\n");
        stream.write_all(text.as_bytes()).unwrap();
        let mut answer = String::new();
        let _ = stream.read_to_string(&mut answer);
        answer
    };
    assert!(get("/api/agents", "").contains("401"));
    assert!(get("/api/agents?token=wrong", "").contains("401"));
    let home = get(&format!("/?token={token}"), "");
    assert!(home.contains("200") && home.contains("set-cookie: ludex_token="), "{home}");
    assert!(get("/api/agents", &format!("Cookie: ludex_token={token}\r\n")).contains("200"));
}

#[test]
fn old_tables_make_room() {
    let studio = Studio::with(limited(Limits { tables: 3, ..Limits::default() }));
    let first = studio.table(json!({ "game": "tictactoe", "seats": [] }));
    for _ in 0..3 {
        std::thread::sleep(std::time::Duration::from_millis(5));
        studio.table(json!({ "game": "tictactoe", "seats": [] }));
    }
    assert_eq!(studio.get_text(&first.path("/snapshot")).0, 404);
}

#[test]
fn a_proxy_may_show_the_server_below_a_path() {
    let studio = Studio::with(Settings { prefix: "/lab/ludex/".into(), ..Settings::default() });
    assert!(studio.url.ends_with("/lab/ludex/"));
    assert_eq!(studio.get_text("").0, 200);
    assert_eq!(studio.get_text("app.js").0, 200);
    let table = studio.table(json!({ "game": "tictactoe", "seats": [] }));
    assert_eq!(table.snapshot().moves.len(), 9);
}

#[test]
fn the_description_names_every_address() {
    let studio = Studio::start();
    let description: serde_json::Value = studio.get("api/openapi.json");
    let paths = description["paths"].as_object().unwrap();
    assert!(paths.len() > 15);
    for (path, methods) in paths {
        let real = path.replace("{table}", "x").replace("{run}", "x").replace("{number}", "1");
        let path = real.trim_start_matches('/');
        for method in methods.as_object().unwrap().keys() {
            let (status, text) = match method.as_str() {
                "get" => studio.get_text(path),
                _ => studio.post_text(path, &json!(null)),
            };
            assert!(status != 405 && text != "there is no such page", "{method} {path}: {status}");
        }
    }
}
