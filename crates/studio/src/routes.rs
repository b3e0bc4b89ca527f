//! The addresses of the server.

use crate::error::{Error, Result, panic_text};
use crate::export;
use crate::studio::Studio;
use crate::table::{Named, Table, Viewer};
use crate::wire::{
    AgentInfo, Control, DraftInfo, GameDetail, GameList, Insight, MakeMove, MapInfo, NewRun,
    NewTable, Playouts, RulesReport, RulesText, RunInfo, RunReport, Setting, Snapshot, StoredInfo,
    TableKeys, WordHelp,
};
use crate::{assets, driver, insight, live, openapi, players, rules, shelf, snapshot};
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use ludex_core::Game;
use ludex_draw::Marks;
use serde::Deserialize;
use std::sync::Arc;
use tokio::sync::Semaphore;

type Here = State<Arc<Studio>>;

/// The parameters of an address.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
struct Asked {
    game: String,
    /// The keys of the viewer, with commas between them.
    key: String,
    seat: Option<u8>,
    reveal: bool,
    node: Option<u32>,
    known: u32,
    format: String,
    language: String,
    from: u64,
}

/// All addresses.
pub(crate) fn router(studio: Arc<Studio>) -> Router {
    Router::new()
        .route("/api/games", get(games))
        .route("/api/game", get(game))
        .route("/api/thumbnail", get(thumbnail))
        .route("/api/playouts", get(playouts))
        .route("/api/agents", get(agents))
        .route("/api/tables", post(new_table))
        .route("/api/tables/{table}", get(setting))
        .route("/api/tables/{table}/snapshot", get(look))
        .route("/api/tables/{table}/move", post(make))
        .route("/api/tables/{table}/control", post(control))
        .route("/api/tables/{table}/seat", post(reseat))
        .route("/api/tables/{table}/preview", post(preview))
        .route("/api/tables/{table}/export", get(export_file))
        .route("/api/tables/{table}/live", get(stream))
        .route("/api/rules", post(check_rules))
        .route("/api/words", get(words))
        .route("/api/drafts", get(drafts).post(keep_draft).delete(forget_draft))
        .route("/api/insight", get(look_into))
        .route("/api/map", get(map))
        .route("/api/runs", get(runs).post(new_run))
        .route("/api/runs/{run}", get(run))
        .route("/api/runs/{run}/stop", post(stop_run))
        .route("/api/runs/{run}/games", get(run_games))
        .route("/api/runs/{run}/games/{number}", post(open_stored))
        .route("/api/openapi.json", get(description))
        .fallback(get(page))
        .with_state(studio)
}

/// Work that loads rules or reads the database.
async fn work<T: Send + 'static>(
    studio: &Arc<Studio>,
    job: impl FnOnce(&Arc<Studio>) -> Result<T> + Send + 'static,
) -> Result<T> {
    run_blocking(studio, &studio.loads, job).await
}

/// Work at a table, whose rules are loaded.
async fn quick<T: Send + 'static>(
    studio: &Arc<Studio>,
    job: impl FnOnce(&Arc<Studio>) -> Result<T> + Send + 'static,
) -> Result<T> {
    run_blocking(studio, &studio.moves, job).await
}

/// Runs work outside of the threads that answer requests. A panic is an error of this request alone.
async fn run_blocking<T: Send + 'static>(
    studio: &Arc<Studio>,
    permits: &Arc<Semaphore>,
    job: impl FnOnce(&Arc<Studio>) -> Result<T> + Send + 'static,
) -> Result<T> {
    let permit = permits.clone().acquire_owned().await;
    let permit = permit.map_err(|_| Error::Busy("the server stops".into()))?;
    let here = studio.clone();
    let done = tokio::task::spawn_blocking(move || {
        let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| job(&here)));
        drop(permit);
        done
    });
    match done.await {
        Ok(Ok(result)) => result,
        Ok(Err(panic)) => Err(Error::Fault(panic_text(&*panic))),
        Err(error) => Err(Error::Fault(error.to_string())),
    }
}

async fn page(State(studio): Here, uri: Uri, headers: HeaderMap) -> Response {
    assets::file(uri.path().trim_start_matches('/'), &headers, studio.page.as_deref())
}

async fn description() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], openapi::text()).into_response()
}

async fn games(State(studio): Here) -> Json<GameList> {
    Json(studio.shelf.list())
}

async fn game(State(studio): Here, Query(asked): Query<Asked>) -> Result<Json<GameDetail>> {
    work(&studio, move |studio| {
        let game = studio.shelf.open(&asked.game)?;
        let info = game.info();
        let (agents, usual) = players::able(info);
        let bare = asked.game.split('(').next().unwrap_or_default();
        let native = ludex_games::catalog().iter().find(|entry| entry.name == bare);
        let (rules, options) = match studio.shelf.text(&asked.game) {
            Some((text, options)) => (Some(text), options),
            None => (None, Vec::new()),
        };
        Ok(Json(GameDetail {
            name: asked.game.clone(),
            title: info.title.clone(),
            facts: shelf::facts(&game),
            agents,
            usual,
            params: native.map(|entry| shelf::params(&entry.params())).unwrap_or_default(),
            options,
            rules,
        }))
    })
    .await
}

async fn thumbnail(State(studio): Here, Query(asked): Query<Asked>) -> Result<Response> {
    let svg = run_blocking(&studio, &studio.pictures, move |studio| {
        let game = studio.shelf.open(&asked.game)?;
        Ok(ludex_draw::svg(&game.scene(), &game.view(&game.start(), None), &Marks::default()))
    });
    let headers =
        [(header::CONTENT_TYPE, "image/svg+xml"), (header::CACHE_CONTROL, "max-age=3600")];
    Ok((headers, svg.await?).into_response())
}

async fn playouts(State(studio): Here, Query(asked): Query<Asked>) -> Result<Json<Playouts>> {
    work(&studio, move |studio| Ok(Json(rules::playouts(&studio.shelf.open(&asked.game)?)))).await
}

async fn agents() -> Json<Vec<AgentInfo>> {
    Json(players::list())
}

async fn new_table(State(studio): Here, Json(new): Json<NewTable>) -> Result<Json<TableKeys>> {
    work(&studio, move |studio| {
        let game = studio.shelf.open(&new.game)?;
        let table = Table::new(game, &new, studio.searches.clone())?;
        Ok(Json(studio.seat(table)?))
    })
    .await
}

fn viewer(table: &Table, asked: &Asked) -> Viewer {
    table.viewer(&asked.key, asked.seat, asked.reveal)
}

async fn setting(State(studio): Here, Path(id): Path<String>) -> Result<Json<Setting>> {
    let table = studio.table(&id)?;
    quick(&studio, move |_| Ok(Json(snapshot::setting(&table)))).await
}

async fn look(
    State(studio): Here,
    Path(id): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Json<Snapshot>> {
    let table = studio.table(&id)?;
    quick(&studio, move |_| {
        driver::wake(&table);
        let node = asked.node.map(|node| node as usize);
        let viewer = viewer(&table, &asked);
        Ok(Json(snapshot::snapshot(&table, &viewer, node, asked.known as usize)?))
    })
    .await
}

async fn make(
    State(studio): Here,
    Path(id): Path<String>,
    Query(asked): Query<Asked>,
    Json(made): Json<MakeMove>,
) -> Result<Json<Snapshot>> {
    let table = studio.table(&id)?;
    quick(&studio, move |_| {
        let viewer = viewer(&table, &asked);
        let named = match (&made.text, made.index) {
            (Some(text), _) => Named::Text(text),
            (None, Some(index)) => Named::Index(index as usize),
            (None, None) => return Err(Error::Bad("which move?".into())),
        };
        table.make(&viewer, made.node as usize, made.seat, &named)?;
        driver::wake(&table);
        Ok(Json(snapshot::snapshot(&table, &viewer, None, made.known as usize)?))
    })
    .await
}

async fn control(
    State(studio): Here,
    Path(id): Path<String>,
    Query(asked): Query<Asked>,
    Json(control): Json<Control>,
) -> Result<Json<Snapshot>> {
    let table = studio.table(&id)?;
    quick(&studio, move |_| {
        let viewer = viewer(&table, &asked);
        if control.undo {
            table.undo(&viewer)?;
        }
        if let Some(node) = control.live {
            table.set_live(&viewer, node as usize)?;
        }
        if let Some(seat) = control.resign {
            table.resign(&viewer, seat)?;
        }
        if control.paused.is_some() || control.pace.is_some() {
            table.pause(&viewer, control.paused, control.pace)?;
        }
        driver::wake(&table);
        Ok(Json(snapshot::snapshot(&table, &viewer, None, control.known as usize)?))
    })
    .await
}

async fn reseat(
    State(studio): Here,
    Path(id): Path<String>,
    Query(asked): Query<Asked>,
    Json(control): Json<Control>,
) -> Result<Json<TableKeys>> {
    let table = studio.table(&id)?;
    quick(&studio, move |_| {
        let Some((seat, who)) = &control.seat else { return Err(Error::Bad("which seat?".into())) };
        let key = table.reseat(&viewer(&table, &asked), *seat, who)?;
        driver::wake(&table);
        let mut keys = vec![None; table.game.info().seats()];
        if let Some(place) = keys.get_mut(usize::from(*seat)) {
            *place = key;
        }
        Ok(Json(TableKeys { table: table.id.clone(), keys }))
    })
    .await
}

/// The pieces after a line of moves that is not played.
async fn preview(
    State(studio): Here,
    Path(id): Path<String>,
    Query(asked): Query<Asked>,
    Json(line): Json<Vec<String>>,
) -> Result<Json<String>> {
    let table = studio.table(&id)?;
    quick(&studio, move |_| {
        let viewer = viewer(&table, &asked);
        Ok(Json(snapshot::preview(&table, &viewer, asked.node.unwrap_or(0) as usize, &line)?))
    })
    .await
}

async fn export_file(
    State(studio): Here,
    Path(id): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Response> {
    let table = studio.table(&id)?;
    // Pictures in pixels take a while: they must not keep moves waiting.
    let permits = if asked.format == "gif" { &studio.pictures } else { &studio.moves };
    let (kind, ending, content) = run_blocking(&studio, permits, move |_| {
        let node = asked.node.map(|node| node as usize);
        export::file(&table, &viewer(&table, &asked), node, &asked.format)
    })
    .await?;
    let name = format!("attachment; filename=\"game.{ending}\"");
    let headers = [(header::CONTENT_TYPE, kind.to_string()), (header::CONTENT_DISPOSITION, name)];
    Ok((headers, content).into_response())
}

async fn stream(
    State(studio): Here,
    Path(id): Path<String>,
    Query(asked): Query<Asked>,
    upgrade: WebSocketUpgrade,
) -> Result<Response> {
    let table = studio.table(&id)?;
    let Ok(permit) = studio.pages.clone().try_acquire_owned() else {
        return Err(Error::Busy("too many pages are open".into()));
    };
    let upgrade = upgrade.max_message_size(1 << 16).max_frame_size(1 << 16);
    Ok(upgrade.on_upgrade(async move |socket| {
        live::serve(socket, table, asked.key).await;
        drop(permit);
    }))
}

async fn check_rules(
    State(studio): Here,
    Json(text): Json<RulesText>,
) -> Result<Json<RulesReport>> {
    work(&studio, move |studio| Ok(Json(rules::report(&studio.shelf, &text)?))).await
}

async fn drafts(State(studio): Here) -> Result<Json<Vec<DraftInfo>>> {
    work(&studio, |studio| Ok(Json(studio.shelf.kept.list()))).await
}

async fn keep_draft(State(studio): Here, Json(text): Json<RulesText>) -> Result<Json<DraftInfo>> {
    work(&studio, move |studio| Ok(Json(rules::keep(&studio.shelf, &text)?))).await
}

async fn forget_draft(State(studio): Here, Query(asked): Query<Asked>) -> Result<Json<()>> {
    work(&studio, move |studio| Ok(Json(studio.shelf.kept.forget(&asked.game)?))).await
}

async fn look_into(State(studio): Here, Query(asked): Query<Asked>) -> Result<Json<Insight>> {
    work(&studio, move |studio| Ok(Json(insight::insight(&studio.shelf.open(&asked.game)?)))).await
}

async fn map(State(studio): Here) -> Json<MapInfo> {
    Json(studio.atlas.look(&studio.shelf))
}

async fn words(Query(asked): Query<Asked>) -> Json<Vec<WordHelp>> {
    Json(rules::words(&asked.language))
}

async fn runs(State(studio): Here) -> Result<Json<Vec<RunInfo>>> {
    work(&studio, |studio| Ok(Json(studio.runs.list()?))).await
}

async fn run(State(studio): Here, Path(name): Path<String>) -> Result<Json<RunReport>> {
    work(&studio, move |studio| Ok(Json(studio.runs.report(&name)?))).await
}

async fn new_run(State(studio): Here, Json(new): Json<NewRun>) -> Result<Json<String>> {
    work(&studio, move |studio| Ok(Json(studio.runs.start(&studio.shelf, &new.toml)?))).await
}

async fn stop_run(State(studio): Here, Path(name): Path<String>) -> Json<()> {
    studio.runs.stop(&name);
    Json(())
}

async fn run_games(
    State(studio): Here,
    Path(name): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Json<Vec<StoredInfo>>> {
    work(&studio, move |studio| Ok(Json(studio.runs.games(&name, asked.from)?))).await
}

async fn open_stored(
    State(studio): Here,
    Path((name, number)): Path<(String, u64)>,
) -> Result<Json<TableKeys>> {
    work(&studio, move |studio| {
        let searches = studio.searches.clone();
        let table = studio.runs.open(&studio.shelf, (&name, number), searches)?;
        Ok(Json(studio.seat(table)?))
    })
    .await
}
