// The analysis panel: one or two agents think about the position on the board; their moves are a table and arrows.
import type { Board, Mark } from "./board";
import { h, percent, select, thousands } from "./dom";
import type { Session } from "./session";
import type { CandidateInfo, ThoughtInfo } from "./types";

/** From orange (losing) over grey to blue (winning); both ends are told apart by people with colour blindness. */
export function valueColour(value: number): string {
  const mix = (a: number[], b: number[], t: number): string => `rgb(${a.map((x, i) => Math.round(x + ((b[i] ?? 0) - x) * t)).join(" ")})`;
  const [low, middle, high] = [[213, 94, 0], [140, 140, 140], [0, 114, 178]];
  return value < 0.5 ? mix(low, middle, value * 2) : mix(middle, high, value * 2 - 1);
}

const SECONDS: [string, string][] = [["3", "3 s"], ["10", "10 s"], ["60", "1 min"], ["600", "10 min"]];

interface Slot {
  agent: string;
  thought: ThoughtInfo | null;
  body: HTMLElement;
  head: HTMLElement;
  rows: Row[];
}

interface Row {
  row: HTMLTableRowElement;
  /** The button and the row that say why: results by depth. */
  ask: HTMLButtonElement;
  why: HTMLTableRowElement;
  cells: HTMLElement[];
  bar: HTMLElement;
  candidate: CandidateInfo | null;
}

export class Analysis {
  readonly element: HTMLElement;
  private on = false;
  private node = -1;
  private seconds = "60";
  private readonly slots: Slot[] = [];
  private readonly tables = h("div", { class: "analyses" });
  private readonly toggle: HTMLInputElement;
  private readonly second: HTMLInputElement;
  private readonly worlds = h("div", { class: "worlds" });

  constructor(
    private readonly session: Session,
    private readonly board: Board | null,
    private readonly played: (text: string) => void,
    private readonly changed: (thought: ThoughtInfo) => void,
  ) {
    const { agents, usual } = session.setting;
    const other = agents.find((name) => name !== usual && ["alphabeta", "mbm", "hyperplay", "flat"].includes(name)) ?? usual;
    for (const agent of [usual, other]) {
      const body = h("tbody", {});
      this.slots.push({ agent, thought: null, body, head: h("div", { class: "thought-head" }), rows: [] });
    }
    this.toggle = h("input", { type: "checkbox", role: "switch", id: "analyse", onchange: () => this.set(this.toggle.checked) });
    this.second = h("input", { type: "checkbox", onchange: () => this.restart() });
    const times = select(SECONDS, this.seconds, (value) => { this.seconds = value; this.restart(); }, { "aria-label": "Time of an analysis" });
    const head = h("header", {}, h("label", { class: "switch", for: "analyse" }, this.toggle, h("b", {}, "Analyse")), times, h("label", { class: "check" }, this.second, "compare"));
    this.element = h("section", { class: "panel analysis", "aria-label": "Analysis" }, head, this.tables, this.worlds);
  }

  /** Switches the analysis on or off. */
  set(on: boolean): void {
    this.on = on;
    this.toggle.checked = on;
    this.restart();
  }

  get running(): boolean {
    return this.on;
  }

  private get active(): Slot[] {
    return this.on ? this.slots.slice(0, this.second.checked ? 2 : 1) : [];
  }

  /** Follows the position on the board. */
  follow(): void {
    if (this.session.snapshot.node !== this.node) this.restart();
  }

  restart(): void {
    const { snapshot } = this.session;
    this.node = snapshot.node;
    this.board?.annotate([]);
    this.worlds.replaceChildren();
    this.slots.forEach((slot, index) => {
      slot.thought = null;
      const runs = this.active.includes(slot) && snapshot.turn !== "over";
      if (!runs) return this.session.send({ type: "stop", slot: index });
      this.session.send({ type: "analyse", slot: index, node: snapshot.node, agent: slot.agent, seat: null, reveal: this.session.reveal, seconds: Number(this.seconds) });
    });
    this.layout();
  }

  private layout(): void {
    const agents = this.session.setting.agents;
    this.tables.replaceChildren(
      ...this.active.map((slot, index) => {
        slot.rows = [];
        slot.body.replaceChildren();
        slot.head.replaceChildren("…");
        const choose = h("input", { list: "agent-names", value: slot.agent, "aria-label": `Agent ${index + 1} of the analysis`, spellcheck: false, onchange: (event: Event) => { slot.agent = (event.target as HTMLInputElement).value.trim() || slot.agent; this.restart(); } });
        const names = h("datalist", { id: "agent-names" }, ...agents.map((name) => h("option", { value: name })));
        const columns = ["move", "visits", "value", "95 %", "line"].map((name) => h("th", { scope: "col" }, name));
        const table = h("table", { class: "candidates" }, h("thead", {}, h("tr", {}, ...columns)), slot.body);
        return h("div", { class: "slot" }, h("div", { class: "slot-head" }, choose, index === 0 && names, slot.head), h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": `Moves by ${slot.agent}` }, table));
      }),
    );
  }

  /** A new thought of an agent. */
  hear(thought: ThoughtInfo): void {
    const slot = this.slots[thought.slot];
    if (!slot || thought.node !== this.node || !this.active.includes(slot)) return;
    slot.thought = thought;
    this.fill(slot, thought);
    this.draw();
    this.changed(thought);
    if (thought.belief) this.showWorlds(thought);
  }

  private fill(slot: Slot, thought: ThoughtInfo): void {
    const seat = this.session.snapshot.seats[thought.seat]?.name ?? "";
    const facts = [thought.value === null ? "" : `${seat} ${percent(thought.value, 1)}${thought.proven ? " proven" : ""}`, thought.sims > 0 ? `${thousands(thought.sims)} sims` : "", thought.depth > 0 ? `depth ${thought.depth}` : "", thought.ms > 0 && thought.sims > 0 ? `${thousands((1000 * thought.sims) / thought.ms)}/s` : "", thought.done ? "done" : ""];
    slot.head.textContent = facts.filter(Boolean).join(" · ");
    slot.head.title = thought.notes.join("\n");
    const shown = thought.candidates.slice(0, 12);
    const most = Math.max(1, ...shown.map((candidate) => candidate.visits));
    while (slot.rows.length > shown.length) {
      const row = slot.rows.pop();
      row?.row.remove();
      row?.why.remove();
    }
    shown.forEach((candidate, index) => {
      const line = (slot.rows[index] ??= this.row(slot));
      line.candidate = candidate;
      const range = candidate.proven ? "proven" : candidate.visits > 0 ? `${percent(candidate.low)} – ${percent(candidate.high)}`.replace(" %", "") : "";
      const texts = [candidate.text, candidate.visits > 0 ? thousands(candidate.visits) : "", percent(candidate.value, 1), range, candidate.line.slice(1).join(" ")];
      texts.forEach((text, column) => {
        const cell = line.cells[column];
        if (cell && cell.textContent !== text) cell.textContent = text;
      });
      line.bar.style.width = `${(100 * candidate.visits) / most}%`;
      line.bar.style.background = valueColour(candidate.value);
      line.ask.hidden = candidate.depths.length === 0;
      if (line.ask.hidden) line.why.hidden = true;
      if (!line.why.hidden) explain(line, candidate);
    });
  }

  private row(slot: Slot): Row {
    const bar = h("i", { class: "visits" });
    const play = h("button", { type: "button", class: "plain", title: "Play this move" });
    const cells: HTMLElement[] = [play, h("span", {}), h("span", {}), h("span", {}), h("span", { class: "line" })];
    const ask = h("button", { type: "button", class: "plain link", hidden: true, "aria-expanded": "false", title: "Results of simulated games by depth" }, "why");
    const why = h("tr", { class: "why", hidden: true }, h("td", { colspan: 5 }));
    ask.addEventListener("click", () => {
      why.hidden = !why.hidden;
      ask.setAttribute("aria-expanded", String(!why.hidden));
      if (line.candidate) explain(line, line.candidate);
    });
    const row = h("tr", {}, h("td", {}, play, ask), h("td", { class: "number" }, cells[1], bar), h("td", { class: "number" }, cells[2]), h("td", { class: "number quiet" }, cells[3]), h("td", { class: "line" }, cells[4]));
    const line: Row = { row, cells, bar, ask, why, candidate: null };
    play.addEventListener("click", () => line.candidate && this.played(line.candidate.text));
    row.addEventListener("mouseenter", () => this.preview(line.candidate));
    row.addEventListener("mouseleave", () => this.board?.preview(null));
    slot.body.append(row, why);
    return line;
  }

  private async preview(candidate: CandidateInfo | null): Promise<void> {
    if (!candidate || !this.board || this.session.snapshot.hides) return;
    const node = this.node;
    try {
      const svg = await this.session.preview(candidate.line.length > 0 ? candidate.line : [candidate.text]);
      if (node === this.node && this.element.querySelector("tr:hover")) this.board.preview(svg);
    } catch {
      // A line that cannot be shown is no reason to disturb.
    }
  }

  private draw(): void {
    const marks: Mark[] = [];
    this.active.forEach((slot, index) => {
      const candidates = slot.thought?.candidates.slice(0, 8) ?? [];
      const most = Math.max(1, ...candidates.map((candidate) => candidate.visits));
      [...candidates].reverse().forEach((candidate, place) => {
        const best = place === candidates.length - 1;
        const weight = candidate.visits > 0 ? 0.05 + (0.95 * candidate.visits) / most : best ? 1 : 0.3;
        if (weight < 0.08 && !best) return;
        marks.push({ from: candidate.from, to: candidate.to, weight, colour: valueColour(candidate.value), label: index === 0 && (best || weight > 0.4) ? percent(candidate.value).replace(" %", "") : undefined, dashed: index === 1 });
      });
    });
    this.board?.annotate(marks);
  }

  private showWorlds(thought: ThoughtInfo): void {
    const belief = thought.belief;
    if (!belief) return;
    const cards = belief.worlds.map((world) => {
      const picture = world.svg ? h("img", { src: `data:image/svg+xml,${encodeURIComponent(world.svg)}`, alt: `A possible position: ${world.position}` }) : h("code", {}, world.position);
      return h("figure", {}, picture, h("figcaption", {}, `${percent(world.weight, 1)}${world.best ? ` → ${world.best}` : ""}`));
    });
    this.worlds.replaceChildren(h("h3", {}, `Possible worlds (${belief.active} of ${belief.models} models agree with what was seen)`), h("div", { class: "cards" }, ...cards));
  }

  /** The evaluation in words. */
  words(): string {
    const thought = this.slots[0]?.thought;
    const best = thought?.candidates[0];
    if (!thought || !best) return "no analysis; press a to start one";
    const seat = this.session.snapshot.seats[thought.seat]?.name ?? "";
    return `${seat} expects ${percent(thought.value ?? best.value)}, best move ${best.text}`;
  }

  /** The best move so far. */
  best(): CandidateInfo | null {
    return this.slots[0]?.thought?.candidates[0] ?? null;
  }
}

/** The wins, even results and losses of simulated games by the depth at which they ended. */
function explain(line: Row, candidate: CandidateInfo): void {
  const cell = line.why.firstElementChild;
  if (!cell) return;
  const most = Math.max(1, ...candidate.depths.map(([, wins, even, losses]) => wins + even + losses));
  const rows = candidate.depths.map(([depth, wins, even, losses]) => {
    const parts = ([["won", wins, valueColour(1)], ["even", even, valueColour(0.5)], ["lost", losses, valueColour(0)]] as const).map(([, count, colour]) => {
      const part = h("i", {});
      part.style.width = `${(100 * count) / most}%`;
      part.style.background = colour;
      return part;
    });
    return h("tr", {}, h("th", { scope: "row" }, String(depth)), ...[wins, even, losses].map((count) => h("td", { class: "number" }, thousands(count))), h("td", { class: "bars", "aria-hidden": "true" }, ...parts));
  });
  const head = ["depth", "won", "even", "lost", ""].map((name) => (name ? h("th", { scope: "col" }, name) : h("td", {})));
  cell.replaceChildren(h("p", { class: "quiet" }, `Simulated games after ${candidate.text}, by the number of own turns until they ended`), h("table", {}, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...rows)));
}
