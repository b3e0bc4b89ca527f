// All games with a picture each, to filter and to search.
import { address, get, message } from "./api";
import { h, titled, toast } from "./dom";
import { newGame, start } from "./setup";
import type { GameCard, GameList } from "./types";

interface Filter {
  name: string;
  fits: (card: GameCard) => boolean;
}

const GROUPS: { label: string; filters: Filter[] }[] = [
  { label: "Rules", filters: [["Native", "native"], ["GDL", "kif"], ["Ludemes", "lud"]].map(([name, kind]) => ({ name: name ?? "", fits: (card: GameCard) => card.kind === kind })) },
  { label: "Players", filters: [
    { name: "1", fits: (card) => card.facts?.players.length === 1 },
    { name: "2", fits: (card) => card.facts?.players.length === 2 },
    { name: "3 or more", fits: (card) => (card.facts?.players.length ?? 0) > 2 },
  ] },
  { label: "Kind", filters: [
    { name: "hidden", fits: (card) => Boolean(card.facts?.hidden) },
    { name: "chance", fits: (card) => Boolean(card.facts?.chance) },
    { name: "at once", fits: (card) => Boolean(card.facts?.simultaneous) },
  ] },
  { label: "Board", filters: [
    ...[["cells", "cells"], ["checkered", "checkered"], ["points", "lines"], ["edges", "edges"], ["mancala", "mancala"], ["backgammon", "points"], ["pyramid", "pyramid"]].map(([name, painter]) => ({ name: name ?? "", fits: (card: GameCard) => card.facts?.painter === painter && (card.facts?.sites ?? 0) > 0 })),
    { name: "none", fits: (card) => card.facts?.sites === 0 && !card.facts.error },
  ] },
];

export class Gallery {
  readonly element = h("div", { class: "gallery" });
  private cards: GameCard[] = [];
  private readonly grid = h("ul", { class: "cards", "aria-label": "Games" });
  private readonly count = h("p", { class: "quiet", role: "status" });
  private readonly search = h("input", { type: "search", placeholder: "Search games", "aria-label": "Search games", oninput: () => this.sieve() });
  private readonly on = new Set<Filter>();
  private readonly made = new Map<string, HTMLElement>();
  private timer = 0;

  constructor() {
    document.title = "Games · Ludex studio";
    const groups = GROUPS.map((group) => h("div", { class: "chips", role: "group", "aria-label": group.label }, h("span", { class: "quiet" }, group.label), ...group.filters.map((filter) => this.chip(filter))));
    this.element.append(h("h1", {}, "Games"), h("div", { class: "filters" }, this.search, ...groups), this.count, this.grid);
    void this.load();
  }

  close(): void {
    clearTimeout(this.timer);
  }

  private chip(filter: Filter): HTMLElement {
    const button = h("button", { type: "button", class: "chip", "aria-pressed": "false", onclick: () => {
      if (!this.on.delete(filter)) this.on.add(filter);
      button.classList.toggle("on", this.on.has(filter));
      button.setAttribute("aria-pressed", String(this.on.has(filter)));
      this.sieve();
    } }, filter.name);
    return button;
  }

  private async load(): Promise<void> {
    try {
      const list = await get<GameList>("games");
      this.cards = list.games;
      this.sieve();
      if (!list.complete) this.timer = window.setTimeout(() => void this.load(), 1500);
    } catch (error) {
      this.grid.replaceChildren(h("li", { class: "bad" }, message(error)));
    }
  }

  private sieve(): void {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const groups = GROUPS.map((group) => group.filters.filter((filter) => this.on.has(filter)));
    const fits = (card: GameCard): boolean => {
      const text = `${card.title} ${card.name} ${card.folder}`.toLowerCase();
      return !card.facts?.error && words.every((word) => text.includes(word)) && groups.every((group) => group.length === 0 || group.some((filter) => filter.fits(card)));
    };
    const shown = this.cards.filter(fits);
    const broken = this.cards.filter((card) => card.facts?.error).length;
    this.count.textContent = `${shown.length} of ${this.cards.length} games${broken > 0 ? `; ${broken} could not be loaded` : ""}`;
    this.grid.replaceChildren(...shown.map((card) => this.card(card)));
  }

  private card(card: GameCard): HTMLElement {
    const known = this.made.get(card.name);
    const facts = card.facts;
    const seats = facts ? `${facts.players.length} ${facts.players.length === 1 ? "player" : "players"}` : "";
    const tags = [seats, facts?.hidden && "hidden", facts?.chance && "chance", facts?.simultaneous && "at once"].filter(Boolean).join(" · ");
    if (known) {
      const small = known.querySelector("small");
      const title = known.querySelector("b");
      if (small) small.textContent = tags;
      if (title) title.textContent = titled(card.title);
      if (facts?.sites === 0) known.querySelector("img")?.replaceWith(tile(card));
      return known;
    }
    const image = facts?.sites === 0 ? tile(card) : h("img", { src: address("thumbnail", { game: card.name }), alt: "", loading: "lazy", width: 160, height: 160 });
    const play = h("button", { type: "button", class: "card-main", onclick: () => void start({ game: card.name, seats: seatsOf(card) }).catch((error: unknown) => toast(message(error), true)) }, image, h("b", {}, titled(card.title)), h("small", {}, tags));
    const more = h("button", { type: "button", class: "plain more", "aria-label": `New game of ${titled(card.title)} with options`, title: "Seats and options", onclick: () => void newGame(card.name) }, "⋯");
    const element = h("li", { class: `card kind-${card.kind}` }, play, more, h("span", { class: "kind" }, card.kind));
    this.made.set(card.name, element);
    return element;
  }
}

/** A picture of a game without a board: its initials. */
function tile(card: GameCard): HTMLElement {
  const words = titled(card.title).split(/[\s,]+/).filter((word) => /^[\p{L}\d]/u.test(word));
  return h("span", { class: "tile", "aria-hidden": "true" }, words.slice(0, 3).map((word) => word.charAt(0)).join("").toUpperCase());
}

/** The first seat is a person, the others have the default agent. */
function seatsOf(card: GameCard): string[] {
  return Array.from({ length: card.facts?.players.length ?? 2 }, (_, index) => (index === 0 ? "human" : "usual"));
}
