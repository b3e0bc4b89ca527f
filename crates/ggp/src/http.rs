//! The errors of a message over HTTP, and the text of its body.

use std::io;

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
    TooLarge(u64),
    /// Not HTTP.
    #[error("not HTTP: {0}")]
    Malformed(String),
    /// An answer other than 200.
    #[error("HTTP status {0}: {1}")]
    Status(u16, String),
}

impl From<ureq::Error> for HttpError {
    fn from(error: ureq::Error) -> Self {
        let refused = |text: String| io::Error::new(io::ErrorKind::NotConnected, text);
        match error {
            ureq::Error::Timeout(_) => HttpError::Slow,
            ureq::Error::Io(error) => error.into(),
            ureq::Error::BodyExceedsLimit(limit) => HttpError::TooLarge(limit),
            ureq::Error::HostNotFound | ureq::Error::ConnectionFailed => {
                refused(error.to_string()).into()
            }
            other => HttpError::Malformed(other.to_string()),
        }
    }
}

/// Text from bytes; old programs send old encodings.
pub(crate) fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|e| e.into_bytes().iter().map(|&b| char::from(b)).collect())
}

#[cfg(test)]
mod tests {
    #[test]
    fn bytes_that_are_no_utf_8_are_latin_1() {
        assert_eq!(super::text("(sees α)".into()), "(sees α)");
        assert_eq!(super::text(b"(sees \xe4)".to_vec()), "(sees ä)");
    }
}
