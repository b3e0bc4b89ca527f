//! A player on the network: one thread a connection, bounded in number, size and time.

use crate::http::{self, HttpError, Request};
use crate::player::{Answer, Player};
use std::io::{self, Read};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The largest message: rule sheets are rarely above 100 kB.
const BODY_LIMIT: usize = 16 << 20;

/// How long a client may take to send its message, and to read the answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// The most clients at once.
const CLIENTS: usize = 64;

/// Answers messages until the program ends or, with `once`, until a match has ended.
///
/// # Errors
/// Where the listener itself is broken.
pub fn serve(listener: &TcpListener, player: &Arc<Player>, once: bool) -> io::Result<()> {
    let address = listener.local_addr()?;
    let clients = Arc::new(AtomicUsize::new(0));
    let ended = Arc::new(AtomicBool::new(false));
    for stream in listener.incoming() {
        if ended.load(Ordering::Acquire) {
            break;
        }
        let stream = match stream {
            Ok(stream) => stream,
            Err(error) => {
                // Out of file handles, or a client that left at once. The next connection may succeed.
                player.say(&format!("a connection failed: {error}"));
                thread::sleep(Duration::from_millis(20));
                continue;
            }
        };
        if clients.fetch_add(1, Ordering::AcqRel) >= CLIENTS {
            clients.fetch_sub(1, Ordering::AcqRel);
            let soon = Instant::now() + Duration::from_millis(100);
            let _ = http::respond(&stream, 503, "busy", soon);
            continue;
        }
        let counted = Counted(clients.clone());
        let (own, ended) = (player.clone(), ended.clone());
        let work = move || {
            let _counted = counted;
            if attend(&stream, &own) && once {
                ended.store(true, Ordering::Release);
                // Wakes the listener, which waits for the next client.
                let _ = TcpStream::connect_timeout(&address, Duration::from_secs(1));
            }
        };
        if let Err(error) = thread::Builder::new().name("client".into()).spawn(work) {
            // The client sees a closed connection. The next one may get a thread.
            player.say(&format!("no thread for a client: {error}"));
            thread::sleep(Duration::from_millis(20));
        }
    }
    Ok(())
}

/// Counts a client while its thread runs.
struct Counted(Arc<AtomicUsize>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

/// Answers one client; has a match ended?
fn attend(stream: &TcpStream, player: &Player) -> bool {
    let _ = stream.set_nodelay(true);
    // The clock of a message starts with its first byte, not with the connection.
    let _ = stream.set_read_timeout(Some(PATIENCE));
    let _ = stream.peek(&mut [0]);
    let received = Instant::now();
    let request = http::read_request(stream, BODY_LIMIT, received + PATIENCE);
    let (status, answer) = reply(request, player, received);
    if let Some(status) = status {
        let sent = http::respond(stream, status, &answer.text, Instant::now() + PATIENCE);
        if sent.is_ok() {
            close(stream);
        }
    }
    answer.over
}

fn reply(
    request: Result<Request, HttpError>,
    player: &Player,
    received: Instant,
) -> (Option<u16>, Answer) {
    let request = match request {
        Ok(request) => request,
        Err(error) => {
            player.say(&format!("a bad request: {error}"));
            return (error.status(), error.to_string().as_str().into());
        }
    };
    match request.method.as_str() {
        "OPTIONS" => (Some(200), "".into()),
        "POST" | "GET" => {
            let handled = catch_unwind(AssertUnwindSafe(|| player.handle(&request.text, received)));
            match handled {
                Ok(Ok(answer)) => (Some(200), answer),
                Ok(Err(error)) => {
                    player.say(&format!("a bad message: {error}"));
                    (Some(400), error.to_string().as_str().into())
                }
                Err(_) => (Some(503), "busy".into()),
            }
        }
        _ => (Some(405), "send a message by POST".into()),
    }
}

/// Lets a client that is still sending read the answer before the connection goes.
fn close(mut stream: &TcpStream) {
    let until = Instant::now() + Duration::from_millis(500);
    let _ = stream.shutdown(Shutdown::Write);
    let mut rest = [0; 8192];
    loop {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() || stream.set_read_timeout(Some(left)).is_err() {
            return;
        }
        if !matches!(stream.read(&mut rest), Ok(n) if n > 0) {
            return;
        }
    }
}
