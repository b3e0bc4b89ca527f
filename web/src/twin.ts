// The board as text: a table of buttons that follows the board, for screen readers and for people who prefer words.
import { nearest, type Board } from "./board";
import { h, say } from "./dom";
import type { Session } from "./session";
import type { BoardInfo, Snapshot } from "./types";

/** What stands on a site, in words. */
export function words(info: BoardInfo, snapshot: Snapshot, site: number, players: string[]): string {
  const label = info.sites[site]?.label || `site ${site + 1}`;
  const place = info.sites[site]?.place;
  const here = snapshot.pieces.filter((piece) => piece.site === site);
  const name = (piece: (typeof here)[number]): string => {
    const kind = piece.piece === null ? undefined : info.pieces[piece.piece];
    let text = kind?.name ?? "hidden piece";
    const owner = piece.owner === null ? undefined : players[piece.owner];
    if (owner && !text.toLowerCase().includes(owner.toLowerCase())) text = `${owner} ${text}`;
    if (piece.count > 1) text = `${piece.count} × ${text}`;
    if (piece.state !== null && piece.state !== 0) text += ` (${piece.state})`;
    return text;
  };
  const what = here.length === 0 ? "empty" : here.length === 1 && here[0] ? name(here[0]) : `stack: ${here.map(name).join(", ")}`;
  return `${place ? `${place} ` : ""}${label}: ${what}`;
}

export class Twin {
  readonly element: HTMLElement;
  private readonly sites = h("div", { class: "twin-board", role: "group", "aria-label": "Sites" });
  private readonly pieces = h("div", {});
  private readonly status = h("p", {});
  private readonly buttons: HTMLButtonElement[] = [];

  constructor(
    private readonly session: Session,
    private readonly board: Board,
    private readonly status_text: () => string,
    private readonly evaluation: () => string,
  ) {
    this.build();
    const keys = "Arrow keys move between sites, Enter selects. m: moves from here. l: last move. c: scores. e: evaluation. Digits jump to rows, Shift and a letter to the next piece with that letter.";
    this.element = h("details", { class: "panel twin" }, h("summary", {}, "Board as text"), this.status, h("h3", {}, "Pieces"), this.pieces, h("h3", {}, "Board"), h("p", { class: "quiet" }, keys), this.sites);
  }

  private rows(): number[][] {
    const { sites } = this.board.info;
    const order = sites.map((_, index) => index).sort((a, b) => (sites[a]?.y ?? 0) - (sites[b]?.y ?? 0));
    const rows: number[][] = [];
    let top = -Infinity;
    for (const index of order) {
      const y = sites[index]?.y ?? 0;
      if (y - top > 0.35) {
        rows.push([]);
        top = y;
      }
      rows.at(-1)?.push(index);
    }
    for (const row of rows) row.sort((a, b) => (sites[a]?.x ?? 0) - (sites[b]?.x ?? 0));
    return rows;
  }

  private build(): void {
    for (const row of this.rows()) {
      const line = h("div", { class: "twin-row" });
      for (const index of row) {
        const button = h("button", { type: "button", tabindex: -1, "data-site": index, onclick: () => this.board.click(index) });
        this.buttons[index] = button;
        line.append(button);
      }
      this.sites.append(line);
    }
    const first = this.sites.querySelector("button");
    if (first) first.tabIndex = 0;
    this.sites.addEventListener("keydown", (event) => this.type(event));
    this.sites.addEventListener("focusin", (event) => {
      for (const button of this.sites.querySelectorAll<HTMLButtonElement>("[tabindex='0']")) button.tabIndex = -1;
      (event.target as HTMLButtonElement).tabIndex = 0;
    });
  }

  show(snapshot: Snapshot): void {
    const { info } = this.board;
    const players = snapshot.seats.map((seat) => seat.name);
    this.status.textContent = this.status_text();
    this.buttons.forEach((button, index) => {
      const text = words(info, snapshot, index, players);
      const here = snapshot.pieces.filter((piece) => piece.site === index);
      const top = here.at(-1);
      const letters = top ? (top.piece === null ? "?" : (info.pieces[top.piece]?.letters ?? "?")) : "·";
      const short = top && (top.owner ?? 0) % 2 === 1 ? letters.toLowerCase() : letters;
      const count = top && top.count > 1 ? String(top.count) : here.length > 1 ? `${short}${here.length}` : short;
      if (button.getAttribute("aria-label") !== text) button.setAttribute("aria-label", text);
      if (button.textContent !== count) button.textContent = count;
    });
    const groups = new Map<string, string[]>();
    for (const piece of snapshot.pieces) {
      const owner = piece.owner === null ? "Neutral" : (players[piece.owner] ?? "?");
      const kind = piece.piece === null ? "hidden" : (info.pieces[piece.piece]?.name ?? "?");
      const text = `${kind} ${info.sites[piece.site]?.label ?? piece.site}${piece.count > 1 ? ` × ${piece.count}` : ""}`;
      groups.set(owner, [...(groups.get(owner) ?? []), text]);
    }
    this.pieces.replaceChildren(...[...groups].map(([owner, list]) => h("p", {}, h("b", {}, `${owner}: `), list.join(", "))));
    if (groups.size === 0) this.pieces.append(h("p", {}, snapshot.facts || "No pieces."));
  }

  private type(event: KeyboardEvent): void {
    const from = Number((event.target as HTMLElement).dataset.site);
    if (Number.isNaN(from) || event.ctrlKey || event.metaKey || event.altKey) return;
    const ways: Record<string, [number, number]> = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
    const way = ways[event.key];
    const { info } = this.board;
    const snapshot = this.session.snapshot;
    const focus = (site: number | null | undefined): void => void (site !== null && site !== undefined && this.buttons[site]?.focus());
    if (way) focus(nearest(info, from, way[0], way[1]));
    else if (event.key === "m") {
      const moves = snapshot.moves.filter((move) => move.from === from || (move.from === null && move.to === from));
      say(moves.length > 0 ? moves.map((move) => move.text).join(", ") : "no moves from here");
    } else if (event.key === "l") say(this.session.steps[snapshot.node]?.text || "no move yet");
    else if (event.key === "c") say(snapshot.counters.map(([name, value]) => `${name} ${value}`).join(", ") || "no scores");
    else if (event.key === "e") say(this.evaluation());
    else if (/^[1-9]$/.test(event.key)) {
      const rows = this.rows();
      focus(rows[rows.length - Number(event.key)]?.[0]);
    } else if (/^[A-Z]$/.test(event.key)) {
      const of = (site: number): boolean => snapshot.pieces.some((piece) => piece.site === site && piece.piece !== null && info.pieces[piece.piece]?.letters.toUpperCase().startsWith(event.key));
      const order = [...this.buttons.keys()].map((offset) => (from + 1 + offset) % this.buttons.length);
      focus(order.find(of));
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
