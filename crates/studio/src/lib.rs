//! The studio: a web page to play, analyse, replay and edit any game.
//!
//! [`Server::bind`] opens a port, [`Server::run`] answers until it is told to stop. The page is built from `web/` and embedded;
//! the crate needs no files at run time. One idea a file:
//! - `wire`: the messages between server and page; `routes`: the addresses; `live`: the stream of a page; `openapi`: their
//!   description;
//! - `guard`: which hosts and pages may ask; `keys`: random keys of seats; `studio`: the state and its limits;
//! - `shelf`: games by name, never by path; `players`: agents that a page may name;
//! - `tree`: the steps and variations of a game; `table`: a game on a table; `moves`: moves for people; `driver`: the thread that plays for agents and
//!   chance; `snapshot`: a position as its viewer may see it; `analysis`: agents that think while a page watches;
//! - `branch`: positions of the search tree; `insight`: features of a game and predicted agents; `atlas`: the map of games;
//! - `rules`: the editor; `drafts`: rules that outlive the server; `runs`: stored games and tournaments; `export`: games as files; `assets`: the page.
//!
//! A page sees only what its seats may know: every position goes through [`ludex_core::Game::view`] with the seat of the viewer,
//! every agent through [`ludex_core::View`].

mod analysis;
mod assets;
mod atlas;
mod branch;
mod drafts;
mod driver;
mod error;
mod export;
mod guard;
mod insight;
mod keys;
mod live;
mod moves;
mod openapi;
mod players;
mod routes;
mod rules;
mod runs;
mod shelf;
mod snapshot;
mod studio;
mod table;
mod tree;
pub mod wire;

pub use openapi::text as openapi;
pub use studio::Limits;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use guard::Door;
use std::future::Future;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use studio::Studio;
use tokio::net::TcpListener;
use tower_http::compression::CompressionLayer;
use tower_http::timeout::TimeoutLayer;

/// The largest body of a request.
const MOST_BYTES: usize = 512 << 10;
/// The longest time for an answer.
const LONGEST: Duration = Duration::from_secs(60);

/// How a server is set up.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The address; loopback by default.
    pub address: IpAddr,
    /// The port; 0: any free port.
    pub port: u16,
    /// The database of games: a file, or an address of PostgreSQL.
    pub db: Option<String>,
    /// Further names of this server, as a proxy uses them.
    pub hosts: Vec<String>,
    /// The path below which a proxy shows the server, such as `/ludex`.
    pub prefix: String,
    /// The limits.
    pub limits: Limits,
    /// The folder in which drafts of rules are kept; `None`: they live as long as the server.
    pub drafts: Option<std::path::PathBuf>,
    /// A folder with the files of the page that are shown instead of the embedded ones, for work on the page.
    pub page: Option<std::path::PathBuf>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            address: Ipv4Addr::LOCALHOST.into(),
            port: 0,
            db: None,
            hosts: Vec::new(),
            prefix: String::new(),
            limits: Limits::default(),
            drafts: None,
            page: None,
        }
    }
}

/// A server that has its port.
pub struct Server {
    listener: TcpListener,
    studio: Arc<Studio>,
    router: Router,
    address: SocketAddr,
    token: Option<String>,
    prefix: String,
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Server({})", self.address)
    }
}

impl Server {
    /// Opens the port. An address other than loopback gets a random token, which every page must show.
    ///
    /// # Errors
    /// The port cannot be opened.
    pub async fn bind(settings: Settings) -> std::io::Result<Server> {
        let listener = TcpListener::bind((settings.address, settings.port)).await?;
        let address = listener.local_addr()?;
        let token = (!settings.address.is_loopback()).then(keys::random);
        let mut hosts: Vec<String> = settings.hosts.clone();
        if token.is_none() {
            hosts.extend(["127.0.0.1", "localhost", "::1"].map(String::from));
            hosts.push(settings.address.to_string());
        }
        let door = Arc::new(Door { hosts, token: token.clone() });
        let prefix = clean(&settings.prefix);
        let studio = Studio::new(settings);
        let router = layers(&studio, &prefix)
            .layer(axum::middleware::from_fn_with_state(door, guard::guard));
        Ok(Server { listener, studio, router, address, token, prefix })
    }

    /// The address of the page.
    pub fn url(&self) -> String {
        let token = self.token.as_ref().map(|token| format!("?token={token}"));
        format!("http://{}{}/{}", self.address, self.prefix, token.unwrap_or_default())
    }

    /// Answers requests until `stop` is ready.
    ///
    /// # Errors
    /// The port failed.
    pub async fn run(self, stop: impl Future<Output = ()> + Send + 'static) -> std::io::Result<()> {
        let shelf = self.studio.shelf.clone();
        // A thread of its own: loading all games must not keep requests waiting.
        let survey = std::thread::Builder::new().name("survey".into()).stack_size(driver::STACK);
        let _ = survey.spawn(move || shelf.survey());
        let studio = self.studio.clone();
        let tidy = tokio::spawn(async move {
            loop {
                tokio::time::sleep(Duration::from_secs(3)).await;
                studio.tidy();
            }
        });
        let served = tokio::select! {
            served = axum::serve(self.listener, self.router) => served,
            () = stop => Ok(()),
        };
        tidy.abort();
        self.studio.runs.stop_all();
        served
    }
}

/// All addresses below a prefix, with their limits.
fn layers(studio: &Arc<Studio>, prefix: &str) -> Router {
    let routes = routes::router(studio.clone());
    let routes = match prefix {
        "" => routes,
        prefix => {
            let home = format!("{prefix}/");
            let redirect = axum::routing::get(async move || axum::response::Redirect::to(&home));
            Router::new().route(prefix, redirect).nest(&format!("{prefix}/"), routes)
        }
    };
    let too_long = TimeoutLayer::with_status_code(StatusCode::SERVICE_UNAVAILABLE, LONGEST);
    routes.layer(DefaultBodyLimit::max(MOST_BYTES)).layer(CompressionLayer::new()).layer(too_long)
}

/// The addresses of a server without a port and without a guard, for fuzzing.
#[doc(hidden)]
pub fn service() -> Router {
    layers(&Studio::new(Settings::default()), "")
}

/// A prefix with a slash in front and none at the end.
fn clean(prefix: &str) -> String {
    let path = prefix.trim_matches('/');
    if path.is_empty() { String::new() } else { format!("/{path}") }
}
