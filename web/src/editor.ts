// The editor of rules: findings at their place while one types, the board beside it, random games, help on words.
import { get, message, post, remove } from "./api";
import { field, h, percent, select, toast } from "./dom";
import { insightPanel } from "./insight";
import { start } from "./setup";
import type { DraftInfo, Finding, GameDetail, GameList, Playouts, RulesReport, WordHelp } from "./types";

const TEMPLATE: Record<string, string> = {
  lud: '(game "My game"\n    (players 2)\n    (equipment {\n        (board (square 3))\n        (piece "Disc" P1)\n        (piece "Cross" P2)\n    })\n    (rules\n        (play (move Add (to (sites Empty))))\n        (end (if (is Line 3) (result Mover Win)))\n    )\n)\n',
  kif: "(role white)\n(role black)\n\n(init (control white))\n(init (heap 7))\n\n(<= (legal ?p (take 1)) (true (control ?p)) (true (heap ?n)) (distinct ?n 0))\n(<= (legal ?p noop) (role ?p) (not (true (control ?p))))\n\n(<= (next (heap ?m)) (true (heap ?n)) (less ?m ?n))\n(<= (next (control white)) (true (control black)))\n(<= (next (control black)) (true (control white)))\n\n(less 0 1) (less 1 2) (less 2 3) (less 3 4) (less 4 5) (less 5 6) (less 6 7)\n\n(<= terminal (true (heap 0)))\n(<= (goal ?p 100) (role ?p) (not (true (control ?p))))\n(<= (goal ?p 0) (true (control ?p)))\n",
};

export class Editor {
  readonly element = h("div", { class: "editor" });
  private language = "lud";
  private readonly text = h("textarea", { class: "code", spellcheck: false, wrap: "off", "aria-label": "Rules", "aria-describedby": "findings" });
  private readonly behind = h("pre", { class: "behind", "aria-hidden": "true" });
  private readonly gutter = h("pre", { class: "gutter", "aria-hidden": "true" });
  private readonly findings = h("ul", { class: "findings", id: "findings", "aria-live": "polite" });
  private readonly board = h("div", { class: "preview" });
  private readonly stats = h("div", { class: "stats" });
  private readonly drafts = h("ul", { class: "drafts", "aria-label": "Drafts" });
  private readonly insight = insightPanel(() => this.draft);
  private readonly help = h("p", { class: "help quiet", role: "status" });
  private readonly languages: HTMLSelectElement;
  private words = new Map<string, string>();
  private draft: string | null = null;
  private known: DraftInfo[] = [];
  private timer = 0;
  private number = 0;

  constructor(game: string | null) {
    document.title = "Rules · Ludex studio";
    this.languages = select([["lud", "Ludemes (.lud)"], ["kif", "GDL (.kif)"]], this.language, (value) => this.use(value, localStorage.getItem(`ludex:rules:${value}`) ?? TEMPLATE[value] ?? ""));
    const from = h("input", { list: "rule-games", placeholder: "kif:tictactoe", spellcheck: false, "aria-label": "Game to copy", onchange: () => void this.load(from.value.trim()) });
    const names = h("datalist", { id: "rule-games" });
    void get<GameList>("games").then((list) => names.append(...list.games.filter((card) => card.kind !== "native").map((card) => h("option", { value: card.name }, card.title))), () => undefined);
    const play = h("button", { type: "button", class: "primary", id: "play-draft", disabled: true, onclick: () => void this.play() }, "Play");
    const keep = h("button", { type: "button", id: "keep-draft", onclick: () => void this.keep() }, "Keep draft");
    const measure = h("button", { type: "button", onclick: () => void this.measure() }, "Random games");
    const save = h("button", { type: "button", onclick: () => this.save() }, "Save file");
    const code = h("div", { class: "code-box" }, this.gutter, h("div", { class: "code-area" }, this.behind, this.text));
    this.element.append(h("h1", {}, "Rules"), h("div", { class: "row" }, field("Language", this.languages), field("Copy of", from), names, play, measure, keep, save), h("div", { class: "editor-body" }, h("div", { class: "editor-left" }, code, this.help, h("h2", {}, "Findings"), this.findings), h("div", { class: "editor-right" }, h("h2", {}, "Board"), this.board, this.stats, this.insight, h("h2", {}, "Drafts"), this.drafts)));
    void this.listDrafts();
    this.text.addEventListener("input", () => this.changed());
    this.text.addEventListener("scroll", () => this.scroll());
    for (const event of ["keyup", "click"]) this.text.addEventListener(event, () => this.explain());
    this.text.addEventListener("keydown", (event) => this.indent(event));
    if (game) void this.load(game);
    else {
      const language = localStorage.getItem("ludex:language") === "kif" ? "kif" : "lud";
      this.use(language, localStorage.getItem(`ludex:rules:${language}`) ?? TEMPLATE[language] ?? "");
    }
  }

  close(): void {
    clearTimeout(this.timer);
  }

  private use(language: string, text: string): void {
    this.language = language;
    this.languages.value = language;
    this.text.value = text;
    void get<WordHelp[]>("words", { language }).then((words) => { this.words = new Map(words.map((help) => [help.word.toLowerCase(), help.meaning])); }, () => undefined);
    this.changed();
  }

  private async load(name: string): Promise<void> {
    try {
      const detail = await get<GameDetail>("game", { game: name });
      if (detail.rules === null) return toast(`${name} is built in; it has no text of rules`, true);
      const kept = this.known.find((draft) => draft.name === name)?.language;
      this.use(kept ?? (name.startsWith("kif:") || /^\s*(;|\(role|\(<=)/.test(detail.rules) ? "kif" : "lud"), detail.rules);
    } catch (error) {
      toast(message(error), true);
    }
  }

  private changed(): void {
    this.draw([]);
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.check(), 250);
    localStorage.setItem("ludex:language", this.language);
    localStorage.setItem(`ludex:rules:${this.language}`, this.text.value);
  }

  private async check(): Promise<void> {
    const number = ++this.number;
    try {
      const report = await post<RulesReport>("rules", { language: this.language, text: this.text.value });
      if (number === this.number) this.show(report);
    } catch (error) {
      this.findings.replaceChildren(h("li", { class: "bad" }, message(error)));
    }
  }

  private show(report: RulesReport): void {
    this.draw(report.findings);
    const go = (finding: Finding): void => {
      this.text.focus();
      this.text.setSelectionRange(finding.start, finding.end);
      const line = finding.line - 1;
      this.text.scrollTop = Math.max(0, line * 20 - this.text.clientHeight / 2);
    };
    const item = (finding: Finding): HTMLElement => h("li", { class: finding.severity }, h("button", { type: "button", class: "plain", onclick: () => go(finding) }, h("b", {}, `${finding.line}:${finding.column} ${finding.severity} ${finding.code}`), ` ${finding.message}`, finding.hint && h("small", {}, ` ${finding.hint}`)));
    this.findings.replaceChildren(...(report.findings.length > 0 ? report.findings.slice(0, 100).map(item) : [h("li", { class: "fine" }, "No problems found.")]));
    this.draft = report.name;
    this.insight.dispatchEvent(new Event("refresh"));
    const play = this.element.querySelector<HTMLButtonElement>("#play-draft");
    if (play) play.disabled = !report.name;
    if (!report.svg) return void this.board.classList.add("stale");
    this.board.classList.remove("stale");
    const facts = report.facts;
    const about = facts ? `${report.title}: ${facts.players.join(", ")}${facts.hidden ? ", hidden information" : ""}${facts.chance ? ", chance" : ""}; ${facts.sites} sites` : "";
    this.board.replaceChildren(h("img", { src: `data:image/svg+xml,${encodeURIComponent(report.svg)}`, alt: "The first position" }), h("p", { class: "quiet" }, about));
  }

  /** Line numbers, and marks behind the text. */
  private draw(findings: Finding[]): void {
    const text = this.text.value;
    const lines = text.split("\n").length;
    const bad = new Set(findings.map((finding) => finding.line));
    this.gutter.replaceChildren(...Array.from({ length: lines }, (_, index) => h("span", { class: bad.has(index + 1) ? "bad" : "" }, `${index + 1}\n`)));
    const parts: Node[] = [];
    let at = 0;
    for (const finding of [...findings].sort((a, b) => a.start - b.start)) {
      if (finding.start < at) continue;
      parts.push(document.createTextNode(text.slice(at, finding.start)), h("mark", { class: finding.severity }, text.slice(finding.start, finding.end)));
      at = finding.end;
    }
    parts.push(document.createTextNode(`${text.slice(at)}\n`));
    this.behind.replaceChildren(...parts);
    this.scroll();
  }

  private scroll(): void {
    this.behind.scrollTop = this.gutter.scrollTop = this.text.scrollTop;
    this.behind.scrollLeft = this.text.scrollLeft;
  }

  /** Help on the word at the caret. */
  private explain(): void {
    const at = this.text.selectionStart;
    const before = /[\w-]*$/.exec(this.text.value.slice(0, at))?.[0] ?? "";
    const after = /^[\w-]*/.exec(this.text.value.slice(at))?.[0] ?? "";
    const word = before + after;
    const meaning = this.words.get(word.toLowerCase());
    this.help.textContent = meaning ? `${word}: ${meaning}` : "";
  }

  /** A new line begins below the line above it. Tab leaves the field, so that the keyboard is not caught. */
  private indent(event: KeyboardEvent): void {
    if (event.key !== "Enter") return;
    const line = this.text.value.slice(0, this.text.selectionStart).split("\n").at(-1) ?? "";
    const space = /^\s*/.exec(line)?.[0] ?? "";
    event.preventDefault();
    document.execCommand("insertText", false, `\n${space}`);
  }

  private async measure(): Promise<void> {
    if (!this.draft) return toast("Mend the errors first", true);
    this.stats.replaceChildren(h("p", { class: "quiet" }, "Playing…"));
    try {
      const sum = await get<Playouts>("playouts", { game: this.draft });
      const row = (name: string, value: string): HTMLElement => h("div", {}, h("dt", {}, name), h("dd", {}, value));
      const round = (value: number): string => (Math.round(value * 10) / 10).toString();
      this.stats.replaceChildren(h("h2", {}, "Random games"), h("dl", { class: "counters" }, row("games", `${sum.games} in ${sum.ms} ms`), row("length", `${round(sum.length[0])} (${sum.length[1]} to ${sum.length[2]})`), row("moves to choose from", round(sum.branching)), row("payoffs by seat", sum.payoffs.map((payoff) => percent(payoff)).join(" – ")), row("draws", percent(sum.draws / Math.max(1, sum.games))), ...(sum.unfinished > 0 ? [row("did not end", String(sum.unfinished))] : [])));
    } catch (error) {
      this.stats.replaceChildren(h("p", { class: "bad" }, message(error)));
    }
  }

  /** Plays the draft. It is kept first, so that links to it work after the server ends. */
  private async play(): Promise<void> {
    if (!this.draft) return;
    const rules = { language: this.language, text: this.text.value };
    await post<DraftInfo>("drafts", rules).catch(() => undefined);
    await start({ game: this.draft, seats: ["human", "usual"] }).catch((error: unknown) => toast(message(error), true));
  }

  private async keep(): Promise<void> {
    try {
      const draft = await post<DraftInfo>("drafts", { language: this.language, text: this.text.value });
      toast(`Kept: ${draft.title}`);
      await this.listDrafts();
    } catch (error) {
      toast(message(error), true);
    }
  }

  private async listDrafts(): Promise<void> {
    this.known = await get<DraftInfo[]>("drafts").catch(() => []);
    const item = (draft: DraftInfo): HTMLElement => {
      const name = `${draft.title || "without a title"} (${draft.language})`;
      const open = h("button", { type: "button", class: "plain", onclick: () => void this.load(draft.name) }, h("b", {}, name), h("small", {}, ` ${new Date(draft.saved_ms).toLocaleString()}`));
      const drop = h("button", { type: "button", class: "plain", "aria-label": `Delete ${name}`, title: "Delete", onclick: () => void remove("drafts", { game: draft.name }).then(() => this.listDrafts(), (error: unknown) => toast(message(error), true)) }, "×");
      return h("li", {}, open, drop);
    };
    this.drafts.replaceChildren(...(this.known.length > 0 ? this.known.map(item) : [h("li", { class: "quiet" }, "Drafts that you keep or play are listed here. They stay when the server ends.")]));
  }

  private save(): void {
    const link = h("a", { href: URL.createObjectURL(new Blob([this.text.value], { type: "text/plain" })), download: `game.${this.language}` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }
}
