// Tournaments: the list of runs, a form for a new one, and the report of a run while it is played.
import { get, message, post } from "./api";
import { field, h, select, toast } from "./dom";
import { keep } from "./session";
import { agentList } from "./setup";
import type { GameList, RunInfo, RunReport, StoredInfo, TableInfo, TableKeys } from "./types";

export class RunsPage {
  readonly element = h("div", { class: "runs" });
  private timer = 0;

  constructor() {
    document.title = "Tournaments · Ludex studio";
    this.element.append(h("h1", {}, "Tournaments"));
    const list = h("div", {});
    this.element.append(new RunForm().element, h("h2", {}, "Runs"), list);
    void this.load(list);
  }

  private async load(list: HTMLElement): Promise<void> {
    try {
      const runs = await get<RunInfo[]>("runs");
      const row = (run: RunInfo): HTMLElement => h("tr", {}, h("td", {}, h("a", { href: `#/runs/${encodeURIComponent(run.name)}` }, run.name)), h("td", {}, run.games.join(", ")), h("td", {}, run.agents.join(", ")), h("td", { class: "number" }, `${run.played} / ${run.total}`), h("td", {}, run.running ? "running" : (run.verdict ?? "")));
      const head = ["run", "games", "agents", "played", "state"].map((name) => h("th", { scope: "col" }, name));
      list.replaceChildren(runs.length > 0 ? h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Runs" }, h("table", {}, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...runs.map(row)))) : h("p", { class: "quiet" }, "No runs yet. Start one above."));
      if (runs.some((run) => run.running)) this.timer = window.setTimeout(() => void this.load(list), 2000);
    } catch (error) {
      list.replaceChildren(h("p", { class: "bad" }, message(error)));
    }
  }

  close(): void {
    clearTimeout(this.timer);
  }
}

/** A list of words with a field to add one. */
class Chips {
  readonly element: HTMLElement;
  values: string[];

  constructor(
    label: string,
    values: string[],
    private readonly names: string,
    private readonly changed: () => void,
  ) {
    this.values = values;
    this.element = h("fieldset", {}, h("legend", {}, label));
    this.show(label);
  }

  private show(label: string): void {
    const remove = (value: string): void => {
      this.values = this.values.filter((other) => other !== value);
      this.show(label);
      this.changed();
    };
    const chips = this.values.map((value) => h("span", { class: "chip on" }, value, h("button", { type: "button", class: "plain", "aria-label": `Remove ${value}`, onclick: () => remove(value) }, "×")));
    const input = h("input", { list: this.names, "aria-label": `Add to ${label}`, placeholder: "add…", spellcheck: false, onchange: () => {
      const value = input.value.trim();
      if (value && !this.values.includes(value)) this.values.push(value);
      this.show(label);
      this.element.querySelector("input")?.focus();
      this.changed();
    } });
    this.element.replaceChildren(h("legend", {}, label), h("div", { class: "chips" }, ...chips, input));
  }
}

class RunForm {
  readonly element: HTMLElement;
  private readonly games = new Chips("Games", ["tictactoe", "connect4"], "run-games", () => this.write());
  private readonly agents = new Chips("Agents", ["uct", "flat", "random"], "run-agents", () => this.write());
  private readonly name = h("input", { value: `studio-${Date.now().toString(36)}`, spellcheck: false, oninput: () => this.write() });
  private readonly rounds = h("input", { type: "number", min: 1, max: 10000, value: "10", oninput: () => this.write() });
  private readonly budget = select([["sims=100", "100 sims"], ["sims=1000", "1,000 sims"], ["time=100ms", "0.1 s"], ["time=500ms", "0.5 s"]], "sims=100", () => this.write());
  private readonly format = select([["round-robin", "every pair"], ["gauntlet", "the first against the others"]], "round-robin", () => this.write());
  private readonly seed = h("input", { type: "number", min: 0, value: "1", oninput: () => this.write() });
  private readonly toml = h("textarea", { rows: 9, spellcheck: false, "aria-label": "Experiment in TOML" });
  private readonly problem = h("pre", { class: "bad", role: "alert", hidden: true });

  constructor() {
    const lists = [h("datalist", { id: "run-games" }), h("datalist", { id: "run-agents" })];
    void get<GameList>("games").then((list) => lists[0]?.append(...list.games.map((card) => h("option", { value: card.name }))), () => undefined);
    void agentList().then((list) => lists[1]?.append(...list.map((agent) => h("option", { value: agent.name }, agent.summary))), () => undefined);
    const fields = h("div", { class: "grid" }, field("Name", this.name), field("Rounds", this.rounds, "in a round every group plays every game from every seat"), field("Budget of a move", this.budget), field("Who meets", this.format), field("Seed", this.seed));
    const text = h("details", {}, h("summary", {}, "As a file (TOML)"), h("p", { class: "quiet" }, "The form writes this file; you can change it before you start. docs/arena.md explains all keys, stop rules such as SPRT among them."), this.toml);
    this.element = h("form", { class: "panel", onsubmit: (event: Event) => { event.preventDefault(); void this.start(); } }, h("h2", {}, "New tournament"), ...lists, this.games.element, this.agents.element, fields, text, this.problem, h("footer", {}, h("button", { type: "submit", class: "primary" }, "Start")));
    this.write();
  }

  private write(): void {
    const list = (values: string[]): string => `[${values.map((value) => JSON.stringify(value)).join(", ")}]`;
    this.toml.value = `name = ${JSON.stringify(this.name.value)}\ngames = ${list(this.games.values)}\nagents = ${list(this.agents.values)}\nrounds = ${Number(this.rounds.value) || 1}\nbudget = ${JSON.stringify(this.budget.value)}\nformat = ${JSON.stringify(this.format.value)}\nseed = ${Number(this.seed.value) || 0}\n`;
  }

  private async start(): Promise<void> {
    this.problem.hidden = true;
    try {
      const name = await post<string>("runs", { toml: this.toml.value });
      location.hash = `#/runs/${encodeURIComponent(name)}`;
    } catch (error) {
      this.problem.textContent = message(error);
      this.problem.hidden = false;
    }
  }
}

/** The report of a run, drawn again while the run is played. */
export class RunPage {
  readonly element = h("div", { class: "runs" });
  private readonly head = h("div", {});
  private readonly body = h("div", {});
  private readonly games = h("div", {});
  private timer = 0;
  private from = 0;
  private seen = -1;

  constructor(private readonly name: string) {
    document.title = `${name} · Ludex studio`;
    this.element.append(h("h1", {}, name), this.head, this.body, h("h2", {}, "Games"), this.games);
    void this.load();
  }

  close(): void {
    clearTimeout(this.timer);
  }

  private async load(): Promise<void> {
    try {
      const report = await get<RunReport>(`runs/${encodeURIComponent(this.name)}`);
      this.show(report);
      if (report.run.running) this.timer = window.setTimeout(() => void this.load(), 1000);
    } catch (error) {
      this.head.replaceChildren(h("p", { class: "bad" }, message(error)));
    }
  }

  private show(report: RunReport): void {
    const { run } = report;
    const stop = run.running && h("button", { type: "button", onclick: () => void post(`runs/${encodeURIComponent(this.name)}/stop`, null).then(() => toast("The run stops; finished games are kept.")) }, "Stop");
    this.head.replaceChildren(h("p", { role: "status" }, report.summary, run.verdict ? `. ${run.verdict}` : ""), ...(report.sprt === null || run.verdict ? [] : [h("p", {}, report.sprt)]), h("div", { class: "row" }, h("progress", { max: run.total, value: run.played, "aria-label": "Games played" }), `${run.played} of ${run.total} games`, stop || null));
    if (this.seen === run.played) return;
    this.seen = run.played;
    const main = report.tables.filter((table) => !table.detail).map((table) => this.table(table));
    const detail = report.tables.filter((table) => table.detail).map((table) => this.table(table));
    const figures = report.figures.map(([name, svg]) => h("img", { class: "figure", alt: `Figure: ${name}`, src: `data:image/svg+xml,${encodeURIComponent(svg)}` }));
    const open = this.body.querySelector("details")?.open ?? false;
    this.body.replaceChildren(...main, h("div", { class: "figures" }, ...figures), ...(detail.length > 0 ? [h("details", { open }, h("summary", {}, "All tests"), ...detail)] : []));
    void this.list();
  }

  private table(table: TableInfo): HTMLElement {
    const head = table.columns.map(([name, number]) => h(name ? "th" : "td", { scope: name ? "col" : null, class: number ? "number" : "" }, name));
    const rows = table.rows.map((row) => h("tr", {}, ...row.map((cell, index) => h("td", { class: table.columns[index]?.[1] ? "number" : "" }, cell))));
    return h("section", {}, h("h2", {}, table.heading), table.caption && h("p", { class: "quiet" }, table.caption), h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": table.heading }, h("table", {}, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...rows))), table.notes && h("p", { class: "quiet" }, table.notes));
  }

  private async list(): Promise<void> {
    const games = await get<StoredInfo[]>(`runs/${encodeURIComponent(this.name)}/games`, { from: this.from });
    const open = async (number: number): Promise<void> => {
      try {
        const table = await post<TableKeys>(`runs/${encodeURIComponent(this.name)}/games/${number}`, null);
        keep(table);
        location.hash = `#/table/${table.table}`;
      } catch (error) {
        toast(message(error), true);
      }
    };
    const row = (game: StoredInfo): HTMLElement => h("tr", {}, h("td", {}, h("button", { type: "button", class: "plain link", onclick: () => void open(game.number) }, `#${game.number}`)), h("td", {}, game.game), h("td", {}, game.agents.join(" – ")), h("td", {}, game.payoffs.map((payoff) => Math.round(payoff * 100) / 100).join(" – ")), h("td", { class: "number" }, String(game.steps)), h("td", {}, game.ending));
    const head = ["game", "rules", "agents by seat", "result", "steps", "end"].map((name) => h("th", { scope: "col" }, name));
    const page = (text: string, from: number, enabled: boolean): HTMLElement => h("button", { type: "button", disabled: !enabled, onclick: () => { this.from = from; void this.list(); } }, text);
    this.games.replaceChildren(h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Stored games" }, h("table", {}, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...games.slice(0, 50).map(row)))), h("div", { class: "row" }, page("Earlier", Math.max(0, this.from - 50), this.from > 0), page("Later", this.from + 50, games.length > 50)));
  }
}
