// What models know about a game: the agents that they expect to play it well, similar games, and its concepts.
import { get, message } from "./api";
import { h, toast } from "./dom";
import { start } from "./setup";
import type { GameList, Insight } from "./types";

const number = (value: number): string => (Number.isInteger(value) ? String(value) : value.toPrecision(4));

/** A part of a page that asks the server when it is opened. */
export function insightPanel(game: () => string | null): HTMLDetailsElement {
  const body = h("div", { class: "insight-body" });
  const panel = h("details", { class: "panel insight" }, h("summary", {}, h("b", {}, "Concepts and predicted agents")), body);
  let shown: string | null = null;
  const show = async (): Promise<void> => {
    const name = game();
    if (!panel.open || name === shown) return;
    shown = name;
    if (!name) return body.replaceChildren(h("p", { class: "quiet" }, "Mend the errors of the rules first."));
    body.replaceChildren(h("p", { class: "quiet", role: "status" }, "Playing random games…"));
    try {
      const [insight, list] = await Promise.all([get<Insight>("insight", { game: name }), get<GameList>("games")]);
      const here = new Set(list.games.map((card) => card.name));
      if (shown === name) body.replaceChildren(...agents(insight), ...similar(insight, here), concepts(insight));
    } catch (error) {
      body.replaceChildren(h("p", { class: "bad" }, message(error)));
    }
  };
  panel.addEventListener("toggle", () => void show());
  panel.addEventListener("refresh", () => void show());
  return panel;
}

function agents(insight: Insight): Node[] {
  const head = h("h2", {}, "Predicted agents");
  if (insight.note) return [head, h("p", { class: "quiet" }, insight.note)];
  const rows = insight.agents.slice(0, 10).map(({ agent, value, interval }) => {
    const bar = h("i", { class: "rate" });
    bar.style.width = `${Math.max(0, Math.min(100, value))}%`;
    const range = interval ? `${Math.round(interval[0])} – ${Math.round(interval[1])}` : "";
    return h("tr", {}, h("td", {}, agent), h("td", { class: "number rated" }, value.toFixed(1), bar), h("td", { class: "number quiet" }, range));
  });
  const table = h("table", {}, h("thead", {}, h("tr", {}, ...["agent", "win rate, %", "95 % interval"].map((name) => h("th", { scope: "col" }, name)))), h("tbody", {}, ...rows));
  const text = `Expected win rates against ${insight.against.replaceAll("`", "") || "the opponent of the model"}.${insight.held_out ? " The model was trained on this game: models without it made this prediction." : ""}`;
  return [head, h("p", { class: "quiet" }, text), table];
}

function similar(insight: Insight, here: Set<string>): Node[] {
  if (insight.nearest.length === 0) return [];
  const play = (game: string): void => void start({ game, seats: ["human", "usual"] }).catch((error: unknown) => toast(message(error), true));
  const chips = insight.nearest.map(([game, distance]) => {
    const title = `distance ${distance.toFixed(3)}`;
    return here.has(game) ? h("button", { type: "button", class: "chip", title, onclick: () => play(game) }, game) : h("span", { class: "chip quiet", title }, game);
  });
  return [h("h2", {}, "Similar games that the model knows"), h("div", { class: "chips" }, ...chips)];
}

function concepts(insight: Insight): HTMLElement {
  const rows = insight.concepts.map(([name, value]) => ({ name: name.toLowerCase(), row: h("tr", {}, h("td", {}, name.replaceAll("_", " ")), h("td", { class: "number" }, number(value))) }));
  const count = h("span", { class: "quiet", role: "status" }, `${rows.length} of ${rows.length}`);
  const search = h("input", { type: "search", placeholder: "Search concepts", "aria-label": "Search concepts", oninput: () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const { name, row } of rows) row.hidden = !words.every((word) => name.includes(word));
    count.textContent = `${rows.filter(({ row }) => !row.hidden).length} of ${rows.length}`;
  } });
  const table = h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "concept"), h("th", { scope: "col" }, "value"))), h("tbody", {}, ...rows.map(({ row }) => row)));
  return h("div", {}, h("h2", {}, "Concepts"), h("div", { class: "row" }, search, count), h("div", { class: "scroll tall", tabindex: 0, role: "region", "aria-label": "Concepts" }, table));
}
