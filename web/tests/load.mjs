// A load test: many clients play on one server, each with a stream of its own. Not part of CI.
//
//   node --experimental-websocket tests/load.mjs [CLIENTS] [SECONDS]
//
// It prints the number of requests and errors, the times of moves, and the memory of the server.
import { readFileSync } from "node:fs";
import { startServer } from "./harness.mjs";

const clients = Number(process.argv[2] ?? 100);
const seconds = Number(process.argv[3] ?? 60);
const GAMES = [["tictactoe", "human"], ["connect4", "random"], ["breakthrough", "human"], ["kif:tictactoe", "random"], ["lud:hex", "human"], ["kuhn", "random"]];

const server = await startServer();
const end = Date.now() + seconds * 1000;
const sum = { requests: 0, games: 0, snapshots: 0, errors: [], moves: [] };
const rest = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const memory = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))?.[1] ?? 0) / 1024;

async function ask(path, body) {
  sum.requests += 1;
  const init = body === undefined ? {} : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const answer = await fetch(server.url + path, init);
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

async function game([name, rival]) {
  const table = await ask("api/tables", { game: name, seats: ["human", rival] });
  const at = `api/tables/${table.table}`;
  const key = table.keys.filter(Boolean).join(",");
  const socket = new WebSocket(`${server.url.replace("http", "ws")}${at}/live?key=${key}`);
  socket.onmessage = () => (sum.snapshots += 1);
  await new Promise((resolve, reject) => ((socket.onopen = resolve), (socket.onerror = reject)));
  for (let step = 0; step < 30 && Date.now() < end; step++) {
    const look = await ask(`${at}/snapshot?key=${key}&known=100000`);
    if (look.turn === "over") break;
    if (look.moves.length > 0) {
      const move = look.moves[(step * 7) % look.moves.length];
      const begun = performance.now();
      await ask(`${at}/move?key=${key}`, { node: look.live, seat: move.seat, index: move.index, known: 100000 });
      sum.moves.push(performance.now() - begun);
    }
    // A person thinks.
    await rest(400);
  }
  socket.close();
  sum.games += 1;
}

async function client(number) {
  for (let at = number; Date.now() < end; at++) {
    try {
      await game(GAMES[at % GAMES.length]);
    } catch (error) {
      sum.errors.push(String(error));
      await rest(200);
    }
  }
}

const sizes = [memory()];
const watch = setInterval(() => sizes.push(memory()), (seconds * 1000) / 8);
await Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
clearInterval(watch);
sizes.push(memory());
sum.moves.sort((a, b) => a - b);
const at = (share) => (sum.moves[Math.floor(sum.moves.length * share)] ?? 0).toFixed(1);
console.log(`${clients} clients, ${seconds} s: ${sum.requests} requests, ${sum.snapshots} messages, ${sum.games} games, ${sum.errors.length} errors`);
console.log(`a move: median ${at(0.5)} ms, 95 % ${at(0.95)} ms, 99 % ${at(0.99)} ms (client included)`);
console.log(`memory of the server in MB: ${sizes.map((size) => size.toFixed(0)).join(", ")}`);
if (sum.errors.length > 0) console.log(sum.errors.slice(0, 3).join("\n"));
await server.stop();
process.exit(sum.errors.length > 0 ? 1 : 0);
