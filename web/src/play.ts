// The page of a table: board, players, analysis, moves, graph.
import { Analysis } from "./analysis";
import { message, Refused } from "./api";
import { Board } from "./board";
import { dialog, download, field, h, percent, say, titled, toast } from "./dom";
import { insightPanel } from "./insight";
import { Graph, MoveList } from "./moves";
import { SearchTree } from "./searchtree";
import { Session, isGone } from "./session";
import { newGame, start } from "./setup";
import { Twin, words } from "./twin";
import type { MoveInfo, Snapshot, ThoughtInfo } from "./types";

const BUTTONS_AT_ONCE = 40;

export class TablePage {
  readonly element = h("div", { class: "table-page" });
  private session!: Session;
  private board: Board | null = null;
  private analysis!: Analysis;
  private list!: MoveList;
  private graph!: Graph;
  private tree!: SearchTree;
  private twin: Twin | null = null;
  private readonly seats = h("div", { class: "seats" });
  private readonly status = h("p", { class: "status", role: "status" });
  private readonly extra = h("div", { class: "extra" });
  private readonly facts = h("pre", { class: "facts" });
  private readonly gauge = h("div", { class: "gauge", "aria-hidden": "true" }, h("i", {}));
  private readonly curtain = h("div", { class: "curtain", hidden: true });
  private readonly input = h("input", { placeholder: "Move or command", "aria-label": "Move or command", spellcheck: false, autocomplete: "off" });
  private shownNode = -1;
  private acting: Promise<void> = Promise.resolve();
  private filter = "";

  /** Opens a table and builds its page. */
  async open(table: string, key: string | null): Promise<void> {
    const self = this;
    this.session = await Session.open(table, key, {
      snapshot: () => self.show(),
      thought: (thought) => self.analysis.hear(thought),
      branch: (branch) => self.tree.hear(branch),
      value: (_, done) => self.graph.done(done),
      error: (text) => toast(text, true),
      connected: (open) => self.element.classList.toggle("offline", !open),
    });
    this.build();
    this.show();
  }

  close(): void {
    this.session?.close();
  }

  private build(): void {
    const { session } = this;
    const { setting } = session;
    const name = titled(setting.title || setting.game);
    document.title = `${name} · Ludex studio`;
    if (setting.board.sites.length > 0) {
      this.board = new Board(setting.board, setting.facts.painter, (site) => this.describe(site), {
        play: (move) => void this.play(move),
        choose: (moves, at) => this.choose(moves, at),
      });
    }
    this.analysis = new Analysis(session, this.board, (text) => void this.playText(text), (thought) => this.weigh(thought));
    this.tree = new SearchTree(session, this.board, (line) => this.playLine(line));
    this.list = new MoveList(session, this.navigation());
    this.graph = new Graph(session, () => session.send({ type: "graph", node: session.longLine(session.snapshot.node).at(-1)?.id ?? 0, agent: setting.usual, ms: 200, reveal: session.reveal }));
    if (this.board) this.twin = new Twin(session, this.board, () => this.status.textContent ?? "", () => this.analysis.words());
    const form = h("form", { class: "command", onsubmit: (event: Event) => { event.preventDefault(); void this.command(); } }, this.input, h("button", { type: "submit" }, "Go"));
    const tools = h(
      "div",
      { class: "tools" },
      this.tool("New game", () => void newGame(setting.game, session.snapshot.seats.map((seat) => seat.agent))),
      this.tool("Take back", () => void this.undo(), "u"),
      this.tool("Hint", () => this.hint(), "h"),
      this.tool("Resign", () => void this.resign()),
      this.tool("Share", () => this.share()),
      this.tool("Rules", () => { location.hash = `#/rules?game=${encodeURIComponent(setting.game)}`; }),
      this.board && this.tool("Flip", () => this.board?.flip(), "f"),
    );
    const stage = h("div", { class: "stage" }, this.gauge, h("div", { class: "stage-board" }, this.board?.svg ?? this.facts, this.curtain), this.board && this.facts);
    const title = h("h1", {}, name);
    const left = h("div", { class: "left" }, title, stage, this.extra);
    const right = h("div", { class: "right" }, this.seats, this.status, form, tools, this.analysis.element, this.list.element, this.graph.element, this.tree.element, this.twin?.element, insightPanel(() => setting.game));
    this.element.replaceChildren(left, right);
    requestAnimationFrame(() => this.board?.crop());
  }

  private tool(text: string, act: () => void, key = ""): HTMLElement {
    return h("button", { type: "button", onclick: act, title: key ? `${text} (${key})` : text }, text);
  }

  private navigation(): HTMLElement {
    const button = (sign: string, label: string, act: () => void): HTMLElement => h("button", { type: "button", "aria-label": label, title: label, onclick: act }, sign);
    const pause = h("button", { type: "button", class: "pause", onclick: () => void this.act(() => this.session.control({ paused: !this.session.snapshot.paused })) }, "Pause");
    return h("div", { class: "navigation" }, button("«", "First position", () => this.session.go(0)), button("‹", "Previous move", () => this.step(-1)), button("›", "Next move", () => this.step(1)), button("»", "Last position", () => this.session.go(this.session.longLine(this.session.snapshot.node).at(-1)?.id ?? null)), pause);
  }

  /** Goes along the line. */
  step(by: number): void {
    const { session } = this;
    const line = session.longLine(session.snapshot.node);
    const at = line.findIndex((step) => step.id === session.snapshot.node);
    const next = line[at + by];
    if (next) session.go(next.id);
  }

  // Showing.

  private show(): void {
    const { snapshot, steps } = this.session;
    const step = steps[snapshot.node] ?? null;
    const moved = snapshot.node !== this.shownNode;
    this.shownNode = snapshot.node;
    this.board?.show(snapshot, step && { from: step.from, to: step.to });
    this.facts.textContent = snapshot.facts;
    this.facts.hidden = !snapshot.facts || (this.board !== null && snapshot.facts === "(hidden)");
    this.showSeats(snapshot);
    const status = this.statusText(snapshot);
    if (this.status.textContent !== status) {
      this.status.textContent = status;
      this.status.classList.toggle("bad", Boolean(snapshot.note));
    }
    this.showExtra(snapshot);
    this.list.show();
    this.graph.show();
    this.twin?.show(snapshot);
    this.weigh(null);
    const pause = this.element.querySelector<HTMLElement>(".pause");
    if (pause) {
      pause.textContent = snapshot.paused ? "Go on" : "Pause";
      pause.hidden = snapshot.seats.every((seat) => seat.yours || seat.agent === "human");
    }
    if (moved && step?.text) say(`${this.movers(step.movers)} ${step.text}. ${status}`);
    this.analysis.follow();
    this.tree.follow();
    this.showCurtain(snapshot);
  }

  private movers(seats: number[]): string {
    return seats.map((seat) => this.session.snapshot.seats[seat]?.name ?? "").join(" and ");
  }

  private statusText(snapshot: Snapshot): string {
    if (snapshot.note) return snapshot.note;
    const names = snapshot.seats.map((seat) => seat.name);
    if (snapshot.payoffs) {
      const resigned = snapshot.resigned === null ? "" : `${names[snapshot.resigned]} resigned. `;
      const best = Math.max(...snapshot.payoffs);
      const winners = names.filter((_, seat) => snapshot.payoffs?.[seat] === best);
      if (names.length === 1) return `${resigned}The game is over: ${percent(best)}`;
      if (winners.length > 1) return `${resigned}A draw`;
      const yours = snapshot.seats.filter((seat) => seat.yours).length === 1 && snapshot.seats.some((seat) => seat.yours && seat.name === winners[0]);
      return `${resigned}${yours ? `You win (${winners[0]})` : `${winners[0]} wins`}`;
    }
    if (snapshot.turn === "chance") return "Chance moves";
    if (snapshot.turn === "others") return "The others move";
    const mine = snapshot.moves.length > 0;
    const movers = this.movers(snapshot.movers);
    if (mine && snapshot.node !== snapshot.live) return `${movers} to move (a variation begins here)`;
    if (mine) return snapshot.seats.filter((seat) => seat.yours).length > 1 ? `${movers} to move` : "Your move";
    return snapshot.node === snapshot.live ? `${movers} to move…` : `${movers} to move`;
  }

  private showSeats(snapshot: Snapshot): void {
    const live = snapshot.node === snapshot.live;
    this.seats.replaceChildren(
      ...snapshot.seats.map((seat, index) => {
        const turn = snapshot.movers.includes(index);
        const payoff = snapshot.payoffs?.[index];
        const right = payoff !== undefined ? String(Math.round(payoff * 100) / 100) : live && seat.waiting && !seat.yours ? "thinks" : "";
        return h("button", { type: "button", class: `seat${turn ? " turn" : ""}`, title: "Change who plays here", onclick: () => this.changeSeat(index) }, this.dot(index), h("b", {}, seat.name), h("span", { class: "quiet" }, seat.yours && seat.agent === "human" ? "you" : seat.agent), h("span", { class: "right" }, right));
      }),
    );
  }

  /** A dot in the colour of a seat. */
  private dot(seat: number): HTMLElement {
    const dot = h("i", { class: `seat-dot seat-${seat % 8}` });
    const colour = this.session.setting.board.colours[seat];
    if (colour) dot.style.background = colour;
    return dot;
  }

  /** Buttons for moves that are not on the board, dice, counters, and the view of hidden games. */
  private showExtra(snapshot: Snapshot): void {
    const parts: Node[] = [];
    if (snapshot.dice.length > 0 && !this.board) parts.push(h("div", { class: "dice", "aria-label": `Dice: ${snapshot.dice.join(", ")}`, role: "img" }, ...snapshot.dice.map((value) => h("b", {}, String(value)))));
    if (snapshot.counters.length > 0 && !this.board) parts.push(h("dl", { class: "counters" }, ...snapshot.counters.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))));
    const loose = snapshot.moves.filter((move) => !this.board || (move.from === null && move.to === null));
    if (loose.length > 0) parts.push(this.buttons(loose));
    if (snapshot.payoffs && snapshot.node === snapshot.live) parts.push(this.after(snapshot));
    if (snapshot.hides || this.session.reveal || snapshot.viewer !== null) parts.push(this.viewSwitch(snapshot));
    const focused = this.extra.contains(document.activeElement) && document.activeElement?.tagName === "INPUT";
    this.extra.replaceChildren(...parts);
    if (focused) this.extra.querySelector("input")?.focus();
  }

  /** What people do after a game. */
  private after(snapshot: Snapshot): HTMLElement {
    const { game, position, seed } = this.session.setting;
    const again = (): void => void this.act(() => start({ game, position, seats: snapshot.seats.map((seat) => seat.agent), seed: seed + 1, pace: snapshot.pace }));
    const known = snapshot.seats.every((seat) => seat.agent === "human" || !seat.yours);
    return h("div", { class: "row" }, known && h("button", { type: "button", class: "primary", onclick: again }, "Play again"), h("button", { type: "button", onclick: () => { this.session.go(0); this.analysis.set(true); } }, "Analyse from the start"));
  }

  private buttons(moves: MoveInfo[]): HTMLElement {
    const many = new Set(moves.map((move) => move.seat)).size > 1;
    const shown = moves.filter((move) => move.text.toLowerCase().includes(this.filter.toLowerCase()));
    const list = shown.slice(0, BUTTONS_AT_ONCE).map((move) => h("button", { type: "button", class: "loose", onclick: () => void this.play(move) }, many ? `${this.session.snapshot.seats[move.seat]?.name}: ${move.text}` : move.text));
    const search = moves.length > BUTTONS_AT_ONCE && h("input", { value: this.filter, placeholder: `Filter ${moves.length} moves`, "aria-label": "Filter the moves", oninput: (event: Event) => { this.filter = (event.target as HTMLInputElement).value; this.showExtra(this.session.snapshot); } });
    return h("div", { class: "loose-moves", role: "group", "aria-label": "Moves" }, search || null, ...list, shown.length > list.length && h("span", { class: "quiet" }, `and ${shown.length - list.length} more`));
  }

  private viewSwitch(snapshot: Snapshot): HTMLElement {
    const { session } = this;
    const button = (text: string, on: boolean, act: () => void): HTMLElement => h("button", { type: "button", "aria-pressed": String(on), class: on ? "chip on" : "chip", onclick: act }, text);
    const yours = snapshot.seats.map((seat, index) => ({ seat, index })).filter(({ seat }) => seat.yours);
    const views = yours.map(({ seat, index }) => button(`As ${seat.name}`, !session.reveal && snapshot.viewer === index, () => session.from(index, false)));
    if (snapshot.may_reveal) views.push(button("Reveal everything", session.reveal, () => session.from(session.seat, !session.reveal)));
    return h("div", { class: "views", role: "group", "aria-label": "View" }, h("span", { class: "quiet" }, "A part of this game is hidden. "), ...views);
  }

  /** Two people at one screen: the next one asks for the view. */
  private showCurtain(snapshot: Snapshot): void {
    const yours = snapshot.seats.filter((seat) => seat.yours).length;
    const hidden = this.session.setting.facts.hidden && yours > 1 && snapshot.hides && !snapshot.payoffs;
    const seat = snapshot.viewer;
    const veil = (on: boolean): void => {
      this.curtain.hidden = !on;
      this.element.classList.toggle("veiled", on);
    };
    if (!hidden || seat === null) return veil(false);
    if (this.curtain.dataset.seat === String(seat)) return;
    this.curtain.dataset.seat = String(seat);
    veil(true);
    const name = snapshot.seats[seat]?.name ?? "";
    this.curtain.replaceChildren(h("p", {}, `The next view is for ${name}.`), h("button", { type: "button", class: "primary", onclick: () => veil(false) }, `I am ${name}`));
  }

  /** The bar beside the board: the value of the first seat. */
  private weigh(thought: ThoughtInfo | null): void {
    const { snapshot, steps } = this.session;
    let value = snapshot.payoffs?.[0] ?? steps[snapshot.node]?.values?.[0];
    if (thought?.value !== null && thought?.value !== undefined && snapshot.seats.length === 2) value = thought.seat === 0 ? thought.value : 1 - thought.value;
    this.gauge.classList.toggle("known", value !== undefined && snapshot.seats.length === 2);
    const bar = this.gauge.firstElementChild as HTMLElement;
    if (value !== undefined) bar.style.height = `${100 * (1 - value)}%`;
  }

  private describe(site: number): string {
    const { snapshot, setting } = this.session;
    return words(setting.board, snapshot, site, snapshot.seats.map((seat) => seat.name));
  }

  // Acting.

  /** Does one thing after the other, so that quick clicks are kept in their order. */
  private act(work: () => Promise<void>): Promise<void> {
    this.acting = this.acting.then(work).catch((error: unknown) => {
      toast(message(error), true);
      say(message(error), true);
    });
    return this.acting;
  }

  private play(move: MoveInfo): Promise<void> {
    this.filter = "";
    const node = this.session.snapshot.node;
    return this.act(() => this.session.move({ node, seat: move.seat, index: move.index }));
  }

  /** The seat that types: the first of mine that moves. */
  private typist(): number {
    const { snapshot } = this.session;
    return snapshot.moves[0]?.seat ?? snapshot.seats.findIndex((seat) => seat.yours);
  }

  private async playText(text: string): Promise<boolean> {
    try {
      await this.session.move({ node: this.session.snapshot.node, seat: Math.max(0, this.typist()), text });
      return true;
    } catch (error) {
      if (error instanceof Refused && error.choices.length > 0) {
        const box = this.input.getBoundingClientRect();
        this.choose(error.choices, { x: box.x, y: box.bottom });
        return true;
      }
      toast(message(error), true);
      say(message(error), true);
      return false;
    }
  }

  /** Plays a line of the search tree as a variation, as far as this page may move. */
  private playLine(line: string[]): Promise<void> {
    let node = this.session.snapshot.node;
    return this.act(async () => {
      for (const text of line) {
        await this.session.move({ node, seat: Math.max(0, this.typist()), text });
        node = this.session.snapshot.node;
      }
    });
  }

  /** A small menu where several moves fit. */
  private choose(moves: MoveInfo[], at: { x: number; y: number }): void {
    const list = moves.slice(0, 60).map((move) => h("button", { type: "button", onclick: () => { box.close(); void this.play(move); } }, move.text));
    const box = h("dialog", { class: "chooser", "aria-label": "Which move?" }, h("p", {}, "Which move?"), ...list);
    box.addEventListener("close", () => box.remove());
    box.addEventListener("click", (event) => event.target === box && box.close());
    document.body.append(box);
    box.showModal();
    box.style.left = `${Math.max(4, Math.min(at.x, innerWidth - box.offsetWidth - 8))}px`;
    box.style.top = `${Math.max(4, Math.min(at.y, innerHeight - box.offsetHeight - 8))}px`;
    list[0]?.focus();
  }

  private async command(): Promise<void> {
    const text = this.input.value.trim();
    const commands: Record<string, () => void> = {
      next: () => this.step(1),
      prev: () => this.step(-1),
      first: () => this.session.go(0),
      last: () => this.session.go(null),
      undo: () => void this.undo(),
      hint: () => this.hint(),
      eval: () => say(this.analysis.words(), true),
      analyse: () => this.analysis.set(!this.analysis.running),
      flip: () => this.board?.flip(),
      moves: () => say(this.session.snapshot.moves.map((move) => move.text).join(", ") || "no moves", true),
    };
    const act = commands[text.toLowerCase()];
    if (act) act();
    else if (text && !(await this.playText(text))) return this.input.select();
    this.input.value = "";
  }

  undo(): Promise<void> {
    return this.act(() => this.session.control({ undo: true }));
  }

  private resign(): Promise<void> {
    const seat = this.session.snapshot.seats.findIndex((seat, index) => seat.yours && this.session.snapshot.movers.includes(index));
    const mine = seat >= 0 ? seat : this.session.snapshot.seats.findIndex((seat) => seat.yours);
    return this.act(() => this.session.control({ resign: Math.max(0, mine) }));
  }

  /** Shows the best move after a moment of thought. */
  hint(): void {
    if (!this.analysis.running) this.analysis.set(true);
    setTimeout(() => {
      const best = this.analysis.best();
      if (best) {
        toast(`${this.session.setting.usual} would play ${best.text} (${percent(best.value)})`);
        say(`Hint: ${best.text}`, true);
      }
    }, 900);
  }

  private changeSeat(index: number): void {
    const { session } = this;
    const seat = session.snapshot.seats[index];
    if (!seat) return;
    const who = h("input", { value: seat.agent, list: "seat-agents", spellcheck: false });
    const names = h("datalist", { id: "seat-agents" }, h("option", { value: "human" }), ...session.setting.agents.map((name) => h("option", { value: `${name}@time=1s` })));
    const box = dialog(`${seat.name}: who plays?`, h("form", { onsubmit: (event: Event) => { event.preventDefault(); box.close(); void this.act(() => session.reseat(index, who.value.trim())); } }, field("Person or agent", who, "human, or the name of an agent such as uct(c=1.4)@sims=1000"), names, h("footer", {}, h("button", { type: "submit", class: "primary" }, "Change"))));
    const key = session.keys[index];
    if (key) {
      const link = `${location.href.split("#")[0]}#/table/${session.id}?key=${key}`;
      box.append(field("Invite another page to this seat", h("input", { value: link, readonly: true, onfocus: (event: Event) => (event.target as HTMLInputElement).select() })));
    }
  }

  private share(): void {
    const { session } = this;
    const { setting, snapshot } = session;
    const query = new URLSearchParams({ game: setting.game, seed: String(setting.seed) });
    if (setting.position) query.set("position", setting.position);
    const moves = snapshot.hides ? "" : session.moves(snapshot.node);
    if (moves) query.set("moves", moves);
    query.set("seats", snapshot.seats.map((seat) => seat.agent).join("|"));
    const link = `${location.href.split("#")[0]}#/play?${query}`;
    const own = h("input", { value: link, readonly: true, "aria-label": "Link", onfocus: (event: Event) => (event.target as HTMLInputElement).select() });
    const copy = h("button", { type: "button", class: "primary", onclick: () => void navigator.clipboard.writeText(link).then(() => toast("Copied")) }, "Copy");
    const file = (format: string, name: string): HTMLElement => h("button", { type: "button", onclick: () => download(session.exportUrl(format)) }, name);
    const place = h("textarea", { rows: 3, spellcheck: false, "aria-label": "Position" }, snapshot.position ?? "");
    // The short notation is made on demand: the snapshot has the exact one.
    void fetch(session.exportUrl("position")).then((answer) => (answer.ok ? answer.text() : ""), () => "").then((text) => { if (text) place.value = text.trim(); });
    const open = h("button", { type: "button", onclick: () => { box.close(); void start({ game: setting.game, position: place.value.trim(), seats: snapshot.seats.map(() => "human"), paused: true }).catch((error: unknown) => toast(message(error), true)); } }, "Open this position");
    const box = dialog("Share and export", h("p", {}, snapshot.hides ? "The link opens the same game with the same seed." : "The link opens the same game at this position with the same seed."), h("div", { class: "row" }, own, copy), h("h3", {}, "Files"), h("div", { class: "row" }, file("text", "Text"), file("json", "JSON"), file("svg", "Picture"), file("animation", "Animation (SVG)"), file("gif", "Animation (GIF)"), setting.notation !== null && file("notation", setting.notation)), snapshot.position !== null && h("h3", {}, "Position"), snapshot.position !== null && place, snapshot.position !== null && h("div", { class: "row" }, open));
  }

  /** Keys that work everywhere on the page. */
  key(event: KeyboardEvent): void {
    const keys: Record<string, () => void> = {
      ArrowLeft: () => this.step(-1),
      ArrowRight: () => this.step(1),
      Home: () => this.session.go(0),
      End: () => this.session.go(null),
      u: () => void this.undo(),
      f: () => this.board?.flip(),
      h: () => this.hint(),
      a: () => this.analysis.set(!this.analysis.running),
      t: () => { if (this.twin) { const details = this.twin.element as HTMLDetailsElement; details.open = !details.open; details.scrollIntoView({ block: "nearest" }); details.querySelector<HTMLElement>("[tabindex='0']")?.focus(); } },
      "/": () => this.input.focus(),
      b: () => this.board?.svg.focus(),
    };
    const act = keys[event.key];
    if (!act) return;
    act();
    event.preventDefault();
  }
}

/** Opens a table; a table that is gone is set up again from what this tab remembers. */
export async function openTable(table: string, key: string | null): Promise<TablePage> {
  const page = new TablePage();
  try {
    await page.open(table, key);
  } catch (error) {
    if (isGone(error)) throw new Error("This table is gone: the server was started again, or the table was left long ago. Pick a game to start a new one.");
    throw error;
  }
  return page;
}
