// Generated from crates/studio/src/wire by `LUDEX_UPDATE=1 cargo test -p ludex-studio types`.

export type GameCard = { 
/**
 * The name that opens it.
 */
name: string, 
/**
 * The title for people.
 */
title: string, 
/**
 * `native`, `kif` or `lud`.
 */
kind: string, 
/**
 * The folder of a game of `LUDEX_PATH`; empty for built-in games.
 */
folder: string, 
/**
 * Its properties, once the server has loaded it.
 */
facts: GameFacts | null, };
export type GameFacts = { 
/**
 * The seats.
 */
players: Array<string>, 
/**
 * Has it hidden information?
 */
hidden: boolean, 
/**
 * Does chance move?
 */
chance: boolean, 
/**
 * Do players move at the same time?
 */
simultaneous: boolean, 
/**
 * The number of sites; 0 where there is no board.
 */
sites: number, 
/**
 * How the board is painted.
 */
painter: string, 
/**
 * Why it cannot be opened.
 */
error: string | null, };
export type GameList = { 
/**
 * The games.
 */
games: Array<GameCard>, 
/**
 * Are the facts of all games known?
 */
complete: boolean, };
export type GameDetail = { 
/**
 * The name that opens it.
 */
name: string, 
/**
 * The title for people.
 */
title: string, 
/**
 * Its properties.
 */
facts: GameFacts, 
/**
 * The agents that can play it.
 */
agents: Array<string>, 
/**
 * The agent that plays it by default.
 */
usual: string, 
/**
 * Parameters of a native game.
 */
params: Array<ParamInfo>, 
/**
 * Options of a description: a heading and its items.
 */
options: Array<OptionInfo>, 
/**
 * The text of the rules, where they are a text.
 */
rules: string | null, };
export type OptionInfo = { 
/**
 * The heading.
 */
heading: string, 
/**
 * The items; the first is the default.
 */
items: Array<string>, };
export type ParamInfo = { 
/**
 * The key.
 */
key: string, 
/**
 * The values, for people.
 */
kind: string, 
/**
 * The words that it takes, if these are all.
 */
words: Array<string>, 
/**
 * The default.
 */
default: string, 
/**
 * The meaning.
 */
meaning: string, };
export type AgentInfo = { 
/**
 * The name.
 */
name: string, 
/**
 * One line on how it chooses its moves.
 */
summary: string, 
/**
 * The games that it plays.
 */
plays: string, 
/**
 * Its parameters.
 */
params: Array<ParamInfo>, };
export type Setting = { 
/**
 * The table.
 */
table: string, 
/**
 * The name of the game.
 */
game: string, 
/**
 * The title of the game.
 */
title: string, 
/**
 * The properties of the game.
 */
facts: GameFacts, 
/**
 * The board.
 */
board: BoardInfo, 
/**
 * The agents that can play the game.
 */
agents: Array<string>, 
/**
 * The agent that plays it by default.
 */
usual: string, 
/**
 * The position in which the game began, where it is not the usual start.
 */
position: string | null, 
/**
 * The notation of its community in which the game can be written: `PGN` or `SGF`.
 */
notation: string | null, 
/**
 * The seed.
 */
seed: number, };
export type BoardInfo = { 
/**
 * The `viewBox` of the picture.
 */
view_box: string, 
/**
 * The board as an SVG fragment.
 */
svg: string, 
/**
 * The sites.
 */
sites: Array<SiteInfo>, 
/**
 * The kinds of pieces.
 */
pieces: Array<PieceInfo>, 
/**
 * The colours of the seats, where the game names them.
 */
colours: Array<string>, };
export type SiteInfo = { 
/**
 * The centre.
 */
x: number, 
/**
 * The centre.
 */
y: number, 
/**
 * The distance to the nearest other site, at most 1.
 */
size: number, 
/**
 * The corners of a cell, or the ends of an edge.
 */
points: Array<[number, number]>, 
/**
 * `cell`, `vertex` or `edge`.
 */
kind: string, 
/**
 * The coordinate for people.
 */
label: string, 
/**
 * The name of its container where that is not the board, such as a hand.
 */
place: string | null, 
/**
 * The nearest sites by direction.
 */
neighbours: { [key in string]: number }, };
export type PieceInfo = { 
/**
 * The name for people.
 */
name: string, 
/**
 * One or two letters.
 */
letters: string, 
/**
 * The seat that owns it.
 */
owner: number | null, };
export type NewTable = { 
/**
 * The name of the game.
 */
game: string, 
/**
 * The position, where it is not the usual start.
 */
position: string | null, 
/**
 * Steps made since: one line a step, ` | ` between moves that are made at once.
 */
moves: string | null, 
/**
 * `human`, `usual` (the default agent), or the name of an agent with its budget, by seat.
 */
seats: Array<string>, 
/**
 * The seed of all randomness.
 */
seed: number | null, 
/**
 * Milliseconds between two moves of agents.
 */
pace: number, 
/**
 * Do the agents wait until they are told to go on?
 */
paused: boolean, };
export type TableKeys = { 
/**
 * The table.
 */
table: string, 
/**
 * The key of each human seat.
 */
keys: Array<string | null>, };
export type Step = { 
/**
 * Its number.
 */
id: number, 
/**
 * The step before it; `None` for the start.
 */
parent: number | null, 
/**
 * The number of steps from the start.
 */
ply: number, 
/**
 * The move as text.
 */
text: string, 
/**
 * The seats that moved; empty for chance, or where the viewer may not know.
 */
movers: Array<number>, 
/**
 * Where it begins.
 */
from: number | null, 
/**
 * Where it ends.
 */
to: number | null, 
/**
 * The expected payoff of each seat after the step, where it is known.
 */
values: Array<number> | null, };
export type MoveInfo = { 
/**
 * Its index in the list of legal moves of its seat.
 */
index: number, 
/**
 * The seat.
 */
seat: number, 
/**
 * The text.
 */
text: string, 
/**
 * Where it begins.
 */
from: number | null, 
/**
 * Where it ends.
 */
to: number | null, };
export type SeatInfo = { 
/**
 * The name of the seat.
 */
name: string, 
/**
 * `human`, or the name of the agent.
 */
agent: string, 
/**
 * Does the viewer hold its key?
 */
yours: boolean, 
/**
 * Is its agent thinking, or has its person not chosen yet?
 */
waiting: boolean, };
export type Snapshot = { 
/**
 * The table.
 */
table: string, 
/**
 * Grows with every change of the table.
 */
version: number, 
/**
 * The step whose position this is.
 */
node: number, 
/**
 * The last step of the game.
 */
live: number, 
/**
 * The first step of `steps`; the page knows the steps before it.
 */
first: number, 
/**
 * The steps from `first` on.
 */
steps: Array<Step>, 
/**
 * The seats.
 */
seats: Array<SeatInfo>, 
/**
 * The seat whose view this is; `None`: everything is shown.
 */
viewer: number | null, 
/**
 * Is a part of the position hidden from the viewer?
 */
hides: boolean, 
/**
 * May the viewer ask for the whole position?
 */
may_reveal: boolean, 
/**
 * The pieces as an SVG fragment.
 */
svg: string, 
/**
 * The pieces as data.
 */
pieces: Array<PlacedInfo>, 
/**
 * The dice.
 */
dice: Array<number>, 
/**
 * Named numbers beside the board.
 */
counters: Array<[string, string]>, 
/**
 * The position as text where no board can show it.
 */
facts: string, 
/**
 * The position in the notation of the game, where the viewer may see it.
 */
position: string | null, 
/**
 * `over`, `chance`, `one` or `joint`.
 */
turn: string, 
/**
 * The seats that move, as far as the viewer may know.
 */
movers: Array<number>, 
/**
 * The legal moves that the viewer may make here.
 */
moves: Array<MoveInfo>, 
/**
 * The payoffs of a finished game.
 */
payoffs: Array<number> | null, 
/**
 * The seat that resigned.
 */
resigned: number | null, 
/**
 * Do the agents wait until they are told to go on?
 */
paused: boolean, 
/**
 * Milliseconds between two moves of agents.
 */
pace: number, 
/**
 * A message for people, such as the reason why an agent failed.
 */
note: string | null, };
export type PlacedInfo = { 
/**
 * The site.
 */
site: number, 
/**
 * The kind of piece; `None`: unknown to the viewer.
 */
piece: number | null, 
/**
 * How many.
 */
count: number, 
/**
 * The seat that owns it.
 */
owner: number | null, 
/**
 * Its state or value.
 */
state: number | null, };
export type MakeMove = { 
/**
 * The step after which the move is made.
 */
node: number, 
/**
 * The seat.
 */
seat: number, 
/**
 * The index in the list of legal moves.
 */
index: number | null, 
/**
 * The text of the move, or a short form that leaves no doubt.
 */
text: string | null, 
/**
 * The number of steps that the page knows.
 */
known: number, };
export type Control = { 
/**
 * Wait, or go on.
 */
paused: boolean | null, 
/**
 * Milliseconds between two moves of agents.
 */
pace: number | null, 
/**
 * Takes the last move of a person back, with the answers to it.
 */
undo: boolean, 
/**
 * Makes this step the last one of the game.
 */
live: number | null, 
/**
 * This seat resigns.
 */
resign: number | null, 
/**
 * The agent of a seat (`human`, or a name), from now on.
 */
seat: [number, string] | null, 
/**
 * The number of steps that the page knows.
 */
known: number, };
export type ThoughtInfo = { 
/**
 * Which of the analyses of the page.
 */
slot: number, 
/**
 * The step.
 */
node: number, 
/**
 * The agent.
 */
agent: string, 
/**
 * The seat for which it thinks.
 */
seat: number, 
/**
 * Milliseconds since it began.
 */
ms: number, 
/**
 * Simulations.
 */
sims: number, 
/**
 * Nodes.
 */
nodes: number, 
/**
 * Depth.
 */
depth: number, 
/**
 * The expected payoff of the seat.
 */
value: number | null, 
/**
 * Is the value certain?
 */
proven: boolean, 
/**
 * Has it finished?
 */
done: boolean, 
/**
 * The moves, best first.
 */
candidates: Array<CandidateInfo>, 
/**
 * The worlds that it holds possible.
 */
belief: BeliefInfo | null, 
/**
 * Remarks.
 */
notes: Array<string>, };
export type CandidateInfo = { 
/**
 * The text.
 */
text: string, 
/**
 * Where it begins.
 */
from: number | null, 
/**
 * Where it ends.
 */
to: number | null, 
/**
 * How often it was tried.
 */
visits: number, 
/**
 * The payoff that it promises.
 */
value: number, 
/**
 * The 95 % interval of the value.
 */
low: number, 
/**
 * The 95 % interval of the value.
 */
high: number, 
/**
 * Is the value certain?
 */
proven: boolean, 
/**
 * How play would go on.
 */
line: Array<string>, 
/**
 * Wins, neutral results and losses of simulated games by the depth at which they ended.
 */
depths: Array<[number, number, number, number]>, };
export type BeliefInfo = { 
/**
 * Models in its sample.
 */
models: number, 
/**
 * Models that explain all observations.
 */
active: number, 
/**
 * The worlds, the likeliest first.
 */
worlds: Array<WorldInfo>, };
export type WorldInfo = { 
/**
 * The position as text.
 */
position: string, 
/**
 * The position as a small SVG document, where it can be drawn.
 */
svg: string | null, 
/**
 * Its probability.
 */
weight: number, 
/**
 * The best move in it.
 */
best: string | null, };
export type BranchInfo = { 
/**
 * The step from which the line begins.
 */
node: number, 
/**
 * The moves that lead from the step to the position.
 */
line: Array<string>, 
/**
 * `over`, `chance`, `one` or `joint`.
 */
turn: string, 
/**
 * The seat that moves.
 */
seat: number | null, 
/**
 * The payoff that the seat may expect.
 */
value: number | null, 
/**
 * Simulations.
 */
sims: number, 
/**
 * The moves, best first.
 */
candidates: Array<CandidateInfo>, 
/**
 * The outcomes of chance with their probabilities.
 */
outcomes: Array<[string, number]>, 
/**
 * The payoffs where the game is over.
 */
payoffs: Array<number> | null, 
/**
 * Why there are no moves.
 */
error: string | null, };
export type Insight = { 
/**
 * The features that are not 0, with their values.
 */
concepts: Array<[string, number]>, 
/**
 * The agents, best first.
 */
agents: Array<PredictedInfo>, 
/**
 * The opponent of the predicted win rates.
 */
against: string, 
/**
 * Was the model trained on this game? Then models without it made the prediction.
 */
held_out: boolean, 
/**
 * Known games that are most similar, with their distance.
 */
nearest: Array<[string, number]>, 
/**
 * Why there is no prediction.
 */
note: string | null, };
export type PredictedInfo = { 
/**
 * The agent.
 */
agent: string, 
/**
 * Percent of the games won.
 */
value: number, 
/**
 * The interval that held 95 % of the measured win rates.
 */
interval: [number, number] | null, };
export type MapInfo = { 
/**
 * Games that are described so far.
 */
done: number, 
/**
 * Games of the map.
 */
total: number, 
/**
 * The games, once all are described.
 */
points: Array<MapPoint>, 
/**
 * Why there is no map.
 */
error: string | null, };
export type MapPoint = { 
/**
 * The name that opens it.
 */
name: string, 
/**
 * The title for people.
 */
title: string, 
/**
 * The place, from 0 to 1.
 */
x: number, 
/**
 * The place, from 0 to 1.
 */
y: number, 
/**
 * The number of its group.
 */
group: number, 
/**
 * Does it represent games around it?
 */
chosen: boolean, 
/**
 * The most similar games: numbers of points, the nearest first.
 */
near: Array<number>, };
export type DraftInfo = { 
/**
 * The name that opens it as a game.
 */
name: string, 
/**
 * The title of the game.
 */
title: string, 
/**
 * `kif` or `lud`.
 */
language: string, 
/**
 * When it was kept, in milliseconds since 1970.
 */
saved_ms: number, };
export type RulesText = { 
/**
 * `kif` or `lud`.
 */
language: string, 
/**
 * The text.
 */
text: string, };
export type RulesReport = { 
/**
 * The findings in the order of the text.
 */
findings: Array<Finding>, 
/**
 * The name that opens the game, if there is no error.
 */
name: string | null, 
/**
 * The title of the game.
 */
title: string, 
/**
 * The properties of the game.
 */
facts: GameFacts | null, 
/**
 * The first position as an SVG document.
 */
svg: string | null, };
export type Finding = { 
/**
 * The first character, counted in UTF-16 units.
 */
start: number, 
/**
 * One past the last character.
 */
end: number, 
/**
 * The line, from 1.
 */
line: number, 
/**
 * The column, from 1.
 */
column: number, 
/**
 * `error` or `warning`.
 */
severity: string, 
/**
 * The code.
 */
code: string, 
/**
 * The message.
 */
message: string, 
/**
 * The advice.
 */
hint: string | null, };
export type WordHelp = { 
/**
 * The word.
 */
word: string, 
/**
 * Its meaning or class.
 */
meaning: string, };
export type Playouts = { 
/**
 * The games.
 */
games: number, 
/**
 * Games that did not end in time.
 */
unfinished: number, 
/**
 * Mean, least and greatest number of steps.
 */
length: [number, number, number], 
/**
 * The mean number of legal moves of a decision.
 */
branching: number, 
/**
 * The mean payoff by seat.
 */
payoffs: Array<number>, 
/**
 * Games without a single winner.
 */
draws: number, 
/**
 * Milliseconds that it took.
 */
ms: number, };
export type RunInfo = { 
/**
 * The name.
 */
name: string, 
/**
 * When it began, in milliseconds since 1970.
 */
created_ms: number, 
/**
 * The agents.
 */
agents: Array<string>, 
/**
 * The games.
 */
games: Array<string>, 
/**
 * Games that are stored.
 */
played: number, 
/**
 * Games that it will have.
 */
total: number, 
/**
 * Is it played by this server now?
 */
running: boolean, 
/**
 * Why it stopped early, or why it failed.
 */
verdict: string | null, };
export type RunReport = { 
/**
 * The run.
 */
run: RunInfo, 
/**
 * One line.
 */
summary: string, 
/**
 * The state of the sequential test, where the run has one.
 */
sprt: string | null, 
/**
 * The tables.
 */
tables: Array<TableInfo>, 
/**
 * The figures as SVG documents, with their names.
 */
figures: Array<[string, string]>, };
export type TableInfo = { 
/**
 * The heading.
 */
heading: string, 
/**
 * What its cells mean.
 */
caption: string | null, 
/**
 * The notes below it.
 */
notes: string | null, 
/**
 * The titles of the columns; `true`: numbers.
 */
columns: Array<[string, boolean]>, 
/**
 * The cells.
 */
rows: Array<Array<string>>, 
/**
 * Is it for a long report only?
 */
detail: boolean, };
export type StoredInfo = { 
/**
 * The number of the game in its run.
 */
number: number, 
/**
 * The game.
 */
game: string, 
/**
 * The agents by seat.
 */
agents: Array<string>, 
/**
 * The payoffs by seat.
 */
payoffs: Array<number>, 
/**
 * The number of steps.
 */
steps: number, 
/**
 * How it ended.
 */
ending: string, };
export type NewRun = { 
/**
 * The experiment.
 */
toml: string, };
export type Failure = { 
/**
 * What went wrong, for people.
 */
error: string, 
/**
 * The moves that a short text could mean.
 */
choices: Array<MoveInfo>, };
export type Ask = { "type": "look", 
/**
 * The step.
 */
node: number | null, 
/**
 * The seat whose view is wanted, of those whose keys the page holds.
 */
seat: number | null, 
/**
 * Show the whole position?
 */
reveal: boolean, 
/**
 * The number of steps that the page knows.
 */
known: number, } | { "type": "analyse", 
/**
 * Which of the analyses of the page: 0 or 1.
 */
slot: number, 
/**
 * The step.
 */
node: number, 
/**
 * The agent.
 */
agent: string, 
/**
 * The seat; `None`: the mover.
 */
seat: number | null, 
/**
 * Show the whole position?
 */
reveal: boolean, 
/**
 * Seconds.
 */
seconds: number, } | { "type": "stop", 
/**
 * Which of the analyses.
 */
slot: number, } | { "type": "branch", 
/**
 * The step from which the line begins.
 */
node: number, 
/**
 * The moves.
 */
line: Array<string>, 
/**
 * The agent.
 */
agent: string, 
/**
 * Milliseconds.
 */
ms: number, 
/**
 * Show the whole position?
 */
reveal: boolean, } | { "type": "graph", 
/**
 * The step.
 */
node: number, 
/**
 * The agent.
 */
agent: string, 
/**
 * Milliseconds a position.
 */
ms: number, 
/**
 * Show the whole position?
 */
reveal: boolean, };
export type Tell = { "type": "snapshot", 
/**
 * The position.
 */
snapshot: Snapshot, } | { "type": "thought", 
/**
 * The thought.
 */
thought: ThoughtInfo, } | { "type": "branch", 
/**
 * The position.
 */
branch: BranchInfo, } | { "type": "value", 
/**
 * The step.
 */
node: number, 
/**
 * The expected payoff of each seat.
 */
values: Array<number>, 
/**
 * Steps of the line that have a value, and all of them.
 */
done: [number, number], } | { "type": "error", 
/**
 * What, for people.
 */
error: string, };
