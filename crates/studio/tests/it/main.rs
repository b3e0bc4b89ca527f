//! The studio through its addresses: a real server on loopback, real requests, a real WebSocket.

mod hidden;
mod live;
mod play;
mod rules;
mod runs;
mod safety;

use ludex_studio::wire::{Setting, Snapshot, TableKeys};
use ludex_studio::{Limits, Server, Settings};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// A server for one test.
pub(crate) struct Studio {
    pub(crate) url: String,
    agent: ureq::Agent,
    _stop: tokio::sync::oneshot::Sender<()>,
}

impl Studio {
    pub(crate) fn start() -> Studio {
        Studio::with(Settings::default())
    }

    pub(crate) fn with(settings: Settings) -> Studio {
        let (stop, stopped) = tokio::sync::oneshot::channel();
        let (told, url) = mpsc::channel();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread()
                .worker_threads(2)
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(async {
                let server = Server::bind(settings).await.unwrap();
                told.send(server.url()).unwrap();
                server.run(async { stopped.await.unwrap_or(()) }).await.unwrap();
            });
        });
        let config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_secs(60)))
            .build();
        Studio { url: url.recv().unwrap(), agent: config.into(), _stop: stop }
    }

    /// The status and the body of an answer.
    pub(crate) fn get_text(&self, path: &str) -> (u16, String) {
        let url = format!("{}{path}", self.url);
        let mut answer = self.agent.get(url).call().unwrap();
        (answer.status().as_u16(), answer.body_mut().read_to_string().unwrap())
    }

    pub(crate) fn get<T: DeserializeOwned>(&self, path: &str) -> T {
        let (status, text) = self.get_text(path);
        assert_eq!(status, 200, "{path}: {text}");
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}: {text}"))
    }

    pub(crate) fn post_text(&self, path: &str, body: &Value) -> (u16, String) {
        let url = format!("{}{path}", self.url);
        let mut answer = self.agent.post(url).send_json(body).unwrap();
        (answer.status().as_u16(), answer.body_mut().read_to_string().unwrap())
    }

    pub(crate) fn post<T: DeserializeOwned>(&self, path: &str, body: &Value) -> T {
        let (status, text) = self.post_text(path, body);
        assert_eq!(status, 200, "{path}: {text}");
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}: {text}"))
    }

    pub(crate) fn header(&self, path: &str, name: &str) -> Option<String> {
        let answer = self.agent.get(format!("{}{path}", self.url)).call().unwrap();
        answer.headers().get(name).map(|value| value.to_str().unwrap().to_string())
    }

    /// Sets up a table.
    pub(crate) fn table(&self, new: Value) -> Table<'_> {
        let keys: TableKeys = self.post("api/tables", &new);
        let held: Vec<String> = keys.keys.iter().flatten().cloned().collect();
        Table { studio: self, id: keys.table, key: held.join(","), keys: keys.keys }
    }
}

/// A table, and the keys with which this test looks at it.
pub(crate) struct Table<'s> {
    studio: &'s Studio,
    pub(crate) id: String,
    pub(crate) key: String,
    pub(crate) keys: Vec<Option<String>>,
}

impl<'s> Table<'s> {
    /// The same table for the holder of other keys.
    pub(crate) fn holding(&self, key: &str) -> Table<'s> {
        Table { studio: self.studio, id: self.id.clone(), key: key.into(), keys: Vec::new() }
    }

    pub(crate) fn seat(&self, seat: usize) -> Table<'s> {
        self.holding(self.keys[seat].as_ref().unwrap())
    }

    pub(crate) fn path(&self, rest: &str) -> String {
        let mark = if rest.contains('?') { '&' } else { '?' };
        format!("api/tables/{}{rest}{mark}key={}", self.id, self.key)
    }

    pub(crate) fn setting(&self) -> Setting {
        self.studio.get(&self.path(""))
    }

    pub(crate) fn snapshot(&self) -> Snapshot {
        self.studio.get(&self.path("/snapshot"))
    }

    pub(crate) fn text(&self) -> String {
        self.studio.get_text(&self.path("/snapshot")).1
    }

    pub(crate) fn try_play(&self, node: u32, seat: u8, text: &str) -> (u16, String) {
        let body = json!({ "node": node, "seat": seat, "text": text });
        self.studio.post_text(&self.path("/move"), &body)
    }

    pub(crate) fn play(&self, seat: u8, text: &str) -> Snapshot {
        let node = self.snapshot().live;
        let (status, answer) = self.try_play(node, seat, text);
        assert_eq!(status, 200, "{text}: {answer}");
        serde_json::from_str(&answer).unwrap()
    }

    pub(crate) fn control(&self, what: Value) -> (u16, String) {
        self.studio.post_text(&self.path("/control"), &what)
    }

    /// Waits until the table looks as wanted.
    pub(crate) fn wait(&self, wanted: impl Fn(&Snapshot) -> bool) -> Snapshot {
        let begun = Instant::now();
        loop {
            let snapshot = self.snapshot();
            if wanted(&snapshot) {
                return snapshot;
            }
            assert!(begun.elapsed() < Duration::from_secs(30), "it never came: {snapshot:?}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// Settings with other limits.
pub(crate) fn limited(limits: Limits) -> Settings {
    Settings { limits, ..Settings::default() }
}
