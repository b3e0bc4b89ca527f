// Every game in a real browser: opened, 20 random clicks, no error in the console, every site inside the view, no two sites closer
// than half a cell, and the record equals the clicks. Not part of CI.
//
//   LUDEX_PATH=folder node tests/every_game.mjs [--filter TEXT] [--sheet FILE.png] [--most N] [--workers N] [--log FILE]
//
// --log appends one line of JSON a game. Games that are in the file already are not played again, so that a run goes on where it
// was stopped.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { openPage, startBrowser, startServer } from "./harness.mjs";

const option = (name, usual) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? usual : process.argv[at + 1];
};
const filter = option("filter", "");
const sheet = option("sheet", "");
const most = Number(option("most", "100000"));
const workers = Number(option("workers", "2"));
const log = option("log", "");
const CLICKS = 20;

const server = await startServer();
const browser = await startBrowser();
const base = server.url;
let list;
for (;;) {
  list = await (await fetch(`${base}api/games`)).json();
  if (list.complete) break;
  await new Promise((resolve) => setTimeout(resolve, 500));
}
const refused = list.games.filter((card) => card.facts?.error);
let games = list.games.filter((card) => !card.facts?.error && card.name.includes(filter));
const known = log && existsSync(log) ? new Set(readFileSync(log, "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line).name)) : new Set();
games = games.filter((card) => !known.has(card.name));
// An even sample where not all are wanted.
if (games.length > most) games = games.filter((_, index) => Math.floor((index * most) / games.length) !== Math.floor(((index - 1) * most) / games.length));
console.log(`${list.games.length} games known, ${refused.length} do not load, ${games.length} are tried`);

/** Plays random moves by clicks on the board and on buttons; returns what went wrong. */
async function tryGame(page, card) {
  page.problems.length = 0;
  const seats = Array.from({ length: card.facts.players.length }, () => "human").join("|");
  await page.goto(`${base}#/rules`);
  await page.locator(".editor").waitFor();
  const begun = Date.now();
  await page.goto(`${base}#/play?${new URLSearchParams({ game: card.name, seats, seed: "1" })}`);
  await page.locator(".table-page .status:not(:empty), .lost .bad").first().waitFor({ timeout: 30_000 });
  const opened = Date.now() - begun;
  if ((await page.locator(".lost .bad").count()) > 0) return [`does not open: ${await page.locator(".lost .bad").textContent()}`];
  const found = await page.evaluate(geometry, card.facts.painter);
  const latencies = [];
  let clicks = 0;
  let seed = 12345;
  const random = (n) => (seed = (seed * 1103515245 + 12345) % 2147483648) % n;
  while (clicks < CLICKS) {
    const before = await page.evaluate(() => ({ moves: document.querySelectorAll(".moves .move").length, over: /wins|win |draw|over/i.test(document.querySelector(".status").textContent), curtain: !document.querySelector(".curtain").hidden }));
    if (before.curtain) {
      await page.locator(".curtain button").click();
      await page.waitForTimeout(60);
    }
    if (before.over) break;
    const made = await page.evaluate(press, random(1 << 30));
    if (made.none) break;
    if (made.chooser) await page.evaluate(() => document.querySelector("dialog.chooser[open] button").click());
    const start = performance.now();
    try {
      await page.waitForFunction((n) => document.querySelectorAll(".moves .move").length > n || document.querySelector("dialog.chooser[open]"), before.moves, { timeout: 8000, polling: 5 });
      if ((await page.locator("dialog.chooser[open]").count()) > 0) {
        await page.evaluate(() => document.querySelector("dialog.chooser[open] button").click());
        await page.waitForFunction((n) => document.querySelectorAll(".moves .move").length > n, before.moves, { timeout: 8000, polling: 5 });
      }
    } catch {
      // Players who move at once: the step is made when the last of them has chosen.
      if (card.facts.simultaneous || card.facts.hidden) {
        clicks += 1;
        continue;
      }
      found.push(`click ${clicks + 1} (${JSON.stringify(made)}) made no move: ${await page.locator(".toast").allTextContents()}`);
      break;
    }
    latencies.push(performance.now() - start);
    clicks += 1;
  }
  if (!card.facts.simultaneous && !card.facts.chance && !card.facts.hidden) {
    const record = await page.evaluate(() => document.querySelectorAll(".moves .move").length);
    if (record !== clicks) found.push(`${clicks} clicks and ${record} moves in the record`);
  }
  found.push(...page.problems.map((text) => `console: ${text}`));
  tried.push({ name: card.name, opened, clicks, latencies });
  return found;
}

/** In the page: sites outside of the view, sites that are too close. */
function geometry(painter) {
  const board = document.querySelector("svg.board");
  if (!board) return [];
  const found = [];
  const frame = board.getBoundingClientRect();
  const sites = [...document.querySelectorAll(".hit")].map((hit) => {
    const box = hit.getBoundingClientRect();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2, size: box.width * box.height, edge: hit.tagName === "line", id: hit.dataset.site };
  });
  for (const site of sites) {
    if (site.x < frame.left - 1 || site.x > frame.right + 1 || site.y < frame.top - 1 || site.y > frame.bottom + 1) found.push(`site ${site.id} is outside of the view`);
  }
  const unit = document.querySelector(".turn").getScreenCTM().a;
  // The layers of a pyramid lie above each other.
  const plain = sites.filter((site) => !site.edge && painter !== "pyramid");
  const grid = new Map();
  for (const site of plain) {
    const key = (dx, dy) => `${Math.floor(site.x / unit) + dx},${Math.floor(site.y / unit) + dy}`;
    for (let dx = -1; dx <= 1; dx++) {
      for (let dy = -1; dy <= 1; dy++) {
        for (const other of grid.get(key(dx, dy)) ?? []) {
          // A cell of a board of boards contains smaller ones, which are above it.
          if (Math.max(site.size, other.size) > 4 * Math.min(site.size, other.size)) continue;
          const far = Math.hypot(site.x - other.x, site.y - other.y) / unit;
          if (far < 0.499) found.push(`sites ${other.id} and ${site.id} are ${far.toFixed(2)} cells apart`);
        }
      }
    }
    grid.set(key(0, 0), [...(grid.get(key(0, 0)) ?? []), site]);
  }
  return found.length > 3 ? [...found.slice(0, 3), `and ${found.length - 3} more places`] : found;
}

/** In the page: a random move by one or two clicks, or a button. */
function press(number) {
  const fire = (element) => {
    const box = element.getBoundingClientRect();
    const at = { clientX: box.x + box.width / 2, clientY: box.y + box.height / 2, bubbles: true, button: 0, pointerId: 1 };
    // The site itself is asked by its number: shapes such as rings have their centre elsewhere.
    const real = document.elementsFromPoint;
    document.elementsFromPoint = () => [element];
    element.dispatchEvent(new PointerEvent("pointerdown", at));
    element.dispatchEvent(new PointerEvent("pointerup", at));
    document.elementsFromPoint = real;
  };
  const able = [...document.querySelectorAll(".hit.able")];
  const loose = [...document.querySelectorAll(".loose-moves button")];
  const all = [...able, ...loose];
  if (all.length === 0) return { none: true };
  const first = all[number % all.length];
  if (first.classList.contains("loose")) {
    first.click();
    return { button: first.textContent };
  }
  fire(first);
  const chooser = document.querySelector("dialog.chooser[open]");
  if (chooser) return { site: first.dataset.site, chooser: true };
  const targets = [...document.querySelectorAll(".target")];
  if (targets.length === 0) return { site: first.dataset.site };
  const target = targets[Math.floor(number / 7) % targets.length];
  const mark = target.getBoundingClientRect();
  const at = { clientX: mark.x + mark.width / 2, clientY: mark.y + mark.height / 2, bubbles: true, button: 0, pointerId: 1 };
  const hit = document.elementsFromPoint(at.clientX, at.clientY).find((element) => element.classList.contains("hit"));
  if (!hit) return { site: first.dataset.site, to: "outside of the window" };
  hit.dispatchEvent(new PointerEvent("pointerdown", at));
  hit.dispatchEvent(new PointerEvent("pointerup", at));
  return { site: first.dataset.site, to: hit.dataset.site, chooser: Boolean(document.querySelector("dialog.chooser[open]")) };
}

const tried = [];
const failures = [];
const queue = [...games];
await Promise.all(
  Array.from({ length: workers }, async () => {
    let page = await openPage(browser, base);
    for (let card = queue.shift(); card; card = queue.shift()) {
      let found;
      try {
        found = await tryGame(page, card);
      } catch (error) {
        found = [String(error).split("\n")[0]];
        await page.context().close();
        page = await openPage(browser, base);
      }
      if (log) appendFileSync(log, `${JSON.stringify({ ...tried.find((game) => game.name === card.name), name: card.name, found })}\n`);
      if (found.length > 0) {
        failures.push({ name: card.name, found });
        console.log(`${card.name}: ${found.join("; ")}`);
      }
    }
    await page.context().close();
  }),
);
const all = tried.flatMap((game) => game.latencies).sort((a, b) => a - b);
const at = (share) => Math.round(all[Math.floor(all.length * share)] ?? 0);
const opened = tried.map((game) => game.opened).sort((a, b) => a - b);
console.log(`${games.length} games, ${failures.length} with a failure, ${tried.reduce((sum, game) => sum + game.clicks, 0)} clicks`);
console.log(`click to record: median ${at(0.5)} ms, 95 % ${at(0.95)} ms; to open: median ${opened[Math.floor(opened.length / 2)]} ms, most ${opened.at(-1)} ms`);

if (sheet) {
  const chosen = games.filter((card) => card.facts.sites > 0);
  const step = Math.max(1, Math.floor(chosen.length / 100));
  const shown = chosen.filter((_, index) => index % step === 0).slice(0, 100);
  const page = await openPage(browser, base, { viewport: { width: 1600, height: 1200 } });
  await page.evaluate((names) => {
    const box = document.createElement("div");
    for (const name of names) {
      const figure = document.createElement("figure");
      const image = new Image();
      image.src = `api/thumbnail?game=${encodeURIComponent(name)}`;
      const text = document.createElement("figcaption");
      text.textContent = name.replace(/^.*\//, "").slice(0, 24);
      figure.append(image, text);
      for (const [element, style] of [[figure, { display: "inline-block", width: "150px", margin: "3px", fontSize: "11px", verticalAlign: "top" }], [image, { width: "150px", height: "150px", objectFit: "contain" }]]) Object.assign(element.style, style);
      box.append(figure);
    }
    document.body.replaceChildren(box);
  }, shown.map((card) => card.name));
  await page.waitForFunction(() => [...document.images].every((image) => image.complete), undefined, { timeout: 120_000 });
  writeFileSync(sheet, await page.screenshot({ fullPage: true }));
  console.log(`${shown.length} boards in ${sheet}`);
}
await browser.close();
await server.stop();
process.exit(failures.length > 0 ? 1 : 0);
