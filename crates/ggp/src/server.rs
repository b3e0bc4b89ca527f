//! A player on the network: hyper reads messages, bounded in number, size and time.

use crate::http::text;
use crate::player::Player;
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::{Body, Bytes, Incoming};
use hyper::header::{self, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use percent_encoding::percent_decode_str;
use std::convert::Infallible;
use std::io;
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::net::TcpStream;
use tokio::sync::{Notify, Semaphore};

/// The largest message: rule sheets are rarely above 100 kB.
const BODY_LIMIT: usize = 16 << 20;

/// How long a client may take to send the head of its message, and as long again for its body.
const PATIENCE: Duration = Duration::from_secs(10);

/// The most clients at once.
const CLIENTS: usize = 64;

/// Answers messages until the program ends or, with `once`, until a match has ended.
///
/// # Errors
/// Where the listener itself is broken.
pub fn serve(listener: &TcpListener, player: &Arc<Player>, once: bool) -> io::Result<()> {
    let listener = listener.try_clone()?;
    listener.set_nonblocking(true)?;
    // One thread reads and writes; each message is handled on a thread of its own.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let served = runtime.block_on(accept(listener, player, once));
    // A message that is still handled must not keep the program.
    runtime.shutdown_background();
    served
}

async fn accept(listener: TcpListener, player: &Arc<Player>, once: bool) -> io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let clients = Arc::new(Semaphore::new(CLIENTS));
    let ended = Arc::new(Notify::new());
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = ended.notified() => return Ok(()),
        };
        let stream = match accepted {
            Ok((stream, _)) => stream,
            Err(error) => {
                // Out of file handles, or a client that left at once. The next connection may succeed.
                player.say(&format!("a connection failed: {error}"));
                tokio::time::sleep(Duration::from_millis(20)).await;
                continue;
            }
        };
        let place = clients.clone().try_acquire_owned().ok();
        let (player, ended) = (player.clone(), ended.clone());
        tokio::spawn(async move {
            let busy = place.is_none();
            if attend(stream, player, busy).await && once {
                ended.notify_one();
            }
            drop(place);
        });
    }
}

/// Answers one client; has a match ended?
async fn attend(stream: TcpStream, player: Arc<Player>, busy: bool) -> bool {
    let _ = stream.set_nodelay(true);
    let over = Arc::new(AtomicBool::new(false));
    let service = service_fn(|request| {
        let (player, over) = (player.clone(), over.clone());
        async move {
            let reply = match busy {
                true => Reply::new(StatusCode::SERVICE_UNAVAILABLE, "busy"),
                false => reply(request, player.clone()).await,
            };
            if !reply.status.is_success() {
                player.say(&format!("a bad request: {}", reply.text));
            }
            over.fetch_or(reply.over, Ordering::AcqRel);
            Ok::<_, Infallible>(reply.response())
        }
    });
    let mut server = http1::Builder::new();
    // A message is one connection. A client may close its side when it has sent the message.
    // Old hosts compare the names of headers letter by letter.
    server.keep_alive(false).half_close(true).title_case_headers(true);
    server.timer(TokioTimer::new()).header_read_timeout(PATIENCE);
    if let Err(error) = server.serve_connection(TokioIo::new(stream), service).await {
        player.say(&format!("a connection failed: {error}"));
    }
    over.load(Ordering::Acquire)
}

/// An answer, and whether it ends a match.
struct Reply {
    status: StatusCode,
    text: String,
    over: bool,
}

impl Reply {
    fn new(status: StatusCode, text: impl Into<String>) -> Self {
        Reply { status, text: text.into(), over: false }
    }

    /// An answer that browsers accept from pages of any origin.
    fn response(self) -> Response<Full<Bytes>> {
        let mut response = Response::new(Full::new(Bytes::from(self.text)));
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        for (name, value) in [
            (header::CONTENT_TYPE, "text/acl"),
            (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
            (header::ACCESS_CONTROL_ALLOW_METHODS, "POST, GET, OPTIONS"),
            (header::ACCESS_CONTROL_ALLOW_HEADERS, "Content-Type, Accept, Sender, Receiver"),
            (header::ACCESS_CONTROL_MAX_AGE, "86400"),
        ] {
            headers.insert(name, HeaderValue::from_static(value));
        }
        response
    }
}

async fn reply(request: Request<Incoming>, player: Arc<Player>) -> Reply {
    // The clock of a message starts when its head is there.
    let received = Instant::now();
    let message = match *request.method() {
        Method::OPTIONS => return Reply::new(StatusCode::OK, ""),
        Method::GET => {
            let path = request.uri().path_and_query().map_or("", |path| path.as_str());
            url_decoded(path.trim_start_matches(['/', '?']))
        }
        Method::POST => match body(request.into_body()).await {
            Ok(text) => text,
            Err(refused) => return refused,
        },
        _ => return Reply::new(StatusCode::METHOD_NOT_ALLOWED, "send a message by POST"),
    };
    let handled = tokio::task::spawn_blocking(move || player.handle(&message, received));
    match handled.await {
        Ok(Ok(answer)) => Reply { over: answer.over, ..Reply::new(StatusCode::OK, answer.text) },
        Ok(Err(error)) => Reply::new(StatusCode::BAD_REQUEST, error.to_string()),
        // The player panicked. The next message finds it free.
        Err(_) => Reply::new(StatusCode::SERVICE_UNAVAILABLE, "busy"),
    }
}

/// Reads a body of limited size in limited time.
async fn body(incoming: Incoming) -> Result<String, Reply> {
    let large = || {
        let text = format!("the message is larger than {BODY_LIMIT} bytes");
        Reply::new(StatusCode::PAYLOAD_TOO_LARGE, text)
    };
    if incoming.size_hint().lower() > BODY_LIMIT as u64 {
        return Err(large());
    }
    match tokio::time::timeout(PATIENCE, Limited::new(incoming, BODY_LIMIT).collect()).await {
        Ok(Ok(collected)) => Ok(text(collected.to_bytes().into())),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(large()),
        Ok(Err(error)) => Err(Reply::new(StatusCode::BAD_REQUEST, error.to_string())),
        Err(_) => Err(Reply::new(StatusCode::REQUEST_TIMEOUT, "the message came too slowly")),
    }
}

/// Undoes URL encoding, in which `+` is a blank.
fn url_decoded(text: &str) -> String {
    percent_decode_str(&text.replace('+', " ")).decode_utf8_lossy().into_owned()
}
