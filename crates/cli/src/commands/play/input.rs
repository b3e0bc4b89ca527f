//! Lines that a person types: with editing and history at a terminal, plain lines from a file or a pipe.

use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;
use std::io::{self, BufRead, IsTerminal, Write};

/// The source of a person's lines.
pub(super) enum Input {
    Terminal(Box<DefaultEditor>),
    Lines(Box<dyn BufRead>),
}

impl Input {
    /// This process's standard input.
    pub(super) fn stdin() -> Input {
        if io::stdin().is_terminal()
            && let Ok(editor) = DefaultEditor::new()
        {
            return Input::Terminal(Box::new(editor));
        }
        Input::Lines(Box::new(io::BufReader::new(io::stdin())))
    }

    /// The next line after a prompt; `None` where the person has left.
    pub(super) fn ask(&mut self, prompt: &str) -> Option<String> {
        match self {
            Input::Terminal(editor) => match editor.readline(prompt) {
                Ok(line) => {
                    let _ = editor.add_history_entry(line.as_str());
                    Some(line)
                }
                Err(ReadlineError::Interrupted | ReadlineError::Eof) => None,
                Err(_) => None,
            },
            Input::Lines(lines) => {
                // A prompt is no data: it goes to stderr.
                let mut err = io::stderr();
                let _ = err.write_all(prompt.as_bytes()).and_then(|()| err.flush());
                let mut line = String::new();
                match lines.read_line(&mut line) {
                    Ok(read) if read > 0 => Some(line),
                    _ => None,
                }
            }
        }
    }
}
