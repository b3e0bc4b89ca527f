// The map of games: similar games are near each other.
import { address, get, message } from "./api";
import { h, s, titled, toast } from "./dom";
import { insightPanel } from "./insight";
import { newGame, start } from "./setup";
import type { MapInfo, MapPoint } from "./types";

const WIDTH = 1000;
const HEIGHT = 640;
const EDGE = 40;
/** Colours and shapes of groups: either alone tells them apart. */
const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7a5195", "#6d675b"];
const SHAPES = ["M-8 0a8 8 0 1 0 16 0a8 8 0 1 0-16 0", "M-7-7H7V7H-7Z", "M0-9L8 6H-8Z", "M0-10L9 0L0 10L-9 0Z", "M0 9L8-6H-8Z", "M-3-9H3V-3H9V3H3V9H-3V3H-9V-3H-3Z", "M-9 0L-4-8H4L9 0L4 8H-4Z", "M0-10L3-3L10-3L4 2L6 9L0 5L-6 9L-4 2L-10-3L-3-3Z"];

export class MapPage {
  readonly element = h("div", { class: "map-page" });
  private readonly svg = s("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "map", role: "img", "aria-label": "Map of games; the list beside it has the same games" });
  private readonly search = h("input", { type: "search", placeholder: "Search games", "aria-label": "Search games", oninput: () => this.sieve() });
  private readonly count = h("p", { class: "quiet", role: "status" });
  private readonly progress = h("progress", { max: 1, value: 0, "aria-label": "Games described" });
  private readonly list = h("ul", { class: "map-list", "aria-label": "Games" });
  private readonly card = h("div", { class: "map-card" });
  private readonly body = h("div", { class: "map-body", hidden: true });
  private points: MapPoint[] = [];
  private marks: SVGGElement[] = [];
  private timer = 0;

  constructor() {
    document.title = "Map of games · Ludex studio";
    this.body.append(h("div", { class: "map-left" }, this.svg, this.card), h("div", { class: "map-right" }, this.search, this.count, this.list));
    this.element.append(h("h1", {}, "Map of games"), h("p", { class: "quiet" }, "Games with similar concepts are near each other. Large marks represent the games around them; colours and shapes are groups."), h("div", { class: "row map-progress" }, this.progress), this.body);
    void this.load();
  }

  close(): void {
    clearTimeout(this.timer);
  }

  private async load(): Promise<void> {
    try {
      const map = await get<MapInfo>("map");
      if (map.error) throw new Error(map.error);
      if (map.points.length > 0) return this.show(map.points);
      this.progress.value = map.done / Math.max(1, map.total);
      this.progress.nextSibling?.remove();
      this.progress.after(h("span", { class: "quiet" }, `${map.done} of ${map.total} games described by random play`));
      this.timer = window.setTimeout(() => void this.load(), 700);
    } catch (error) {
      this.element.append(h("p", { class: "bad", role: "alert" }, message(error)));
    }
  }

  private show(points: MapPoint[]): void {
    this.points = points;
    this.element.querySelector(".map-progress")?.remove();
    this.body.hidden = false;
    this.marks = points.map((point, index) => this.mark(point, index));
    this.svg.replaceChildren(...this.marks);
    // A mark of a representative lies above the others.
    this.marks.filter((_, index) => points[index]?.chosen).forEach((mark) => this.svg.append(mark));
    this.sieve();
  }

  private place(point: MapPoint): [number, number] {
    return [EDGE + point.x * (WIDTH - 2 * EDGE), HEIGHT - EDGE - point.y * (HEIGHT - 2 * EDGE)];
  }

  private mark(point: MapPoint, index: number): SVGGElement {
    const [x, y] = this.place(point);
    const scale = point.chosen ? 1.25 : 0.8;
    const shape = s("path", { d: SHAPES[point.group % SHAPES.length] ?? "", transform: `scale(${scale})`, fill: COLOURS[point.group % COLOURS.length] });
    const right = x > WIDTH - 160;
    const label = s("text", { x: right ? -12 : 12, y: 5, "text-anchor": right ? "end" : "start" }, short(point));
    const mark = s("g", { class: `map-mark${point.chosen ? " chosen" : ""}`, transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})`, onclick: () => this.choose(index) }, s("title", {}, titled(point.title)), s("circle", { r: 14, fill: "transparent" }), shape, label);
    return mark;
  }

  private sieve(): void {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = this.points.map((point) => words.every((word) => `${point.title} ${point.name}`.toLowerCase().includes(word)));
    const found = this.points.map((point, index) => ({ point, index })).filter(({ index }) => fits[index]);
    this.count.textContent = `${found.length} of ${this.points.length} games`;
    this.marks.forEach((mark, index) => {
      mark.classList.toggle("faded", !fits[index]);
      mark.classList.toggle("found", words.length > 0 && Boolean(fits[index]) && found.length <= 30);
    });
    this.spread();
    found.sort((a, b) => titled(a.point.title).localeCompare(titled(b.point.title)));
    this.list.replaceChildren(...found.map(({ point, index }) => h("li", {}, this.button(point, index))));
  }

  /** Moves labels that are shown at the same time up or down until they do not cover each other. */
  private spread(): void {
    const taken: { left: number; right: number; y: number }[] = [];
    this.marks.forEach((mark, index) => {
      const [label, point] = [mark.querySelector("text"), this.points[index]];
      if (!label || !point || getComputedStyle(label).display === "none") return;
      const [x, y] = this.place(point);
      const width = 8.5 * (label.textContent?.length ?? 0);
      const left = label.getAttribute("text-anchor") === "end" ? x - 12 - width : x + 12;
      const free = (by: number): boolean => taken.every((box) => left > box.right || left + width < box.left || Math.abs(box.y - y - by) > 15);
      const by = [0, -16, 16, -32, 32].find(free) ?? 0;
      label.setAttribute("y", String(5 + by));
      taken.push({ left, right: left + width, y: y + by });
    });
  }

  private button(point: MapPoint, index: number): HTMLElement {
    const dot = s("svg", { viewBox: "-12 -12 24 24", width: 14, height: 14, "aria-hidden": "true" }, s("path", { d: SHAPES[point.group % SHAPES.length] ?? "", fill: COLOURS[point.group % COLOURS.length] }));
    return h("button", { type: "button", class: "plain", onclick: () => this.choose(index) }, dot, ` ${titled(point.title)} `, h("small", {}, point.name));
  }

  private choose(index: number): void {
    const point = this.points[index];
    if (!point) return;
    this.marks.forEach((mark, other) => {
      mark.classList.toggle("current", other === index);
      mark.classList.toggle("near", point.near.includes(other));
    });
    const near = point.near.map((other) => ({ other, game: this.points[other] })).flatMap(({ other, game }) => (game ? [h("button", { type: "button", class: "chip", onclick: () => this.choose(other) }, titled(game.title))] : []));
    const play = (): void => void start({ game: point.name, seats: ["human", "usual"] }).catch((error: unknown) => toast(message(error), true));
    this.card.replaceChildren(
      h("img", { src: address("thumbnail", { game: point.name }), alt: "", width: 150, height: 150 }),
      h("div", {}, h("h2", { tabindex: -1 }, titled(point.title)), h("div", { class: "row" }, h("button", { type: "button", class: "primary", onclick: play }, "Play"), h("button", { type: "button", onclick: () => void newGame(point.name) }, "Seats and options")), h("h3", {}, "Nearest games"), h("div", { class: "chips" }, ...near)),
      insightPanel(() => point.name),
    );
    this.svg.classList.add("picked");
    this.spread();
    this.card.querySelector("h2")?.focus({ preventScroll: true });
    this.card.scrollIntoView({ block: "nearest" });
  }
}

/** The part of a title before its explanation. */
function short(point: MapPoint): string {
  const text = titled(point.title).split(/[:,(]/)[0]?.trim() ?? "";
  return text.length > 24 ? `${text.slice(0, 23)}…` : text;
}
