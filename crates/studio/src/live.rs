//! The stream between a page and its table: snapshots after every change, and thoughts of agents.

use crate::analysis::{Question, Running, analyse, graph};
use crate::branch::{Wanted, branch};
use crate::driver;
use crate::error::Result;
use crate::snapshot::snapshot;
use crate::table::{Table, Viewer};
use crate::wire::{Ask, BranchInfo, Tell};
use axum::extract::ws::{Message, WebSocket};
use std::sync::Arc;
use tokio::sync::mpsc::{Sender, channel};

/// Messages that may wait for a slow page.
const WAITING: usize = 64;

/// The subscriptions of a page.
struct Looking {
    table: Arc<Table>,
    held: String,
    viewer: Viewer,
    node: Option<usize>,
    /// The number of steps that the page knows.
    known: usize,
    /// The work that runs for the page; it ends with the page. By slot; then the graph, then the tree.
    running: [Option<Running>; 4],
}

/// Serves a page until it closes.
pub(crate) async fn serve(mut socket: WebSocket, table: Arc<Table>, held: String) {
    let _page = table.page();
    let mut version = table.subscribe();
    let (tell, mut told) = channel::<Tell>(WAITING);
    let viewer = table.viewer(&held, None, false);
    let mut looking =
        Looking { table, held, viewer, node: None, known: 0, running: [None, None, None, None] };
    driver::wake(&looking.table);
    loop {
        let reply = tokio::select! {
            changed = version.changed() => match changed {
                Ok(()) => {
                    version.borrow_and_update();
                    Some(looking.snapshot())
                }
                Err(_) => break,
            },
            Some(message) = told.recv() => Some(message),
            received = socket.recv() => match received {
                Some(Ok(Message::Text(text))) => looking.hear(&text, &tell),
                Some(Ok(Message::Close(_)) | Err(_)) | None => break,
                Some(Ok(_)) => None,
            },
        };
        if let Some(message) = reply {
            let text = serde_json::to_string(&message).unwrap_or_default();
            if socket.send(Message::Text(text.into())).await.is_err() {
                break;
            }
        }
    }
}

impl Looking {
    /// The table as the page may see it, with the steps that the page does not know.
    fn snapshot(&mut self) -> Tell {
        match snapshot(&self.table, &self.viewer, self.node, self.known) {
            Ok(snapshot) => {
                self.known = snapshot.first as usize + snapshot.steps.len();
                Tell::Snapshot { snapshot: Box::new(snapshot) }
            }
            Err(error) => Tell::Error { error: error.to_string() },
        }
    }

    /// Answers a message of the page.
    fn hear(&mut self, text: &str, tell: &Sender<Tell>) -> Option<Tell> {
        let ask: Ask = match serde_json::from_str(text) {
            Ok(ask) => ask,
            Err(error) => return Some(Tell::Error { error: error.to_string() }),
        };
        self.answer(ask, tell).unwrap_or_else(|e| Some(Tell::Error { error: e.to_string() }))
    }

    fn answer(&mut self, ask: Ask, tell: &Sender<Tell>) -> Result<Option<Tell>> {
        match ask {
            Ask::Look { node, seat, reveal, known } => {
                self.viewer = self.table.viewer(&self.held, seat, reveal);
                self.node = node.map(|node| node as usize);
                self.known = known as usize;
                driver::wake(&self.table);
                Ok(Some(self.snapshot()))
            }
            Ask::Analyse { slot, node, agent, seat, reveal, seconds } => {
                let viewer = Viewer { reveal, ..self.viewer.clone() };
                let question = Question { slot, node: node as usize, agent, seat, seconds };
                let place = self.running.get_mut(usize::from(slot).min(1));
                if let Some(place) = place {
                    *place = None;
                    *place = Some(analyse(&self.table, &viewer, question, tell.clone())?);
                }
                Ok(None)
            }
            Ask::Stop { slot } => {
                if let Some(place) = self.running.get_mut(usize::from(slot)) {
                    *place = None;
                }
                Ok(None)
            }
            Ask::Branch { node, line, agent, ms, reveal } => {
                let viewer = Viewer { reveal, ..self.viewer.clone() };
                let wanted = Wanted { node: node as usize, line: line.clone(), agent, ms };
                let Some(place) = self.running.get_mut(3) else { return Ok(None) };
                *place = None;
                match branch(&self.table, &viewer, wanted, tell.clone()) {
                    Ok(running) => *place = Some(running),
                    Err(error) => {
                        let error = Some(error.to_string());
                        let branch = BranchInfo { node, line, error, ..BranchInfo::default() };
                        return Ok(Some(Tell::Branch { branch: Box::new(branch) }));
                    }
                }
                Ok(None)
            }
            Ask::Graph { node, agent, ms, reveal } => {
                let viewer = Viewer { reveal, ..self.viewer.clone() };
                let what = (node as usize, agent.as_str(), ms);
                if let Some(place) = self.running.get_mut(2) {
                    *place = None;
                    *place = Some(graph(&self.table, &viewer, what, tell.clone())?);
                }
                Ok(None)
            }
        }
    }
}
