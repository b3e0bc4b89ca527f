// The list of moves with its variations, and the graph of values over the game.
import { valueColour } from "./analysis";
import { h, percent, s } from "./dom";
import type { Session } from "./session";
import type { Step } from "./types";

export class MoveList {
  readonly element: HTMLElement;
  private readonly list = h("div", { class: "moves", role: "log", "aria-label": "Moves", "aria-live": "off", tabindex: 0 });
  private shown = "";

  constructor(
    private readonly session: Session,
    buttons: HTMLElement,
  ) {
    this.element = h("section", { class: "panel", "aria-label": "Game" }, this.list, buttons);
  }

  show(): void {
    const { session } = this;
    const current = session.snapshot.node;
    const line = session.longLine(current);
    const key = `${session.steps.length}:${line.length}:${line.at(-1)?.id}:${session.snapshot.viewer}`;
    if (key !== this.shown) {
      this.shown = key;
      this.list.replaceChildren(...this.render(line));
    }
    for (const old of this.list.querySelectorAll(".current")) {
      old.classList.remove("current");
      old.removeAttribute("aria-current");
    }
    const button = this.list.querySelector<HTMLElement>(`[data-node="${current}"]`);
    button?.classList.add("current");
    button?.setAttribute("aria-current", "step");
    if (button) this.list.scrollTop = button.offsetTop - this.list.offsetTop - this.list.clientHeight / 2;
    else this.list.scrollTop = 0;
  }

  private render(line: Step[]): Node[] {
    const out: Node[] = [this.button(line[0], "Start")];
    const on = new Set(line.map((step) => step.id));
    for (const step of line.slice(1)) {
      out.push(this.move(step));
      const siblings = (this.session.children[step.parent ?? 0] ?? []).filter((id) => !on.has(id));
      if (siblings.length > 0) out.push(h("div", { class: "variations" }, ...siblings.map((id) => this.variation(id))));
    }
    return out;
  }

  private move(step: Step): HTMLElement {
    const seat = step.movers.length === 1 ? step.movers[0] : undefined;
    const dot = h("i", { class: `seat-dot seat-${seat === undefined ? "none" : seat % 8}` });
    const colour = seat === undefined ? undefined : this.session.setting.board.colours[seat];
    if (colour) dot.style.background = colour;
    return h("span", { class: "move" }, h("span", { class: "ply" }, `${step.ply}.`), dot, this.button(step, step.text || "…"));
  }

  private button(step: Step | undefined, text: string): HTMLElement {
    return h("button", { type: "button", class: "plain", "data-node": step?.id ?? 0, onclick: () => this.session.go(step?.id ?? 0) }, text);
  }

  /** A variation: its first moves on one line. */
  private variation(id: number): HTMLElement {
    const parts: Node[] = [];
    for (let at: number | undefined = id; at !== undefined && parts.length < 8; at = this.session.children[at]?.[0]) {
      const step: Step | undefined = this.session.steps[at];
      if (step) parts.push(this.button(step, `${step.ply}. ${step.text}`));
    }
    return h("div", { class: "variation" }, ...parts);
  }
}

const WIDTH = 360;
const HEIGHT = 90;

/** The value of each seat over the line, and the moves after which it changed most. */
export class Graph {
  readonly element: HTMLElement;
  private readonly svg = s("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "graph", role: "img", "aria-label": "Values over the game", preserveAspectRatio: "none" });
  private readonly moments = h("div", { class: "moments" });
  private readonly progress = h("progress", { max: 1, value: 0, hidden: true, "aria-label": "Positions evaluated" });
  private readonly empty = h("p", { class: "quiet" }, "No values yet: evaluate the game, or play against an agent.");

  constructor(
    private readonly session: Session,
    evaluate: () => void,
  ) {
    const button = h("button", { type: "button", onclick: evaluate, title: "Let the agent look at every position of this game" }, "Evaluate the game");
    this.element = h("section", { class: "panel", "aria-label": "Evaluation graph" }, h("header", {}, h("b", {}, "Evaluation"), button, this.progress), this.svg, this.empty, this.moments);
    this.svg.addEventListener("click", (event) => {
      const box = this.svg.getBoundingClientRect();
      const line = this.session.longLine(this.session.snapshot.node);
      const step = line[Math.round(((event.clientX - box.x) / box.width) * (line.length - 1))];
      if (step) this.session.go(step.id);
    });
  }

  done([done, all]: [number, number]): void {
    this.progress.hidden = done >= all;
    this.progress.value = done / Math.max(1, all);
    this.show();
  }

  show(): void {
    const { session } = this;
    const line = session.longLine(session.snapshot.node);
    const seats = session.snapshot.seats.length;
    const known = line.filter((step) => step.values).length;
    this.empty.hidden = known > 1;
    this.svg.toggleAttribute("hidden", known < 2);
    this.svg.replaceChildren();
    this.moments.replaceChildren();
    if (known < 2) return;
    const x = (index: number): number => (line.length < 2 ? 0 : (index / (line.length - 1)) * WIDTH);
    const y = (value: number): number => 4 + (1 - value) * (HEIGHT - 8);
    this.svg.append(s("line", { x1: 0, x2: WIDTH, y1: y(0.5), y2: y(0.5), class: "axis" }));
    for (let seat = 0; seat < (seats === 2 ? 1 : Math.min(seats, 8)); seat++) {
      const points = line.map((step, index) => [x(index), step.values?.[seat]] as const).filter(([, value]) => value !== undefined);
      const path = points.map(([px, value], index) => `${index === 0 ? "M" : "L"}${px.toFixed(1)} ${y(value ?? 0.5).toFixed(1)}`).join("");
      if (seats === 2) {
        const [first, last] = [points[0]?.[0] ?? 0, points.at(-1)?.[0] ?? 0];
        this.svg.append(s("path", { d: `${path}L${last} ${y(0.5)}L${first} ${y(0.5)}Z`, class: "area" }));
      }
      this.svg.append(s("path", { d: path, class: `curve seat-line-${seat}` }));
    }
    const at = line.findIndex((step) => step.id === session.snapshot.node);
    this.svg.append(s("line", { x1: x(at), x2: x(at), y1: 0, y2: HEIGHT, class: "here" }));
    this.keyMoments(line);
  }

  /** The largest swings of the first seat. */
  private keyMoments(line: Step[]): void {
    const swings: { step: Step; swing: number }[] = [];
    let before: number | undefined;
    for (const step of line) {
      const value = step.values?.[0];
      if (value !== undefined && before !== undefined) swings.push({ step, swing: value - before });
      before = value ?? before;
    }
    swings.sort((a, b) => Math.abs(b.swing) - Math.abs(a.swing));
    const best = swings.filter(({ swing }) => Math.abs(swing) > 0.1).slice(0, 4);
    if (best.length === 0) return;
    const name = this.session.snapshot.seats[0]?.name ?? "";
    const buttons = best.map(({ step, swing }) => {
      const chip = h("button", { type: "button", class: "chip", onclick: () => this.session.go(step.id) }, `${step.ply}. ${step.text} `, h("b", {}, `${swing > 0 ? "+" : "−"}${percent(Math.abs(swing))}`));
      chip.style.borderColor = valueColour(swing > 0 ? 1 : 0);
      return chip;
    });
    this.moments.append(h("span", { class: "quiet" }, `Key moments (${name}): `), ...buttons);
  }
}
