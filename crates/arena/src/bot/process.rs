//! The process of a bot: it starts with limits, every answer has a time limit, and it ends with all its children.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Resource, Rlimit, Signal};
use std::collections::VecDeque;
use std::io::{ErrorKind, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// The memory and time that a bot may use.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Limits {
    /// Bytes of address space.
    pub(super) memory: u64,
    /// The time for an answer where the budget has none.
    pub(super) time: Duration,
    /// The time to get ready.
    pub(super) start: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { memory: 4 << 30, time: Duration::from_secs(60), start: Duration::from_secs(10) }
    }
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Trouble {
    /// The process is gone, or closed its input or output.
    Gone(String),
    /// The process did not answer in time.
    Late(String),
    /// The process wrote something that is not an answer.
    Garbage(String),
}

/// The longest line that a bot may write, in bytes.
const LONGEST_LINE: usize = 1 << 16;
/// The most bytes that a bot may write for one answer.
const LONGEST_ANSWER: usize = 1 << 20;
/// How many bytes of stderr are kept, the last ones.
const LAST_WORDS: usize = 2000;
/// This environment variable marks the bot's children, even where they left its process group.
const MARK: &str = "LUDEX_BOT";

/// A bot's process.
pub(super) struct Process {
    child: Child,
    /// `None` once it is closed.
    stdin: Option<ChildStdin>,
    stdout: ChildStdout,
    stderr: ChildStderr,
    stderr_open: bool,
    /// Bytes that were read after the last whole line.
    buffer: Vec<u8>,
    last_words: VecDeque<u8>,
    mark: String,
}

impl Process {
    /// Starts a command in a process group of its own.
    ///
    /// # Errors
    /// A command that can't be started.
    pub(super) fn start(command: &[String], limits: &Limits) -> Result<Self, Trouble> {
        let gone = |error: std::io::Error| {
            let name = command.first().map_or("", String::as_str);
            Trouble::Gone(format!("can't start `{name}`: {error}"))
        };
        let Some((program, arguments)) = command.split_first() else {
            return Err(Trouble::Gone("there is no command to start".into()));
        };
        let mark = format!("{:x}", crate::unique::unique());
        let mut command = Command::new(program);
        command
            .args(arguments)
            .env(MARK, &mark)
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let memory = Rlimit { current: Some(limits.memory), maximum: Some(limits.memory) };
        let none = Rlimit { current: Some(0), maximum: Some(0) };
        let limit = move || {
            rustix::process::setrlimit(Resource::As, memory)?;
            rustix::process::setrlimit(Resource::Core, none)?;
            #[cfg(target_os = "linux")]
            rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
            Ok(())
        };
        // SAFETY: between fork and exec only these three system calls are made; nothing is
        // allocated, no lock is taken.
        unsafe { command.pre_exec(limit) };
        let mut child = command.spawn().map_err(gone)?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            let _ = child.kill();
            return Err(Trouble::Gone("the process has no pipes".into()));
        };
        for result in [
            rustix::io::ioctl_fionbio(&stdin, true),
            rustix::io::ioctl_fionbio(&stdout, true),
            rustix::io::ioctl_fionbio(&stderr, true),
        ] {
            result.map_err(|error| gone(error.into()))?;
        }
        Ok(Process {
            child,
            stdin: Some(stdin),
            stdout,
            stderr,
            stderr_open: true,
            buffer: Vec::new(),
            last_words: VecDeque::new(),
            mark,
        })
    }

    /// Writes a line, without waiting for an answer.
    ///
    /// # Errors
    /// The process is gone, or does not read the line before `deadline`.
    pub(super) fn say(&mut self, line: &str, deadline: Instant) -> Result<(), Trouble> {
        let mut text = line.as_bytes().to_vec();
        text.push(b'\n');
        let mut said = 0;
        while said < text.len() {
            let Some(stdin) = &mut self.stdin else {
                return Err(Trouble::Gone("its input is closed".into()));
            };
            match stdin.write(&text[said..]) {
                Ok(n) => said += n,
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) if e.kind() == ErrorKind::WouldBlock => self.wait(true, deadline)?,
                Err(_) => return Err(self.gone("closed its input")),
            }
        }
        Ok(())
    }

    /// The next line that the process writes.
    ///
    /// # Errors
    /// No line before `deadline`, the process is gone, or the line is too long.
    pub(super) fn hear(&mut self, deadline: Instant) -> Result<String, Trouble> {
        let mut seen = 0;
        loop {
            if let Some(end) = self.buffer[seen..].iter().position(|&b| b == b'\n') {
                let rest = self.buffer.split_off(seen + end + 1);
                let line = std::mem::replace(&mut self.buffer, rest);
                return match String::from_utf8(line) {
                    Ok(line) => Ok(line.trim().to_string()),
                    Err(_) => Err(Trouble::Garbage("a line that is not text in UTF-8".into())),
                };
            }
            seen = self.buffer.len();
            if seen > LONGEST_LINE {
                return Err(Trouble::Garbage(format!("a line longer than {LONGEST_LINE} bytes")));
            }
            let mut chunk = [0; 1 << 14];
            match self.stdout.read(&mut chunk) {
                Ok(0) => return Err(self.gone("closed its output")),
                Ok(n) => self.buffer.extend_from_slice(&chunk[..n]),
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) if e.kind() == ErrorKind::WouldBlock => self.wait(false, deadline)?,
                Err(e) => return Err(self.gone(&format!("can't be heard: {e}"))),
            }
        }
    }

    /// Writes a line and waits for the first line that `take` accepts.
    ///
    /// # Errors
    /// As [`say`](Process::say) and [`hear`](Process::hear), or an error of `take`.
    pub(super) fn ask<T>(
        &mut self,
        line: &str,
        limit: Duration,
        mut take: impl FnMut(&str) -> Result<Option<T>, Trouble>,
    ) -> Result<T, Trouble> {
        let deadline = Instant::now() + limit;
        let late = |trouble| match trouble {
            Trouble::Late(_) => {
                Trouble::Late(format!("no answer within {:.3} s", limit.as_secs_f64()))
            }
            other => other,
        };
        self.say(line, deadline).map_err(late)?;
        let mut told = 0;
        loop {
            let line = self.hear(deadline).map_err(late)?;
            told += line.len() + 1;
            if let Some(answer) = take(&line)? {
                return Ok(answer);
            }
            if told > LONGEST_ANSWER {
                let text = format!("more than {LONGEST_ANSWER} bytes and no answer among them");
                return Err(Trouble::Garbage(text));
            }
        }
    }

    /// Waits until there is something to read (or room to write), reading stderr meanwhile.
    fn wait(&mut self, writing: bool, deadline: Instant) -> Result<(), Trouble> {
        let mut end = None;
        loop {
            let now = Instant::now();
            // A stopped match does not need the answer.
            if now >= deadline || ludex_core::deadline::stopped() {
                return Err(Trouble::Late("too late".into()));
            }
            // Short naps: a process may end while a child of it keeps the pipes open.
            let nap = (deadline - now).min(Duration::from_millis(50));
            let nap = if end.is_some() { Duration::ZERO } else { nap };
            let (ready, errors) = {
                let mut pipes = Vec::with_capacity(2);
                match &self.stdin {
                    Some(stdin) if writing => pipes.push(PollFd::new(stdin, PollFlags::OUT)),
                    _ => pipes.push(PollFd::new(&self.stdout, PollFlags::IN)),
                }
                if self.stderr_open {
                    pipes.push(PollFd::new(&self.stderr, PollFlags::IN));
                }
                let nap = Timespec { tv_sec: 0, tv_nsec: i64::from(nap.subsec_nanos()) };
                match poll(&mut pipes, Some(&nap)) {
                    Ok(_) | Err(rustix::io::Errno::INTR) => {}
                    Err(error) => return Err(Trouble::Gone(error.to_string())),
                }
                let ready =
                    |pipe: Option<&PollFd<'_>>| pipe.is_some_and(|p| !p.revents().is_empty());
                (ready(pipes.first()), ready(pipes.get(1)))
            };
            if errors {
                self.read_stderr();
            }
            if ready {
                return Ok(());
            }
            // The process may have answered just before it ended: look once more.
            if let Some(status) = end {
                return Err(Trouble::Gone(ended(status)));
            }
            end = self.child.try_wait().ok().flatten();
        }
    }

    /// Reads stderr and keeps the last bytes.
    fn read_stderr(&mut self) {
        let mut chunk = [0; 1 << 14];
        // A bot that floods stderr must not keep the referee busy: read a limited amount at a time.
        for _ in 0..16 {
            match self.stderr.read(&mut chunk) {
                Ok(0) => {
                    self.stderr_open = false;
                    return;
                }
                Ok(n) => self.last_words.extend(&chunk[..n]),
                Err(_) => break,
            }
            let excess = self.last_words.len().saturating_sub(LAST_WORDS);
            self.last_words.drain(..excess);
        }
    }

    /// The last lines of stderr.
    pub(super) fn last_words(&mut self) -> String {
        self.read_stderr();
        let bytes: Vec<u8> = self.last_words.iter().copied().collect();
        String::from_utf8_lossy(&bytes).trim().to_string()
    }

    /// How the process ended; `what` where it has not ended yet.
    fn gone(&mut self, what: &str) -> Trouble {
        // The process may end a moment after its pipes close.
        for _ in 0..20 {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Trouble::Gone(ended(status));
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Trouble::Gone(format!("it {what}"))
    }

    /// Closes the standard input of the process.
    pub(super) fn close_input(&mut self) {
        self.stdin = None;
    }

    /// Waits for the end of the process; `false` where it does not end in time.
    pub(super) fn ends_within(&mut self, limit: Duration) -> bool {
        let deadline = Instant::now() + limit;
        loop {
            if let Ok(Some(_)) = self.child.try_wait() {
                return true;
            }
            if Instant::now() >= deadline {
                return false;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Ends the process and everything that it started.
    fn kill(&mut self) {
        if let Some(group) = rustix::process::Pid::from_raw(self.child.id() as i32) {
            let _ = rustix::process::kill_process_group(group, Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
        // A child may have left the group; it still carries the mark.
        let mark = format!("{MARK}={}", self.mark);
        for _ in 0..10 {
            let marked = marked(mark.as_bytes());
            if marked.is_empty() {
                break;
            }
            for pid in marked {
                let _ = rustix::process::kill_process(pid, Signal::KILL);
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

fn ended(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("it ended with status {code}"),
        (None, Some(signal)) => format!("it was ended by signal {signal}"),
        _ => "it ended".into(),
    }
}

/// The processes whose environment holds `mark`.
fn marked(mark: &[u8]) -> Vec<rustix::process::Pid> {
    let Ok(folder) = std::fs::read_dir("/proc") else { return Vec::new() };
    let holds = |pid: i32| {
        std::fs::read(format!("/proc/{pid}/environ"))
            .is_ok_and(|text| text.split(|&b| b == 0).any(|variable| variable == mark))
    };
    folder
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<i32>().ok())
        .filter(|&pid| holds(pid))
        .filter_map(rustix::process::Pid::from_raw)
        .collect()
}
