// Which page the address names, keys, and light or dark.
import { message } from "./api";
import { byId, dialog, h } from "./dom";
import { Editor } from "./editor";
import { Gallery } from "./gallery";
import { MapPage } from "./map";
import { openTable, TablePage } from "./play";
import { RunPage, RunsPage } from "./runs";
import { start } from "./setup";

interface Page {
  element: HTMLElement;
  close(): void;
}

const main = byId("main");
let page: Page | null = null;
let visit = 0;

async function make(path: string, query: URLSearchParams): Promise<Page | null> {
  const [first = "", second] = path.split("/").filter(Boolean).map(decodeURIComponent);
  switch (first) {
    case "":
      return new Gallery();
    case "table":
      return openTable(second ?? "", query.get("key"));
    case "play": {
      const seats = query.get("seats")?.split("|") ?? ["human", "usual"];
      await start({ game: query.get("game") ?? "", position: query.get("position"), moves: query.get("moves"), seats, seed: Number(query.get("seed") ?? 1), pace: 500 }, true);
      return null;
    }
    case "runs":
      return second ? new RunPage(second) : new RunsPage();
    case "map":
      return new MapPage();
    case "rules":
      return new Editor(query.get("game"));
    default:
      throw new Error("There is no such page.");
  }
}

async function route(): Promise<void> {
  const number = ++visit;
  const hash = location.hash.replace(/^#/, "") || "/";
  if (!hash.startsWith("/")) return;
  const [path = "/", query = ""] = hash.split("?", 2);
  let next: Page | null;
  // A dialog belongs to the page that it was opened on.
  for (const open of document.querySelectorAll<HTMLDialogElement>("dialog[open]")) open.close();
  // Large rules take a moment to load.
  const patience = setTimeout(() => main.replaceChildren(h("p", { class: "lost quiet", role: "status" }, "Loading the game…")), 400);
  try {
    next = await make(path, new URLSearchParams(query));
  } catch (error) {
    next = { element: h("div", { class: "lost" }, h("h1", {}, "That did not work"), h("p", { class: "bad", role: "alert" }, message(error)), h("p", {}, h("a", { href: "#/" }, "All games"))), close: () => undefined };
  }
  clearTimeout(patience);
  if (number !== visit) return next?.close();
  if (!next) return;
  page?.close();
  page = next;
  main.replaceChildren(next.element);
  main.classList.toggle("wide", next instanceof TablePage);
  for (const link of document.querySelectorAll<HTMLAnchorElement>(".bar nav a")) {
    const here = link.getAttribute("href") === `#/${path.split("/")[1] ?? ""}`;
    if (here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  window.scrollTo(0, 0);
}

const SHORTCUTS: [string, string][] = [["← →", "previous and next move"], ["Home End", "first and last position"], ["b", "to the board; arrow keys and Enter play"], ["/", "type a move or a command (next, prev, undo, hint, eval, moves, flip, analyse)"], ["t", "board as text"], ["a", "analyse"], ["h", "hint"], ["u", "take back"], ["f", "flip the board"], ["?", "this list"]];

function help(): void {
  dialog("Keyboard shortcuts", h("dl", { class: "keys" }, ...SHORTCUTS.map(([keys, meaning]) => h("div", {}, h("dt", {}, ...keys.split(" ").map((key) => h("kbd", {}, key))), h("dd", {}, meaning)))));
}

function theme(): void {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  localStorage.setItem("ludex:theme", root.dataset.theme);
}

const kept = localStorage.getItem("ludex:theme");
if (kept) document.documentElement.dataset.theme = kept;
byId("theme").addEventListener("click", theme);
byId("help").addEventListener("click", help);
addEventListener("hashchange", () => void route());
addEventListener("keydown", (event) => {
  const target = event.target as HTMLElement;
  if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, textarea, select, dialog")) return;
  if (event.key === "?") help();
  else if (page instanceof TablePage) page.key(event);
});
void route();
