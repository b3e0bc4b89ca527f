//! Just enough HTTP/1.1 for a protocol of short messages: one request a connection, bounded in
//! size and in time.

use percent_encoding::percent_decode_str;
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// The largest head of a message.
const HEAD_LIMIT: usize = 64 << 10;

/// The longest line before a chunk of a body.
const CHUNK_HEAD_LIMIT: usize = 8 << 10;

/// A fault of an HTTP message.
#[derive(Debug, thiserror::Error)]
pub enum HttpError {
    /// The other side is gone, or the network is.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The other side took too long.
    #[error("timed out")]
    Slow,
    /// The message is larger than allowed.
    #[error("the message is larger than {0} bytes")]
    TooLarge(usize),
    /// Not HTTP.
    #[error("not HTTP: {0}")]
    Malformed(String),
    /// An answer other than 200.
    #[error("HTTP status {0}: {1}")]
    Status(u16, String),
}

impl HttpError {
    /// The HTTP status of this error; `None` where the connection is gone.
    pub(crate) fn status(&self) -> Option<u16> {
        match self {
            HttpError::Io(_) => None,
            HttpError::Slow => Some(408),
            HttpError::TooLarge(_) => Some(413),
            HttpError::Malformed(_) | HttpError::Status(..) => Some(400),
        }
    }
}

/// A request as far as the protocol looks at it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Request {
    /// `POST`, `GET`, `OPTIONS`, ...
    pub(crate) method: String,
    /// The message: the body, or for `GET` the URL-decoded path.
    pub(crate) text: String,
}

/// A connection that must be done by a point in time.
struct Timed<'a> {
    stream: &'a TcpStream,
    until: Instant,
}

impl Timed<'_> {
    fn left(&self) -> Result<Duration, HttpError> {
        let left = self.until.saturating_duration_since(Instant::now());
        if left.is_zero() { Err(HttpError::Slow) } else { Ok(left) }
    }

    /// Appends what comes next; false at the end.
    fn more(&mut self, into: &mut Vec<u8>) -> Result<bool, HttpError> {
        let mut chunk = [0; 8192];
        loop {
            self.stream.set_read_timeout(Some(self.left()?))?;
            match self.stream.read(&mut chunk) {
                Ok(n) => {
                    into.extend_from_slice(chunk.get(..n).unwrap_or(&[]));
                    return Ok(n > 0);
                }
                Err(e) => waiting(e)?,
            }
        }
    }

    fn write(&mut self, mut bytes: &[u8]) -> Result<(), HttpError> {
        while !bytes.is_empty() {
            self.stream.set_write_timeout(Some(self.left()?))?;
            match self.stream.write(bytes) {
                Ok(0) => return Err(io::Error::from(io::ErrorKind::WriteZero).into()),
                Ok(n) => bytes = bytes.get(n..).unwrap_or(&[]),
                Err(e) => waiting(e)?,
            }
        }
        Ok(())
    }

    /// The body of a message, of which `rest` is the beginning.
    fn body(&mut self, head: &Head, rest: Vec<u8>, limit: usize) -> Result<Vec<u8>, HttpError> {
        match head.chunked {
            true => self.chunks(rest, limit),
            false => self.plain_body(rest, head.length, limit),
        }
    }

    /// A body in chunks, each with its size before it. The last chunk is empty.
    fn chunks(&mut self, mut bytes: Vec<u8>, limit: usize) -> Result<Vec<u8>, HttpError> {
        let bad = |text: &str| HttpError::Malformed(text.into());
        let mut body = Vec::new();
        loop {
            let size = httparse::parse_chunk_size(&bytes).map_err(|_| bad("a bad chunk size"))?;
            let (from, to) = match size {
                httparse::Status::Complete((_, 0)) => return Ok(body),
                httparse::Status::Complete((from, size)) => {
                    let size = usize::try_from(size).ok().filter(|&n| n <= limit - body.len());
                    (from, from + size.ok_or(HttpError::TooLarge(limit))?)
                }
                httparse::Status::Partial if bytes.len() > CHUNK_HEAD_LIMIT => {
                    return Err(bad("a chunk without a size"));
                }
                httparse::Status::Partial => {
                    if !self.more(&mut bytes)? {
                        return Err(bad("the body ends before its last chunk"));
                    }
                    continue;
                }
            };
            // A line break follows every chunk.
            while bytes.len() < to + 2 {
                if !self.more(&mut bytes)? {
                    return Err(bad("the body ends within a chunk"));
                }
            }
            body.extend_from_slice(bytes.get(from..to).unwrap_or(&[]));
            bytes.drain(..to + 2);
        }
    }

    /// A body of known length, or up to the end of the connection.
    fn plain_body(
        &mut self,
        mut body: Vec<u8>,
        length: Option<usize>,
        limit: usize,
    ) -> Result<Vec<u8>, HttpError> {
        let wanted = length.unwrap_or(limit + 1);
        if length.is_some_and(|n| n > limit) {
            return Err(HttpError::TooLarge(limit));
        }
        while body.len() < wanted && self.more(&mut body)? {}
        match length {
            None if body.len() > limit => Err(HttpError::TooLarge(limit)),
            Some(n) if body.len() < n => {
                let text = format!("the body ends after {} of {n} bytes", body.len());
                Err(HttpError::Malformed(text))
            }
            Some(n) => {
                body.truncate(n);
                Ok(body)
            }
            None => Ok(body),
        }
    }
}

/// A timeout or an interruption is no error yet: the clock decides.
fn waiting(error: io::Error) -> Result<(), HttpError> {
    match error.kind() {
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut | io::ErrorKind::Interrupted => Ok(()),
        _ => Err(error.into()),
    }
}

/// The head of a message: its first line, how its body comes, where the body begins.
struct Head {
    first: (String, String),
    status: u16,
    length: Option<usize>,
    chunked: bool,
    expects: bool,
    size: usize,
}

/// Reads a head if `bytes` holds all of it.
fn head(bytes: &[u8], answer: bool) -> Result<Option<Head>, HttpError> {
    let bad = |e: httparse::Error| HttpError::Malformed(e.to_string());
    let mut space = [httparse::EMPTY_HEADER; 64];
    let (first, status, done, headers) = if answer {
        let mut response = httparse::Response::new(&mut space);
        let done = response.parse(bytes).map_err(bad)?;
        let reason = response.reason.unwrap_or("").to_string();
        ((String::new(), reason), response.code.unwrap_or(0), done, &*response.headers)
    } else {
        let mut request = httparse::Request::new(&mut space);
        let done = request.parse(bytes).map_err(bad)?;
        let method = request.method.unwrap_or("").to_ascii_uppercase();
        ((method, request.path.unwrap_or("").to_string()), 0, done, &*request.headers)
    };
    let httparse::Status::Complete(size) = done else { return Ok(None) };
    let mut head = Head { first, status, length: None, chunked: false, expects: false, size };
    for header in headers {
        let value = String::from_utf8_lossy(header.value);
        let value = value.trim();
        if header.name.eq_ignore_ascii_case("content-length") {
            let length = value.parse();
            head.length =
                Some(length.map_err(|_| {
                    HttpError::Malformed("a Content-Length that is no number".into())
                })?);
        } else if header.name.eq_ignore_ascii_case("transfer-encoding") {
            if !value.eq_ignore_ascii_case("chunked") {
                return Err(HttpError::Malformed(format!("a body that is encoded as {value}")));
            }
            head.chunked = true;
        } else if header.name.eq_ignore_ascii_case("expect") {
            head.expects = value.eq_ignore_ascii_case("100-continue");
        }
    }
    Ok(Some(head))
}

/// Reads up to the end of the head.
fn read_head(timed: &mut Timed<'_>, answer: bool) -> Result<(Head, Vec<u8>), HttpError> {
    let mut bytes = Vec::new();
    loop {
        if !timed.more(&mut bytes)? {
            return Err(HttpError::Malformed("the connection was closed in the head".into()));
        }
        if let Some(head) = head(&bytes, answer)? {
            bytes.drain(..head.size.min(bytes.len()));
            return Ok((head, bytes));
        }
        if bytes.len() > HEAD_LIMIT {
            return Err(HttpError::TooLarge(HEAD_LIMIT));
        }
    }
}

/// Text from bytes; old clients send old encodings.
fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|e| e.into_bytes().iter().map(|&b| char::from(b)).collect())
}

/// Reads a request of at most `limit` bytes that must be complete by `until`.
///
/// # Errors
/// See [`HttpError`].
pub(crate) fn read_request(
    stream: &TcpStream,
    limit: usize,
    until: Instant,
) -> Result<Request, HttpError> {
    let mut timed = Timed { stream, until };
    let (head, rest) = read_head(&mut timed, false)?;
    let (method, path) = head.first.clone();
    let text = match method.as_str() {
        "GET" => url_decoded(path.trim_start_matches(['/', '?'])),
        "POST" => {
            if head.length.is_some_and(|n| n > limit) {
                return Err(HttpError::TooLarge(limit));
            }
            if head.expects {
                timed.write(b"HTTP/1.1 100 Continue\r\n\r\n")?;
            }
            text(timed.body(&head, rest, limit)?)
        }
        _ => String::new(),
    };
    Ok(Request { method, text })
}

/// Undoes URL encoding, in which `+` is a blank.
fn url_decoded(text: &str) -> String {
    percent_decode_str(&text.replace('+', " ")).decode_utf8_lossy().into_owned()
}

/// Writes an answer that browsers accept from pages of any origin, and ends the connection.
///
/// # Errors
/// Where the client is gone.
pub(crate) fn respond(
    stream: &TcpStream,
    status: u16,
    body: &str,
    until: Instant,
) -> Result<(), HttpError> {
    let reason = match status {
        200 => "OK",
        400 => "Bad Request",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        413 => "Content Too Large",
        _ => "Service Unavailable",
    };
    let message = format!(
        "HTTP/1.1 {status} {reason}\r\n\
         Content-Type: text/acl\r\n\
         Content-Length: {}\r\n\
         Access-Control-Allow-Origin: *\r\n\
         Access-Control-Allow-Methods: POST, GET, OPTIONS\r\n\
         Access-Control-Allow-Headers: Content-Type, Accept, Sender, Receiver\r\n\
         Access-Control-Max-Age: 86400\r\n\
         Connection: close\r\n\r\n{body}",
        body.len()
    );
    Timed { stream, until }.write(message.as_bytes())
}

/// Sends a message and reads the answer, all by `until`.
///
/// # Errors
/// See [`HttpError`].
pub(crate) fn post(
    stream: &TcpStream,
    host: &str,
    receiver: &str,
    body: &str,
    until: Instant,
) -> Result<String, HttpError> {
    let mut timed = Timed { stream, until };
    let request = format!(
        "POST / HTTP/1.1\r\nHost: {host}\r\nAccept: text/acl\r\nSender: GAMESERVER\r\n\
         Receiver: {receiver}\r\nContent-Type: text/acl\r\nContent-Length: {}\r\n\
         Connection: close\r\n\r\n{body}",
        body.len()
    );
    timed.write(request.as_bytes())?;
    let (head, rest) = read_head(&mut timed, true)?;
    let body = text(timed.body(&head, rest, 1 << 20)?);
    match head.status {
        200 => Ok(body),
        status => Err(HttpError::Status(status, crate::message::short(&body))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    /// The message that the reader makes of these bytes, sent before the connection is closed.
    fn reads(bytes: &[u8], limit: usize) -> Result<Request, HttpError> {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let mut client =
            TcpStream::connect(listener.local_addr().expect("an address")).expect("in");
        let (stream, _) = listener.accept().expect("a client");
        client.write_all(bytes).expect("sent");
        drop(client);
        read_request(&stream, limit, Instant::now() + Duration::from_secs(5))
    }

    #[test]
    fn bodies_come_by_post_and_url_encoded_by_get() {
        let post = reads(b"POST / HTTP/1.1\r\nContent-length: 6\r\n\r\n(INFO)tail", 100);
        assert_eq!(post.expect("a request").text, "(INFO)");
        let bare = reads(b"POST / HTTP/1.0\r\n\r\n(INFO)", 100);
        assert_eq!(bare.expect("a request").text, "(INFO)");
        let get = reads(b"GET /%28PLAY+m1%20NIL%29 HTTP/1.1\r\n\r\n", 100);
        assert_eq!(get.expect("a request").text, "(PLAY m1 NIL)");
    }

    #[test]
    fn a_body_may_come_in_chunks() {
        let message = |body: &str| {
            let head = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
            reads(format!("{head}{body}").as_bytes(), 100)
        };
        let whole = message("3\r\n(IN\r\n3;note=x\r\nFO)\r\n0\r\n\r\n");
        assert_eq!(whole.expect("a request").text, "(INFO)");
        assert!(matches!(message("3\r\n(IN\r\n"), Err(HttpError::Malformed(_))), "no last chunk");
        assert!(matches!(message("zz\r\n(IN\r\n"), Err(HttpError::Malformed(_))), "no size");
        assert!(matches!(message("fffffffffffffff0\r\n"), Err(HttpError::TooLarge(100))));
        let many = "32\r\n".to_string() + &"x".repeat(50) + "\r\n";
        assert!(matches!(message(&many.repeat(3)), Err(HttpError::TooLarge(100))));
        let endless = "1;".to_string() + &"x".repeat(40_000);
        assert!(matches!(message(&endless), Err(HttpError::Malformed(_))), "an endless size line");
        let zipped = reads(b"POST / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n", 100);
        assert!(matches!(zipped, Err(HttpError::Malformed(_))));
    }

    #[test]
    fn what_is_cut_too_large_or_not_http_is_refused() {
        let cut = reads(b"POST / HTTP/1.1\r\nContent-Length: 60\r\n\r\n(INFO)", 100);
        assert!(matches!(cut, Err(HttpError::Malformed(_))));
        let large = reads(b"POST / HTTP/1.1\r\nContent-Length: 101\r\n\r\n", 100);
        assert!(matches!(large, Err(HttpError::TooLarge(100))));
        let endless = reads(&[b"POST / HTTP/1.1\r\n\r\n".as_slice(), &[b'x'; 500]].concat(), 100);
        assert!(matches!(endless, Err(HttpError::TooLarge(100))));
        assert!(matches!(reads(b"\x16\x03\x01 hello", 100), Err(HttpError::Malformed(_))));
        assert!(matches!(reads(b"", 100), Err(HttpError::Malformed(_))));
        let odd = reads(b"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 100);
        assert!(matches!(odd, Err(HttpError::Malformed(_))));
    }
}
