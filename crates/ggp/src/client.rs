//! A player somewhere on the network, as a host talks to it.

use crate::http::{self, HttpError};
use crate::message::Message;
use std::fmt;
use std::net::{TcpStream, ToSocketAddrs};
use std::str::FromStr;
use std::time::{Duration, Instant};

/// How long a connection may take to come about.
const CONNECT: Duration = Duration::from_secs(2);

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
        let until = Instant::now() + limit;
        let addresses = (self.host.as_str(), self.port).to_socket_addrs()?;
        let mut failed = HttpError::Malformed(format!("`{}` has no address", self.host));
        for address in addresses {
            match TcpStream::connect_timeout(&address, CONNECT.min(limit)) {
                Ok(stream) => {
                    // A message is one write; waiting to fill a packet would only cost time.
                    stream.set_nodelay(true)?;
                    return http::post(&stream, &self.to_string(), "PLAYER", text, until);
                }
                Err(error) => failed = error.into(),
            }
        }
        Err(failed)
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
