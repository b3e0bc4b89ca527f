// The browser of the search tree: moves below moves, each position searched when it is opened.
import { valueColour } from "./analysis";
import type { Board } from "./board";
import { h, percent, select, thousands } from "./dom";
import type { Session } from "./session";
import type { BranchInfo, CandidateInfo } from "./types";

const TIMES: [string, string][] = [["100", "0.1 s each"], ["500", "0.5 s each"], ["2000", "2 s each"]];
/** Moves that are shown below a position before one asks for more. */
const FEW = 8;

/** A position of the tree: the move that leads to it, and what its search found. */
interface Spot {
  line: string[];
  item: HTMLElement;
  branch: HTMLElement;
  group: HTMLElement;
  parent: Spot | null;
  found: BranchInfo | null;
  open: boolean;
  /** Can it be opened? A move of players who move at the same time is not a whole step. */
  leaf: boolean;
}

export class SearchTree {
  readonly element: HTMLDetailsElement;
  private readonly list = h("ul", { role: "tree", "aria-label": "Search tree", class: "tree" });
  private readonly about = h("p", { class: "quiet", role: "status" });
  private readonly chosen = h("div", { class: "row tree-line" });
  private readonly agent: HTMLInputElement;
  private ms = "500";
  private node = -1;
  private root: Spot | null = null;
  private current: Spot | null = null;
  private waiting: Spot[] = [];
  private asked: Spot | null = null;

  constructor(
    private readonly session: Session,
    private readonly board: Board | null,
    private readonly played: (line: string[]) => Promise<void>,
  ) {
    const { agents, usual } = session.setting;
    const names = h("datalist", { id: "tree-agents" }, ...agents.map((name) => h("option", { value: name })));
    this.agent = h("input", { value: usual, list: "tree-agents", "aria-label": "Agent of the search tree", spellcheck: false, onchange: () => this.restart() });
    const times = select(TIMES, this.ms, (value) => { this.ms = value; this.restart(); }, { "aria-label": "Time of a position" });
    this.element = h("details", { class: "panel search-tree" }, h("summary", {}, h("b", {}, "Search tree")), h("div", { class: "row" }, this.agent, names, times), this.about, this.list, this.chosen);
    this.element.addEventListener("toggle", () => this.restart());
    this.list.addEventListener("keydown", (event) => this.key(event));
    this.list.addEventListener("mouseleave", () => this.board?.preview(null));
  }

  /** Follows the position on the board. */
  follow(): void {
    if (this.session.snapshot.node !== this.node) this.restart();
  }

  private restart(): void {
    this.node = this.session.snapshot.node;
    this.waiting = [];
    this.asked = null;
    this.current = null;
    this.root = null;
    this.board?.preview(null);
    this.list.replaceChildren();
    this.chosen.replaceChildren();
    this.about.textContent = "";
    if (!this.element.open) return;
    this.root = { line: [], item: this.list, branch: this.list, group: this.list, parent: null, found: null, open: true, leaf: false };
    this.search(this.root);
  }

  /** Asks for one position after the other: a search of the page ends when the next one begins. */
  private search(spot: Spot): void {
    if (spot.found || this.asked === spot || this.waiting.includes(spot)) return;
    this.waiting.push(spot);
    this.next();
  }

  private next(): void {
    if (this.asked) return;
    this.asked = this.waiting.shift() ?? null;
    if (!this.asked) return;
    this.about.textContent = "Searching…";
    this.session.send({ type: "branch", node: this.node, line: this.asked.line, agent: this.agent.value.trim(), ms: Number(this.ms), reveal: this.session.reveal });
  }

  /** The answer of the server. */
  hear(branch: BranchInfo): void {
    const spot = this.asked;
    if (!spot || branch.node !== this.node || branch.line.join("\n") !== spot.line.join("\n")) return;
    this.asked = null;
    this.about.textContent = "";
    spot.found = branch;
    if (branch.error) this.about.textContent = branch.error;
    this.fill(spot, FEW);
    this.next();
  }

  private seat(index: number | null): string {
    return index === null ? "" : (this.session.snapshot.seats[index]?.name ?? "");
  }

  private fill(spot: Spot, most: number): void {
    const { found } = spot;
    if (!found) return;
    const spots = [...this.moves(spot, found).slice(0, most), ...this.outcomes(spot, found).slice(0, most)];
    const parts: Node[] = spots.map((child) => child.branch);
    const left = found.candidates.length + found.outcomes.length - spots.length;
    const note = (text: string): HTMLElement => h("li", { role: "none", class: "quiet note" }, text);
    if (found.payoffs) parts.push(note(`The game is over: ${found.payoffs.map((payoff, seat) => `${this.seat(seat)} ${percent(payoff)}`).join(", ")}`));
    else if (found.error) parts.push(note(found.error));
    if (left > 0) parts.push(h("li", { role: "none" }, h("button", { type: "button", class: "plain link", onclick: () => this.fill(spot, 1000) }, `${left} more`)));
    spot.group.replaceChildren(...parts);
    if (spot === this.root && spots[0]) {
      this.current = spots[0];
      spots[0].item.tabIndex = 0;
      const worth = found.value === null ? "" : ` expects ${percent(found.value, 1)}`;
      this.about.textContent = found.turn === "chance" ? "Chance moves" : `${this.seat(found.seat)} moves${worth}. Values are those of the player who moves.`;
    }
  }

  private moves(spot: Spot, found: BranchInfo): Spot[] {
    const most = Math.max(1, ...found.candidates.map((candidate) => candidate.visits));
    return found.candidates.map((candidate) => {
      const bar = h("i", { class: "tree-bar" });
      bar.style.width = `${candidate.visits > 0 ? Math.max(2, (60 * candidate.visits) / most) : 0}px`;
      bar.style.background = valueColour(candidate.value);
      const share = `${percent(candidate.value, 1)}${candidate.proven ? " proven" : ""}`;
      const visits = candidate.visits > 0 ? `${thousands(candidate.visits)} visits` : "";
      return this.spot(spot, candidate.text, this.seat(found.seat), found.turn === "joint", h("b", {}, candidate.text), h("span", { class: "number" }, share), bar, h("span", { class: "quiet" }, visits), this.rest(candidate));
    });
  }

  /** How the search would go on after the move. */
  private rest(candidate: CandidateInfo): HTMLElement | null {
    const line = candidate.line.slice(1, 6).join(" ");
    return line ? h("span", { class: "quiet tree-rest" }, `→ ${line}`) : null;
  }

  private outcomes(spot: Spot, found: BranchInfo): Spot[] {
    return found.outcomes.map(([text, probability]) => this.spot(spot, text, "Chance", false, h("b", {}, text), h("span", { class: "number" }, percent(probability, 1))));
  }

  private spot(parent: Spot, text: string, who: string, leaf: boolean, ...content: (Node | null)[]): Spot {
    const mark = h("span", { class: "tree-mark", "aria-hidden": "true" }, leaf ? "·" : "▸");
    const group = h("ul", { role: "group", hidden: true });
    const words = content.flatMap((part) => (part ? [part, " "] : []));
    const item = h("div", { class: "tree-row", role: "treeitem", tabindex: -1, "aria-level": String(parent.line.length + 1), "aria-selected": "false", "aria-expanded": leaf ? null : "false" }, mark, h("span", { class: "spoken" }, `${who}: `), ...words);
    const branch = h("li", { role: "none" }, item, group);
    const spot: Spot = { line: [...parent.line, text], item, branch, group, parent, found: null, open: false, leaf };
    item.addEventListener("click", () => { this.choose(spot); this.toggle(spot); });
    item.addEventListener("mouseenter", () => void this.preview(spot));
    item.addEventListener("focus", () => this.choose(spot, false));
    spots.set(item, spot);
    return spot;
  }

  private toggle(spot: Spot, open = !spot.open): void {
    if (spot.leaf) return;
    spot.open = open;
    spot.group.hidden = !open;
    spot.item.setAttribute("aria-expanded", String(open));
    const mark = spot.item.querySelector(".tree-mark");
    if (mark) mark.textContent = open ? "▾" : "▸";
    if (open) this.search(spot);
  }

  private choose(spot: Spot, focus = true): void {
    if (this.current) {
      this.current.item.tabIndex = -1;
      this.current.item.setAttribute("aria-selected", "false");
    }
    this.current = spot;
    spot.item.tabIndex = 0;
    spot.item.setAttribute("aria-selected", "true");
    if (focus) spot.item.focus({ preventScroll: true });
    const play = h("button", { type: "button", onclick: () => void this.played(spot.line) }, "Play this line");
    this.chosen.replaceChildren(h("span", {}, spot.line.join(" ")), play);
    void this.preview(spot);
  }

  private async preview(spot: Spot): Promise<void> {
    if (!this.board || this.session.snapshot.hides) return;
    const node = this.node;
    try {
      const svg = await this.session.preview(spot.line);
      if (node === this.node && (this.list.matches(":hover") || spot.item === document.activeElement)) this.board.preview(svg);
    } catch {
      // A line that cannot be shown is no reason to disturb.
    }
  }

  /** The keys of a tree: up and down, right opens, left closes, Enter opens or closes, `p` plays the line. */
  private key(event: KeyboardEvent): void {
    const spot = this.current;
    if (!spot || event.ctrlKey || event.metaKey || event.altKey) return;
    const shown = [...this.list.querySelectorAll<HTMLElement>('[role="treeitem"]')].filter((item) => item.offsetParent !== null);
    const at = shown.indexOf(spot.item);
    const to = (item: HTMLElement | undefined | null): void => {
      const other = item && spots.get(item);
      if (other) this.choose(other);
    };
    const keys: Record<string, () => void> = {
      ArrowDown: () => to(shown[at + 1]),
      ArrowUp: () => to(shown[at - 1]),
      Home: () => to(shown[0]),
      End: () => to(shown.at(-1)),
      ArrowRight: () => (spot.open ? to(spot.group.querySelector<HTMLElement>('[role="treeitem"]')) : this.toggle(spot, true)),
      ArrowLeft: () => (spot.open ? this.toggle(spot, false) : spot.parent !== this.root && to(spot.parent?.item)),
      Enter: () => this.toggle(spot),
      " ": () => this.toggle(spot),
      p: () => void this.played(spot.line),
    };
    const act = keys[event.key];
    if (!act) return;
    act();
    event.preventDefault();
    event.stopPropagation();
  }
}

const spots = new WeakMap<HTMLElement, Spot>();
