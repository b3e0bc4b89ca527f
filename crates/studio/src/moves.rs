//! Moves for people: their texts, their sites, and the short forms that a person may type.

use crate::error::{Error, Result};
use crate::table::Table;
use crate::wire::MoveInfo;
use ludex_core::{Game, Move, short};

impl Table {
    /// A move for the page.
    pub(crate) fn describe(&self, mv: Move, index: usize, seat: u8) -> MoveInfo {
        let sites = self.game.move_sites(mv);
        let known = |site: Option<usize>| {
            site.filter(|&site| site < self.scene.sites.len()).map(|site| site as u32)
        };
        MoveInfo {
            index: index as u32,
            seat,
            text: self.game.move_text(mv),
            from: known(sites.from),
            to: known(sites.to),
        }
    }

    /// The legal move that a text names: its own text, or a short form that leaves no doubt. Beyond the short forms of
    /// [`short::find`], the labels of a move's sites and the beginning of a text name a move, too.
    ///
    /// # Errors
    /// No move fits, or several do; then the error has them all.
    pub(crate) fn find(&self, legal: &[Move], seat: u8, text: &str) -> Result<Move> {
        if let Ok(mv) = short::find(&self.game, legal, text) {
            return Ok(mv);
        }
        let wanted = plain(text);
        let named: Vec<(Move, String, String)> = legal
            .iter()
            .map(|&mv| (mv, plain(&self.game.move_text(mv)), plain(&self.labels(mv))))
            .collect();
        // From the whole text to ever shorter forms of it.
        let fits = |form: usize, name: &str, labels: &str| match form {
            0 => labels == wanted,
            1 => name.starts_with(&wanted) || labels.starts_with(&wanted),
            _ => name.contains(&wanted) || labels.ends_with(&wanted),
        };
        for form in (0..3).filter(|_| !wanted.is_empty()) {
            let found: Vec<Move> = named
                .iter()
                .filter(|(_, name, labels)| fits(form, name, labels))
                .map(|(mv, ..)| *mv)
                .collect();
            match found.as_slice() {
                [] => {}
                [mv] => return Ok(*mv),
                several => return Err(self.unclear(legal, several, seat, text.trim())),
            }
        }
        Err(Error::Bad(format!("`{}` is no legal move here", text.trim())))
    }

    fn unclear(&self, legal: &[Move], several: &[Move], seat: u8, text: &str) -> Error {
        let choices = several.iter().map(|mv| {
            let index = legal.iter().position(|other| other == mv).unwrap_or(0);
            self.describe(*mv, index, seat)
        });
        Error::Unclear(format!("`{text}` fits {} moves", several.len()), choices.collect())
    }

    /// The labels of the sites of a move, one after the other.
    fn labels(&self, mv: Move) -> String {
        let sites = self.game.move_sites(mv);
        let label = |site: Option<usize>| site.and_then(|s| self.scene.sites.get(s));
        [sites.from, sites.to].into_iter().filter_map(label).map(|s| s.label.as_str()).collect()
    }
}

/// A text without case, blanks and signs, so that `e2-e4`, `E2 E4` and `e2e4` are the same.
fn plain(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
