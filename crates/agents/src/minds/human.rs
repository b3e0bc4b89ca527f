//! `human`: a person at a terminal.

use crate::agent::{Agent, Choice, Failure};
use crate::budget::Budget;
use crate::catalog::{Entry, Needs, Recipe, recipe};
use ludex_core::{AnyGame, Game, Player, Result, Seed, View};
use std::io::{self, BufRead, Write};

pub(crate) const ENTRY: Entry = Entry {
    name: "human",
    summary: "a person at the terminal; ? lists the moves, quit leaves",
    needs: Needs::NOTHING,
    usual: || recipe(Params::default()),
};

ludex_core::params! {
    /// [`Human`] has nothing to set.
    pub struct Params {}
}

impl Recipe for Params {
    fn build(&self, _: &AnyGame, _: Player, _: Seed) -> Result<Box<dyn Agent<AnyGame>>> {
        Ok(Box::new(Human::terminal()))
    }
}

type ReadLine = Box<dyn FnMut(&mut String) -> io::Result<usize> + Send>;

/// Shows the position, asks for a move, asks again until it is legal.
pub struct Human {
    read: ReadLine,
    write: Box<dyn Write + Send>,
    /// Records already told.
    told: usize,
}

impl std::fmt::Debug for Human {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Human")
    }
}

impl Human {
    /// A person who types into `input` and reads `output`.
    pub fn new(
        mut input: impl BufRead + Send + 'static,
        output: impl Write + Send + 'static,
    ) -> Self {
        let read = move |line: &mut String| input.read_line(line);
        Human { read: Box::new(read), write: Box::new(output), told: 0 }
    }

    /// A person at this process's terminal. Several may share it: each reads line by line.
    /// Questions go to stderr, so that stdout stays data.
    pub fn terminal() -> Self {
        let read = |line: &mut String| io::stdin().read_line(line);
        Human { read: Box::new(read), write: Box::new(io::stderr()), told: 0 }
    }

    fn say(&mut self, text: &str, name: &str) -> Result<(), Failure> {
        let said = self.write.write_all(text.as_bytes()).and_then(|()| self.write.flush());
        said.map_err(|_| Failure::Left(name.to_string()))
    }

    /// The steps since the last question, and the position as far as it may be seen.
    fn news<G: Game>(&mut self, game: &G, view: &View<'_, G>, seat: Player) -> String {
        let records = view.records();
        let mut text = String::new();
        for record in records.iter().skip(self.told) {
            let own = record.own.map(|mv| format!(" (you: {})", game.move_text(mv)));
            let seen = game.percept_text(&record.percept.0);
            text.push_str(&format!("  {seen}{}\n", own.unwrap_or_default()));
        }
        self.told = records.len();
        if let Some(state) = view.state() {
            let board = ludex_draw::board(game, state, Some(seat), &ludex_draw::Marks::default());
            text.push_str(board.trim_end());
            text.push('\n');
        }
        text
    }
}

impl<G: Game> Agent<G> for Human {
    fn name(&self) -> String {
        "human".into()
    }

    fn choose(&mut self, game: &G, view: &View<'_, G>, _: &Budget) -> Result<Choice, Failure> {
        let seat = view.seat();
        let name = game.info().player(seat).to_string();
        if view.legal().is_empty() {
            return Err(crate::spec::not_to_move("human").into());
        }
        let news = self.news(game, view, seat);
        self.say(&news, &name)?;
        let names: Vec<String> = view.legal().iter().map(|&mv| game.move_text(mv)).collect();
        loop {
            self.say(&format!("{name}, your move (? lists them, quit leaves): "), &name)?;
            let mut line = String::new();
            match (self.read)(&mut line) {
                Ok(n) if n > 0 => {}
                _ => return Err(Failure::Left(name)),
            }
            let text = line.trim();
            // By exact text first, so that a game may have a move called `quit`.
            let exact = names.iter().position(|known| known == text);
            let folded = || {
                let mut same = (0..names.len()).filter(|&i| names[i].eq_ignore_ascii_case(text));
                same.next().filter(|_| same.next().is_none())
            };
            if let Some(&mv) = exact.or_else(folded).and_then(|i| view.legal().get(i)) {
                return Ok(Choice::plain(mv));
            }
            match text {
                "" => {}
                "?" => self.say(&format!("{}\n", names.join("  ")), &name)?,
                "quit" | "exit" => return Err(Failure::Left(name)),
                _ => self.say(&format!("`{text}` is no legal move here; ? lists them\n"), &name)?,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_core::{Move, testkit::Coins};
    use std::sync::{Arc, Mutex};

    #[derive(Clone, Default)]
    struct Page(Arc<Mutex<Vec<u8>>>);

    impl Write for Page {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn ask(input: &'static str) -> (Result<Choice, Failure>, String) {
        let game = Coins::default();
        let state = game.parse_position("5 1").unwrap();
        let legal = [Move(1), Move(2), Move(3)];
        let view = View::new(&game, &state, Player(1), &[], &state, &legal);
        let page = Page::default();
        let mut human = Human::new(input.as_bytes(), page.clone());
        let choice = human.choose(&game, &view, &Budget::default());
        let text = String::from_utf8(page.0.lock().unwrap().clone()).unwrap();
        (choice, text)
    }

    #[test]
    fn a_person_is_asked_until_the_move_is_legal() {
        let (choice, text) = ask("seven\n\n?\n 2 \n");
        assert_eq!(choice.unwrap().mv, Move(2));
        assert!(text.contains("`seven` is no legal move here"), "{text}");
        assert!(text.contains("1  2  3\n"), "{text}");
        assert_eq!(text.matches("your move").count(), 4);
    }

    #[test]
    fn leaving_and_the_end_of_input_are_errors_not_loops() {
        for input in ["quit\n", "", "x\n"] {
            assert_eq!(ask(input).0, Err(Failure::Left("second".into())));
        }
    }
}
