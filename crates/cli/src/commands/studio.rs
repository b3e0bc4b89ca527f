//! `ludex studio`

use crate::{output, stop};
use anyhow::Context;
use clap::Args;
use ludex_studio::{Limits, Server, Settings};
use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

/// Play, analyse, replay and edit games in the browser
#[derive(Args)]
#[command(after_help = "Examples:
  ludex studio                                  open the page in the browser
  ludex studio --port 8080 --no-open            print the address only
  ludex studio --db games.db                    replay stored games, keep tournaments
  LUDEX_PATH=my-games ludex studio              offer the games of a folder, too

The first line on stdout is the address of the page. The server answers this computer only; with --address it answers \
others, too, and the address of the page then holds a secret token. docs/studio.md explains the page.")]
pub(crate) struct Studio {
    /// The port (default: any free port)
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// Do not open a browser
    #[arg(long)]
    no_open: bool,
    /// The database of games: a file, or postgres://USER@HOST/NAME
    #[arg(long, default_value = "ludex.db", value_name = "FILE|URL")]
    db: String,
    /// The address to listen on
    #[arg(long, default_value = "127.0.0.1")]
    address: IpAddr,
    /// Another name of this server, as a proxy uses it; may be given several times
    #[arg(long = "host", value_name = "NAME")]
    hosts: Vec<String>,
    /// The path below which a proxy shows the page, such as /ludex
    #[arg(long, default_value = "", value_name = "PATH")]
    prefix: String,
    /// The folder in which drafts of rules are kept (default: `drafts` in the folder of the user's data)
    #[arg(long, value_name = "DIR")]
    drafts: Option<PathBuf>,
    /// How many searches run at the same time (default: one more than there are cores)
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    searches: Option<u16>,
    /// Show the page from this folder instead of the one in the binary, for work on the page
    #[arg(long, value_name = "DIR", hide = true)]
    page: Option<PathBuf>,
}

impl Studio {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        stop::control();
        let limits = Limits::default();
        let searches = self.searches.map_or(limits.searches, usize::from);
        let settings = Settings {
            address: self.address,
            port: self.port,
            db: Some(self.db),
            hosts: self.hosts,
            prefix: self.prefix,
            limits: Limits { searches, ..limits },
            drafts: self.drafts.or_else(|| data().map(|data| data.join("drafts"))),
            page: self.page,
        };
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .context("can't start the server")?;
        runtime.block_on(async {
            let server = Server::bind(settings)
                .await
                .with_context(|| format!("can't listen on {}:{}", self.address, self.port))?;
            let url = server.url();
            output::line(&url)?;
            if !self.no_open && open::that_detached(&url).is_err() {
                eprintln!("no browser could be opened; the page is at the address above");
            }
            server.run(stopped()).await.context("the server failed")
        })?;
        runtime.shutdown_timeout(Duration::from_millis(500));
        Ok(())
    }
}

/// The folder of the user's data: `LUDEX_DATA`, or what the system uses for it.
fn data() -> Option<PathBuf> {
    let folder =
        |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = |below: &str| Some(folder("HOME")?.join(below));
    let systems = || {
        if cfg!(windows) {
            folder("APPDATA")
        } else if cfg!(target_os = "macos") {
            home("Library/Application Support")
        } else {
            folder("XDG_DATA_HOME").or_else(|| home(".local/share"))
        }
    };
    folder("LUDEX_DATA").or_else(|| Some(systems()?.join("ludex")))
}

/// Ready after Ctrl-C.
async fn stopped() {
    while !stop::asked() {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}
