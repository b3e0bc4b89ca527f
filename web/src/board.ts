// The board: one SVG with the server's drawing, and on it highlights, arrows and targets for pointer and keyboard.
import { s, say, still } from "./dom";
import type { BoardInfo, MoveInfo, SiteInfo, Snapshot } from "./types";

export interface BoardEvents {
  /** One move is meant. */
  play(move: MoveInfo): void;
  /** Several moves fit; the page lets the user choose. */
  choose(moves: MoveInfo[], at: { x: number; y: number }): void;
}

/** An arrow or a disc on the board. */
export interface Mark {
  from: number | null;
  to: number | null;
  /** 0 to 1: how strong. */
  weight: number;
  colour: string;
  label?: string;
  dashed?: boolean;
}

const inPlace = (move: MoveInfo): boolean => move.from === null || move.to === null || move.from === move.to;
const placeOf = (move: MoveInfo): number | null => move.to ?? move.from;

/** The area of a cell in whole board units, so that cells of about one size keep their order. */
function area(site: SiteInfo): number {
  const sum = site.points.reduce((total, [x, y], index) => {
    const [nextX, nextY] = site.points[(index + 1) % site.points.length] as [number, number];
    return total + x * nextY - nextX * y;
  }, 0);
  return Math.floor(Math.abs(sum) / 2);
}

export class Board {
  readonly svg: SVGSVGElement;
  private readonly under = s("g", { class: "under" });
  private readonly piecesAt = s("g", { class: "piece-layer" });
  private readonly marks = s("g", { class: "marks" });
  private readonly over = s("g", { class: "over" });
  private readonly hits = s("g", { class: "hits" });
  private moves: MoveInfo[] = [];
  private selected: number | null = null;
  private cursor: number | null = null;
  private last: Snapshot | null = null;
  private drag: { site: number; x: number; y: number; ghost: SVGGElement | null } | null = null;
  private flipped = false;
  private middle: [number, number];
  private box: [number, number, number, number] | null = null;

  constructor(
    readonly info: BoardInfo,
    private readonly painter: string,
    private readonly describe: (site: number) => string,
    private readonly events: BoardEvents,
  ) {
    const [, , width, height] = info.view_box.split(" ").map(Number) as [number, number, number, number];
    this.middle = [width / 2, height / 2];
    const layer = s("g", {});
    layer.innerHTML = info.svg;
    this.svg = s("svg", {
      viewBox: info.view_box,
      class: "board",
      tabindex: 0,
      role: "application",
      "aria-roledescription": "game board",
      "aria-label": "Board. Arrow keys move, Enter selects.",
    });
    this.svg.append(s("g", { class: "turn" }, layer, this.under, this.piecesAt, this.marks, this.over, this.hits));
    this.svg.style.aspectRatio = `${width} / ${height}`;
    // A cell may contain others, as in a board of boards: the smaller ones are above it.
    const order = info.sites.map((site, index) => ({ site, index })).sort((a, b) => area(b.site) - area(a.site));
    for (const { site, index } of order) this.hits.append(this.target(site, index));
    this.listen();
  }

  /** Cuts the empty margin off, once the board is on the page. */
  crop(): void {
    const layer = this.svg.querySelector<SVGGElement>(".turn > g");
    if (!layer || !this.svg.isConnected) return;
    const box = layer.getBBox();
    let [left, top, right, bottom] = [box.x, box.y, box.x + box.width, box.y + box.height];
    const drawn = this.piecesAt.getBBox();
    if (drawn.width > 0) {
      [left, top] = [Math.min(left, drawn.x), Math.min(top, drawn.y)];
      [right, bottom] = [Math.max(right, drawn.x + drawn.width), Math.max(bottom, drawn.y + drawn.height)];
    }
    for (const site of this.info.sites) {
      left = Math.min(left, site.x - 0.45);
      right = Math.max(right, site.x + 0.45);
      top = Math.min(top, site.y - 0.45);
      bottom = Math.max(bottom, site.y + 0.45);
    }
    // The board never shrinks, so that it does not jump when dice are rolled.
    if (this.box) {
      [left, top] = [Math.min(left, this.box[0]), Math.min(top, this.box[1])];
      [right, bottom] = [Math.max(right, this.box[2]), Math.max(bottom, this.box[3])];
    }
    this.box = [left, top, right, bottom];
    const [width, height] = [right - left + 0.4, bottom - top + 0.4];
    this.svg.setAttribute("viewBox", `${left - 0.2} ${top - 0.2} ${width} ${height}`);
    this.svg.style.aspectRatio = `${width} / ${height}`;
    if (!this.flipped) this.middle = [(left + right) / 2, (top + bottom) / 2];
  }

  private target(site: SiteInfo, index: number): SVGElement {
    const attributes = { class: "hit", "data-site": index };
    if (site.kind === "edge" && site.points.length === 2) {
      const [a, b] = site.points as [[number, number], [number, number]];
      // The ends belong to the vertices.
      const at = (t: number): [number, number] => [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t];
      const [from, to] = [at(0.18), at(0.82)];
      return s("line", { ...attributes, class: "hit edge", x1: from[0], y1: from[1], x2: to[0], y2: to[1] });
    }
    if (site.kind === "cell" && site.points.length === 3 && this.painter === "points") {
      // The checkers of a backgammon board stand beside the tip of their triangle.
      const [xs, ys] = [site.points.map((p) => p[0]), site.points.map((p) => p[1])];
      const [x, y] = [Math.min(...xs), Math.min(...ys)];
      return s("rect", { ...attributes, x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y });
    }
    if (site.kind === "cell" && site.points.length > 2) {
      return s("polygon", { ...attributes, points: site.points.map((p) => p.join(",")).join(" ") });
    }
    return s("circle", { ...attributes, cx: site.x, cy: site.y, r: Math.max(0.2, site.size * 0.48) });
  }

  /** Shows a position and the moves that the user may make in it. */
  show(snapshot: Snapshot, step: { from: number | null; to: number | null } | null): void {
    const before = this.last;
    this.last = snapshot;
    this.moves = snapshot.moves;
    if (!before || before.svg !== snapshot.svg) {
      this.piecesAt.innerHTML = snapshot.svg;
      this.upright(this.piecesAt);
      const forward = before && snapshot.node !== before.node && step?.from !== null && step?.to !== null && step;
      if (forward && !still()) this.slide(forward.from as number, forward.to as number);
    }
    this.crop();
    this.select(null);
    this.under.replaceChildren();
    for (const site of new Set([step?.from, step?.to])) {
      if (site !== null && site !== undefined) this.under.append(this.shape(site, "last"));
    }
    const able = new Set(this.moves.map((move) => (inPlace(move) ? placeOf(move) : move.from)));
    for (const hit of this.hits.children) hit.classList.toggle("able", able.has(Number((hit as SVGElement).dataset.site)));
  }

  /** Shows the pieces of a line that is not played; `null`: the position again. */
  preview(svg: string | null): void {
    this.piecesAt.innerHTML = svg ?? this.last?.svg ?? "";
    this.upright(this.piecesAt);
    this.svg.classList.toggle("previewing", svg !== null);
  }

  flip(): void {
    this.flipped = !this.flipped;
    const turn = this.svg.querySelector(".turn");
    turn?.setAttribute("transform", this.flipped ? `rotate(180 ${this.middle[0]} ${this.middle[1]})` : "");
    const fixed = turn?.firstElementChild;
    if (fixed) {
      fixed.innerHTML = this.info.svg;
      this.upright(fixed as SVGElement);
    }
    this.piecesAt.innerHTML = this.last?.svg ?? "";
    this.upright(this.piecesAt);
  }

  /** Turns pieces and texts of a turned board upright. */
  private upright(layer: SVGElement): void {
    if (!this.flipped) return;
    const root = layer.querySelector("g") ?? layer;
    for (const element of root.children) {
      const transform = element.getAttribute("transform");
      if (transform) element.setAttribute("transform", `${transform} rotate(180)`);
      else if (element.tagName === "text") {
        element.setAttribute("transform", `rotate(180 ${element.getAttribute("x")} ${Number(element.getAttribute("y")) - 0.1})`);
      }
    }
  }

  private site(index: number): SiteInfo | undefined {
    return this.info.sites[index];
  }

  private shape(index: number, name: string): SVGElement {
    const site = this.site(index);
    if (!site) return s("g");
    if (site.kind === "edge" && site.points.length === 2) {
      const [a, b] = site.points as [[number, number], [number, number]];
      return s("line", { class: `${name} edge`, x1: a[0], y1: a[1], x2: b[0], y2: b[1] });
    }
    if (site.kind === "cell" && site.points.length > 2) {
      return s("polygon", { class: name, points: site.points.map((p) => p.join(",")).join(" ") });
    }
    return s("circle", { class: name, cx: site.x, cy: site.y, r: Math.max(0.2, site.size * 0.46) });
  }

  /** The drawn pieces on a site. */
  private drawn(index: number): SVGGElement[] {
    const site = this.site(index);
    if (!site) return [];
    return [...this.piecesAt.querySelectorAll<SVGGElement>("g[transform^='translate']")].filter((piece) => {
      const [x, y] = (/translate\(([-\d.]+)[ ,]+([-\d.]+)/.exec(piece.getAttribute("transform") ?? "") ?? []).slice(1).map(Number);
      return x !== undefined && y !== undefined && Math.hypot(x - site.x, y - site.y) < Math.max(0.25, site.size * 0.45);
    });
  }

  private slide(from: number, to: number): void {
    const [a, b] = [this.site(from), this.site(to)];
    const piece = this.drawn(to).at(-1);
    if (!a || !b || !piece || from === to) return;
    const start = `${a.x - b.x}px ${a.y - b.y}px`;
    piece.animate([{ translate: start }, { translate: "0px 0px" }], { duration: 160, easing: "ease-out" });
  }

  /** Draws the arrows and discs of an analysis. */
  annotate(marks: Mark[]): void {
    this.over.replaceChildren(...marks.flatMap((mark) => this.mark(mark)));
  }

  private mark(mark: Mark): SVGElement[] {
    const to = mark.to === null ? undefined : this.site(mark.to);
    const from = mark.from === null || mark.from === mark.to ? undefined : this.site(mark.from);
    const at = to ?? from;
    if (!at) return [];
    const opacity = 0.35 + 0.55 * mark.weight;
    const shapes: SVGElement[] = [];
    if (from && to) {
      const [dx, dy] = [to.x - from.x, to.y - from.y];
      const length = Math.hypot(dx, dy) || 1;
      const [ux, uy] = [dx / length, dy / length];
      const width = 0.05 + 0.13 * mark.weight;
      const head = 0.16 + width;
      const tip = [to.x - ux * 0.12, to.y - uy * 0.12] as const;
      const neck = [tip[0] - ux * head, tip[1] - uy * head] as const;
      const line = s("line", { x1: from.x + ux * 0.2, y1: from.y + uy * 0.2, x2: neck[0], y2: neck[1], stroke: mark.colour, "stroke-width": width, "stroke-linecap": "round", opacity });
      if (mark.dashed) line.setAttribute("stroke-dasharray", ".14 .1");
      const points = [tip, [neck[0] - uy * head * 0.6, neck[1] + ux * head * 0.6], [neck[0] + uy * head * 0.6, neck[1] - ux * head * 0.6]];
      shapes.push(line, s("polygon", { points: points.map((p) => p.join(",")).join(" "), fill: mark.colour, opacity }));
    } else {
      const r = (0.12 + 0.26 * mark.weight) * Math.min(1, at.size + 0.2);
      const disc = s("circle", { cx: at.x, cy: at.y, r, fill: mark.dashed ? "none" : mark.colour, stroke: mark.dashed ? mark.colour : "none", "stroke-width": 0.06, opacity });
      shapes.push(disc);
    }
    if (mark.label) {
      const label = s("text", { x: at.x, y: at.y + (from ? -0.18 : 0.09), class: "mark-label" }, mark.label);
      if (this.flipped) label.setAttribute("transform", `rotate(180 ${at.x} ${at.y})`);
      shapes.push(label);
    }
    return shapes;
  }

  // Input.

  private listen(): void {
    this.svg.addEventListener("pointerdown", (event) => this.press(event));
    this.svg.addEventListener("pointermove", (event) => this.pull(event));
    this.svg.addEventListener("pointerup", (event) => this.release(event));
    this.svg.addEventListener("pointercancel", () => this.drop());
    this.svg.addEventListener("keydown", (event) => this.type(event));
    this.svg.addEventListener("blur", () => this.point(null));
    this.svg.addEventListener("focus", () => {
      if (this.svg.matches(":focus-visible")) this.point(this.cursor ?? this.first());
    });
  }

  /** The site under the pointer. Of sites above each other, the one that can be used now. */
  private siteAt(event: PointerEvent): number | null {
    const elements = document.elementsFromPoint(event.clientX, event.clientY);
    const sites = elements.filter((element) => element.classList.contains("hit") && this.hits.contains(element)).map((element) => Number((element as SVGElement).dataset.site));
    const { selected } = this;
    const target = sites.find((site) => selected !== null && this.moves.some((move) => move.from === selected && move.to === site));
    const able = sites.find((site) => this.moves.some((move) => (inPlace(move) ? placeOf(move) : move.from) === site));
    return target ?? able ?? sites[0] ?? null;
  }

  private press(event: PointerEvent): void {
    if (event.button !== 0) return;
    const site = this.siteAt(event);
    this.point(null);
    if (site === null) return this.select(null);
    this.drag = { site, x: event.clientX, y: event.clientY, ghost: null };
  }

  private pull(event: PointerEvent): void {
    const drag = this.drag;
    if (!drag) return;
    const far = Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > 6;
    if (!drag.ghost) {
      if (!far || !this.moves.some((move) => move.from === drag.site && !inPlace(move))) return;
      this.svg.setPointerCapture(event.pointerId);
      this.select(drag.site);
      drag.ghost = s("g", { class: "ghost" });
      const top = this.drawn(drag.site).at(-1);
      if (top) {
        drag.ghost.append(top.cloneNode(true));
        top.classList.add("lifted");
      }
      this.marks.append(drag.ghost);
    }
    const matrix = this.svg.querySelector<SVGGElement>(".turn")?.getScreenCTM();
    const site = this.site(drag.site);
    if (!matrix || !site) return;
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    drag.ghost.setAttribute("transform", `translate(${point.x - site.x} ${point.y - site.y})`);
  }

  private release(event: PointerEvent): void {
    const drag = this.drag;
    const moved = drag?.ghost;
    this.drop();
    if (!drag) return;
    const site = this.siteAt(event);
    const at = { x: event.clientX, y: event.clientY };
    if (!moved) return this.click(drag.site, at);
    if (site === null || site === drag.site) return;
    const fits = this.moves.filter((move) => move.from === drag.site && move.to === site);
    this.select(null);
    if (fits.length > 0) this.decide(fits, at);
  }

  private drop(): void {
    this.drag?.ghost?.remove();
    this.drag = null;
    for (const piece of this.piecesAt.querySelectorAll(".lifted")) piece.classList.remove("lifted");
  }

  /** A click on a site: the first chooses a piece or a place, the second a target. */
  click(site: number, at?: { x: number; y: number }): void {
    const placed = this.moves.filter((move) => inPlace(move) && placeOf(move) === site);
    if (this.selected !== null) {
      const from = this.selected;
      const fits = this.moves.filter((move) => move.from === from && move.to === site && !inPlace(move));
      this.select(null);
      if (fits.length > 0) return this.decide(fits, at);
      if (from === site) return placed.length > 0 ? this.decide(placed, at) : undefined;
    }
    const leaving = this.moves.filter((move) => move.from === site && !inPlace(move));
    if (leaving.length > 0) return this.select(site);
    if (placed.length > 0) return this.decide(placed, at);
    // A site to which exactly one piece can go.
    const coming = this.moves.filter((move) => move.to === site && !inPlace(move));
    if (coming.length === 1) return this.decide(coming, at);
    if (coming.length > 1) return this.hint(coming.map((move) => move.from));
    const dropped = this.column(site);
    if (dropped) this.decide([dropped], at);
  }

  /** Where pieces drop down columns, any site of a column means its move. */
  private column(site: number): MoveInfo | undefined {
    const x = (index: number | null): number => (index === null ? NaN : (this.site(index)?.x ?? NaN));
    const columns = this.moves.map((move) => x(placeOf(move)).toFixed(1));
    if (this.moves.length < 2 || !this.moves.every(inPlace) || new Set(columns).size < columns.length) return undefined;
    return this.moves.find((move) => Math.abs(x(placeOf(move)) - x(site)) < 0.1);
  }

  /** Marks sites for a moment. */
  private hint(sites: (number | null)[]): void {
    const shapes = sites.filter((site) => site !== null).map((site) => this.shape(site as number, "hinted"));
    this.marks.append(...shapes);
    setTimeout(() => shapes.forEach((shape) => shape.remove()), 700);
  }

  private decide(moves: MoveInfo[], at?: { x: number; y: number }): void {
    const only = moves[0];
    if (!only) return;
    if (moves.length === 1) return this.events.play(only);
    const box = this.svg.getBoundingClientRect();
    this.events.choose(moves, at ?? { x: box.x + box.width / 2, y: box.y + box.height / 2 });
  }

  /** Chooses a piece and shows where it may go. */
  select(site: number | null): void {
    this.selected = site;
    this.marks.replaceChildren();
    if (site === null) return;
    this.marks.append(this.shape(site, "selected"));
    const occupied = new Set(this.last?.pieces.map((piece) => piece.site));
    const targets = new Set(this.moves.filter((move) => move.from === site && !inPlace(move)).map((move) => move.to));
    for (const target of targets) {
      if (target === null) continue;
      const at = this.site(target);
      if (!at) continue;
      const taken = occupied.has(target);
      const r = (taken ? 0.42 : 0.15) * Math.max(0.4, at.size);
      this.marks.append(s("circle", { class: taken ? "target taken" : "target", cx: at.x, cy: at.y, r }));
    }
    say(`${this.describe(site)} selected, ${targets.size} targets`);
  }

  // Keyboard.

  private first(): number | null {
    const move = this.moves.find((move) => placeOf(move) !== null);
    const site = move && (inPlace(move) ? placeOf(move) : move.from);
    return site ?? (this.info.sites.length > 0 ? 0 : null);
  }

  /** Puts the keyboard's cursor on a site. */
  point(site: number | null): void {
    this.svg.querySelector(".cursor")?.remove();
    if (site === null) return;
    this.cursor = site;
    const ring = this.shape(site, "cursor");
    this.hits.before(ring);
    say(this.describe(site));
  }

  private type(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const turned: Record<string, [number, number]> = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
    const way = turned[event.key];
    const cursor = this.cursor ?? this.first();
    if (cursor === null) return;
    if (way) {
      const sign = this.flipped ? -1 : 1;
      this.point(nearest(this.info, cursor, way[0] * sign, way[1] * sign) ?? cursor);
    } else if (event.key === "Enter" || event.key === " ") {
      this.click(cursor);
    } else if (event.key === "Escape") {
      this.select(null);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

const COMPASS: Record<string, string> = { "0,-1": "N", "1,0": "E", "0,1": "S", "-1,0": "W" };

/** The site next to a site in a direction: the neighbour that the game names, or the nearest one that way. */
export function nearest(info: BoardInfo, from: number, dx: number, dy: number): number | null {
  const site = info.sites[from];
  if (!site) return null;
  const named = site.neighbours[COMPASS[`${dx},${dy}`] ?? ""];
  if (named !== undefined) return named;
  let best: number | null = null;
  let least = Infinity;
  info.sites.forEach((other, index) => {
    const [x, y] = [other.x - site.x, other.y - site.y];
    const along = x * dx + y * dy;
    const aside = Math.abs(x * dy) + Math.abs(y * dx);
    if (index === from || along < 0.05) return;
    const cost = along + 2 * aside;
    if (cost < least) [best, least] = [index, cost];
  });
  return best;
}
