//! The documents: links lead somewhere, examples run, the generated pages are those of this program.

use assert_cmd::Command;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn ludex(folder: &Path, args: &[String]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludex"));
    let output = command.args(args).current_dir(folder).write_stdin("").output().unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "ludex {}: {complaint}", args.join(" "));
    String::from_utf8(output.stdout).unwrap()
}

fn words(line: &str) -> Vec<String> {
    shlex::split(line).unwrap()
}

/// All documents: the pages in `docs`, and those at the root of the project.
fn pages() -> Vec<PathBuf> {
    let folders = [root(), root().join("docs")];
    let files = folders.iter().flat_map(|folder| std::fs::read_dir(folder).unwrap());
    let paths = files.map(|entry| entry.unwrap().path());
    let mut pages: Vec<PathBuf> = paths.filter(|p| p.extension().is_some_and(|e| e == "md")).collect();
    pages.sort();
    pages
}

#[test]
fn every_link_leads_to_a_file() {
    let mut links = 0;
    for page in pages() {
        let text = std::fs::read_to_string(&page).unwrap();
        for part in text.split("](").skip(1) {
            let target = part.split(')').next().unwrap_or_default();
            let file = target.split('#').next().unwrap_or_default();
            if file.is_empty() || file.contains("://") || file.starts_with("mailto:") {
                continue;
            }
            links += 1;
            assert!(page.with_file_name("").join(file).exists(), "{}: {target}", page.display());
        }
    }
    assert!(links > 50, "{links}");
}

#[test]
fn every_page_is_listed_in_the_summary() {
    let summary = std::fs::read_to_string(root().join("docs/SUMMARY.md")).unwrap();
    for page in pages().iter().filter(|page| page.parent().unwrap().ends_with("docs")) {
        let name = page.file_name().unwrap().to_string_lossy();
        assert!(name == "SUMMARY.md" || summary.contains(&format!("({name})")), "{name}");
    }
}

#[test]
fn the_examples_of_the_tutorial_run() {
    for page in ["tutorial.md", "first-description.md", "statistics.md"] {
        let text = std::fs::read_to_string(root().join("docs").join(page)).unwrap();
        let lines: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("$ ludex ")).collect();
        assert!(!lines.is_empty(), "{page}");
        for line in lines {
            ludex(&root(), &words(line));
        }
    }
}

/// The blocks of a page in a language.
fn blocks(page: &str, language: &str) -> Vec<String> {
    let text = std::fs::read_to_string(root().join("docs").join(page)).unwrap();
    let mark = format!("```{language}\n");
    let parts = text.split(&mark).skip(1).map(|part| part.split("```").next().unwrap_or_default());
    parts.map(str::to_owned).collect()
}

#[test]
fn the_games_and_the_agent_of_the_tutorial_work() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let run = |line: &str| ludex(folder.path(), &words(line));
    write("matches.kif", &blocks("first-rule-sheet.md", "lisp")[0]);
    assert!(run("check matches.kif --play 100").contains("0 errors, 0 warnings"));
    assert!(run("advise kif:matches.kif --agent alphabeta").contains("first should play (take 1)"));
    let described = blocks("first-description.md", "lisp");
    write("four.lud", &described[0]);
    assert!(run("check four.lud").contains("0 errors"));
    let sized = described[0].replace("(square 4)", "(square <Board:size>)") + &described[1];
    write("sized.lud", &sized);
    assert!(run("show 'lud:sized.lud(5)'").contains("a b c d e"));
    write("better.toml", &blocks("first-agent.md", "toml")[0]);
    run("arena run better.toml --dry-run");
}

/// A generated page: the text must be that of this program. `LUDEX_BLESS=1` writes it.
fn generated(name: &str, text: &str) {
    let path = root().join("docs").join(name);
    if std::env::var_os("LUDEX_BLESS").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == text, "docs/{name} is old: LUDEX_BLESS=1 cargo test -p ludex --test it docs");
}

/// The names of the subcommands in a help text.
fn subcommands(help: &str) -> Vec<String> {
    let list = help.split("Commands:\n").nth(1).unwrap_or_default();
    let lines = list.lines().take_while(|line| line.starts_with("  "));
    let names = lines.filter(|line| !line.starts_with("    ")).filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

#[test]
fn the_page_of_commands_is_that_of_this_program() {
    let mut text = String::from(
        "# Commands\n\nThis page is made from the help of the program; `ludex help COMMAND` prints a part of it.\n",
    );
    let help = |path: &[String]| {
        let mut args = path.to_vec();
        args.push("--help".into());
        ludex(&root(), &args)
    };
    for command in subcommands(&help(&[])) {
        let path = vec![command.clone()];
        let shown = help(&path);
        text.push_str(&format!("\n## ludex {command}\n\n```text\n{}\n```\n", shown.trim_end()));
        for part in subcommands(&shown) {
            let shown = help(&[command.clone(), part.clone()]);
            text.push_str(&format!("\n### ludex {command} {part}\n\n```text\n{}\n```\n", shown.trim_end()));
        }
    }
    generated("commands.md", &text);
}

#[test]
fn the_pages_of_agents_and_games_are_those_of_this_program() {
    let cell = |text: &str| text.replace('|', "\\|");
    let mut agents = String::from(
        "# Agents\n\nThis page is made from the catalogue of the program; `ludex agents NAME` prints one agent.\n",
    );
    for line in ludex(&root(), &words("agents --json")).lines() {
        let agent: serde_json::Value = serde_json::from_str(line).unwrap();
        let text = |key: &str| agent[key].as_str().unwrap_or_default().to_owned();
        agents.push_str(&format!("\n## {}\n\n{}.\n", text("agent"), text("summary")));
        let parameters = agent["parameters"].as_array().cloned().unwrap_or_default();
        if !parameters.is_empty() {
            agents.push_str("\n| parameter | default | values | meaning |\n|---|---|---|---|\n");
        }
        for parameter in parameters {
            let text = |key: &str| cell(parameter[key].as_str().unwrap_or_default());
            agents.push_str(&format!(
                "| `{}` | `{}` | {} | {} |\n",
                text("name"), text("default"), text("values"), text("meaning")
            ));
        }
    }
    generated("agents.md", &agents);
    let mut games = String::from(
        "# Games\n\nThis page is made from the list of the program; `ludex show GAME` describes one game.\n\n\
         | game | language | title | parameters |\n|---|---|---|---|\n",
    );
    for line in ludex(&root(), &words("games --json")).lines() {
        let game: serde_json::Value = serde_json::from_str(line).unwrap();
        let text = |key: &str| game[key].as_str().unwrap_or_default().to_owned();
        let parameters = game["parameters"].as_array().cloned().unwrap_or_default();
        let parameters: Vec<String> = parameters
            .iter()
            .map(|p| {
                let text = |key: &str| p[key].as_str().unwrap_or_default().to_owned();
                format!("`{}={}`", text("name"), text("default"))
            })
            .collect();
        games.push_str(&format!(
            "| `{}` | {} | {} | {} |\n",
            text("game"), text("language"), cell(&text("title")), parameters.join(" ")
        ));
    }
    generated("games.md", &games);
}
