// The dialog for a new game: seats, agents with their parameters, budgets, options, position and seed.
import { get, message } from "./api";
import { dialog, field, h, select, toast } from "./dom";
import { newTable } from "./session";
import type { AgentInfo, GameDetail, NewTable } from "./types";

const BUDGETS: [string, string][] = [["@time=200ms", "0.2 s"], ["@time=500ms", "0.5 s"], ["@time=1s", "1 s"], ["@time=3s", "3 s"], ["@time=10s", "10 s"], ["@sims=100", "100 sims"], ["@sims=1000", "1,000 sims"], ["@sims=10000", "10,000 sims"], ["", "own"]];

let known: Promise<AgentInfo[]> | null = null;
export const agentList = (): Promise<AgentInfo[]> => (known ??= get<AgentInfo[]>("agents"));

/** Starts a game and shows its table. */
export async function start(wanted: Partial<NewTable>, replace = false): Promise<void> {
  const { table } = await newTable(wanted);
  if (replace) location.replace(`#/table/${table}`);
  else location.hash = `#/table/${table}`;
}

/** One seat of the form: a person or an agent with parameters and a budget. */
class SeatForm {
  readonly element: HTMLElement;
  private readonly who: HTMLSelectElement;
  private readonly budget: HTMLSelectElement;
  private readonly params = h("div", { class: "params" });
  private values: Record<string, string> = {};

  constructor(
    name: string,
    detail: GameDetail,
    private readonly agents: AgentInfo[],
    preset: string,
  ) {
    const [agent = "human", rest = ""] = preset.split(/(?=[@(])/, 2);
    const options: [string, string][] = [["human", "Person"], ...detail.agents.map((name): [string, string] => [name, name === detail.usual ? `${name} (default)` : name])];
    this.who = select(options, agent, () => { this.values = {}; this.show(); }, { "aria-label": `${name}: who plays` });
    this.budget = select(BUDGETS, rest.startsWith("@") ? rest : "@time=1s", undefined, { "aria-label": `${name}: thinking time` });
    this.element = h("fieldset", {}, h("legend", {}, name), h("div", { class: "row" }, this.who, this.budget), this.params);
    this.show();
  }

  private show(): void {
    const info = this.agents.find((agent) => agent.name === this.who.value);
    this.budget.hidden = !info;
    this.params.replaceChildren();
    if (!info) return;
    this.params.append(h("p", { class: "quiet" }, info.summary));
    if (info.params.length === 0) return;
    const fields = info.params.map((param) => {
      const change = (value: string): void => {
        if (value === "" || value === param.default) delete this.values[param.key];
        else this.values[param.key] = value;
      };
      const input = param.words.length > 0
        ? select(param.words.map((word): [string, string] => [word, word]), param.default, change)
        : h("input", { placeholder: param.default, spellcheck: false, onchange: (event: Event) => change((event.target as HTMLInputElement).value.trim()) });
      return field(param.key, input, param.meaning);
    });
    this.params.append(h("details", {}, h("summary", {}, "Parameters"), h("div", { class: "grid" }, ...fields)));
  }

  get value(): string {
    if (this.who.value === "human") return "human";
    const args = Object.entries(this.values).map(([key, value]) => `${key}=${value}`);
    return `${this.who.value}${args.length > 0 ? `(${args.join(",")})` : ""}${this.budget.value}`;
  }
}

/** Opens the dialog for a game. */
export async function newGame(game: string, preset: string[] = [], position = ""): Promise<void> {
  let detail: GameDetail;
  let agents: AgentInfo[];
  try {
    [detail, agents] = await Promise.all([get<GameDetail>("game", { game }), agentList()]);
  } catch (error) {
    return toast(message(error), true);
  }
  const seats = detail.facts.players.map((name, index) => new SeatForm(name, detail, agents, preset[index] ?? (index === 0 ? "human" : `${detail.usual}@time=1s`)));
  const options = detail.options.map((option) => ({ option, input: select(option.items.map((item): [string, string] => [item, item]), option.items[0] ?? "") }));
  const params = detail.params.map((param) => ({ param, input: h("input", { placeholder: param.default, spellcheck: false }) }));
  const place = h("textarea", { rows: 2, spellcheck: false, placeholder: "the usual start" }, position);
  const seed = h("input", { type: "number", min: 0, value: String(Math.floor(Math.random() * 1e6)) });
  const pace = select([["0", "as fast as they can"], ["500", "every 0.5 s"], ["1500", "every 1.5 s"]], "500");
  const quick = (texts: string[]) => h("button", { type: "button", onclick: () => void go(texts) }, texts.every((text) => text === "human") ? "Analysis board" : "Watch agents");
  const go = async (texts: string[]): Promise<void> => {
    const chosen = options.filter(({ option, input }) => input.value !== option.items[0]).map(({ option, input }) => `${option.heading}/${input.value}`);
    const given = params.filter(({ input }) => input.value.trim() !== "").map(({ param, input }) => `${param.key}=${input.value.trim()}`);
    const bare = detail.name;
    const name = chosen.length > 0 ? `${bare}(options="${chosen.join(";")}")` : given.length > 0 ? `${bare.split("(")[0]}(${given.join(",")})` : bare;
    try {
      await start({ game: name, seats: texts, position: place.value.trim() || null, seed: Number(seed.value), pace: Number(pace.value) });
      box.close();
    } catch (error) {
      toast(message(error), true);
    }
  };
  const all = (who: string): string[] => detail.facts.players.map(() => who);
  const form = h(
    "form",
    { onsubmit: (event: Event) => { event.preventDefault(); void go(seats.map((seat) => seat.value)); } },
    ...seats.map((seat) => seat.element),
    options.length > 0 && h("fieldset", {}, h("legend", {}, "Options"), h("div", { class: "grid" }, ...options.map(({ option, input }) => field(option.heading, input)))),
    params.length > 0 && h("fieldset", {}, h("legend", {}, "Parameters of the game"), h("div", { class: "grid" }, ...params.map(({ param, input }) => field(param.key, input, param.meaning)))),
    h("details", {}, h("summary", {}, "Position, seed, pace"), field("Position", place, "in the notation of the game"), h("div", { class: "grid" }, field("Seed", seed, "of dice and agents"), field("Agents move", pace))),
    h("footer", {}, h("button", { type: "submit", class: "primary" }, "Start"), quick(all("human")), quick(all(`${detail.usual}@time=500ms`))),
  );
  const box = dialog(detail.title || detail.name, form);
}
