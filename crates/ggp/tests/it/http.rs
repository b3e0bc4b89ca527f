//! The player and the host over real sockets: bodies in one piece and in chunks, hostile bytes, limits.

use ludex_ggp::{Config, HttpError, Message, Player, Remote, serve};
use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::time::Duration;

/// A player that listens; its thread ends with the program.
fn player() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    let player = Arc::new(Player::new(Config::default()));
    std::thread::spawn(move || serve(&listener, &player, false));
    address
}

/// The whole answer to some bytes.
fn answer(to: SocketAddr, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(to).expect("a connection");
    stream.set_read_timeout(Some(Duration::from_secs(30))).expect("a timeout");
    let _ = stream.write_all(bytes);
    let _ = stream.shutdown(Shutdown::Write);
    let mut text = Vec::new();
    let _ = stream.read_to_end(&mut text);
    String::from_utf8_lossy(&text).into_owned()
}

const INFO: &str = "((name ludex) (status available) (species machine))";

#[test]
fn messages_come_by_post_whole_or_in_chunks_and_url_encoded_by_get() {
    let player = player();
    for request in [
        "POST / HTTP/1.1\r\nHost: x\r\nContent-length: 6\r\n\r\n(INFO)",
        "POST / HTTP/1.0\r\nContent-Length: 6\r\n\r\n(INFO)",
        "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n(IN\r\n3;note=x\r\nFO)\r\n0\r\n\r\n",
        "GET /%28INFO%29 HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /?(info)+ HTTP/1.1\r\nHost: x\r\n\r\n",
    ] {
        let answer = answer(player, request.as_bytes());
        assert!(answer.starts_with("HTTP/1."), "{request}: {answer}");
        assert!(answer.contains(" 200 OK\r\n") && answer.ends_with(INFO), "{request}: {answer}");
        assert!(answer.to_lowercase().contains("access-control-allow-origin: *"), "{answer}");
    }
    let options = answer(player, b"OPTIONS / HTTP/1.1\r\nHost: x\r\n\r\n");
    assert!(options.contains(" 200 OK\r\n"), "{options}");
    let odd = answer(player, b"DELETE / HTTP/1.1\r\nHost: x\r\n\r\n");
    assert!(odd.contains(" 405 "), "{odd}");
}

#[test]
fn bytes_that_are_no_message_are_refused_and_the_player_goes_on() {
    let player = player();
    let large = format!("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n\r\n", 1u64 << 40);
    for (bytes, status) in [
        (&b"\x16\x03\x01 hello"[..], ""),
        (b"", ""),
        (b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", "400"),
        (b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\n\r\n(NOPE)", "400"),
        (b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n(IN\r\n", "400"),
        (large.as_bytes(), "413"),
    ] {
        let answer = answer(player, bytes);
        let head = answer.lines().next().unwrap_or_default();
        assert!(head.contains(status) && !head.contains(" 200 "), "{status}: {answer}");
    }
    let info = answer(player, b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\n\r\n(INFO)");
    assert!(info.ends_with(INFO), "{info}");
}

/// The text or the error that a host reads from a player's answer.
fn heard(answer: &'static [u8], limit: Duration) -> Result<String, HttpError> {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let remote: Remote = listener.local_addr().expect("an address").to_string().parse().unwrap();
    let other = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a host");
        let mut request = Vec::new();
        let mut piece = [0; 4096];
        while !request.ends_with(b"(INFO)") {
            let n = stream.read(&mut piece).expect("a request");
            request.extend_from_slice(&piece[..n]);
        }
        let _ = stream.write_all(answer);
        match answer.is_empty() {
            // Says nothing, and stays.
            true => std::thread::sleep(Duration::from_secs(2)),
            false => drop(stream),
        }
        String::from_utf8_lossy(&request).to_lowercase()
    });
    let heard = remote.ask(&Message::Info, limit);
    let request = other.join().expect("a player");
    assert!(request.contains("receiver: player") && request.contains("text/acl"), "{request}");
    heard
}

#[test]
fn a_host_reads_answers_whole_in_chunks_and_up_to_the_end_of_the_connection() {
    let long = Duration::from_secs(30);
    let told = |answer| heard(answer, long);
    assert_eq!(told(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnoop").unwrap(), "noop");
    assert_eq!(
        told(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n(do\r\n5\r\n it)\n\r\n0\r\n\r\n")
            .unwrap(),
        "(do it)\n"
    );
    assert_eq!(told(b"HTTP/1.0 200 OK\r\n\r\nnoop").unwrap(), "noop");
    assert!(matches!(
        told(b"HTTP/1.1 500 Oops\r\nContent-Length: 3\r\n\r\nbad"),
        Err(HttpError::Status(500, text)) if text == "bad"
    ));
    assert!(told(b"HTTP/1.1 200 OK\r\nContent-Length: 40\r\n\r\nnoop").is_err(), "cut");
    assert!(told(b"hello\r\n\r\n").is_err(), "not HTTP");
    assert!(matches!(heard(b"", Duration::from_millis(500)), Err(HttpError::Slow)));
    let nobody: Remote = "127.0.0.1:1".parse().unwrap();
    assert!(matches!(nobody.ask(&Message::Info, long), Err(HttpError::Io(_))));
}
