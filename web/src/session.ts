// A table of the server and the stream of its changes.
import { Refused, address, get, post } from "./api";
import type { Ask, Control, NewTable, Setting, Snapshot, Step, TableKeys, Tell, ThoughtInfo, BranchInfo } from "./types";

export interface Listener {
  snapshot(snapshot: Snapshot): void;
  thought(thought: ThoughtInfo): void;
  branch(branch: BranchInfo): void;
  value(node: number, done: [number, number]): void;
  error(text: string): void;
  connected(open: boolean): void;
}

const storeKey = (table: string): string => `ludex:${table}`;

/** Sets up a table and keeps its keys for this browser tab. */
export async function newTable(wanted: Partial<NewTable>): Promise<TableKeys> {
  const table = await post<TableKeys>("tables", wanted);
  keep(table);
  return table;
}

export function keep(table: TableKeys): void {
  sessionStorage.setItem(storeKey(table.table), JSON.stringify(table.keys));
}

export class Session {
  steps: Step[] = [];
  children: number[][] = [];
  snapshot!: Snapshot;
  /** The step that the page shows; `null`: the last one of the game. */
  node: number | null = null;
  seat: number | null = null;
  reveal = false;
  keys: (string | null)[] = [];
  private socket: WebSocket | null = null;
  private closed = false;
  private retry = 500;
  private queue: Ask[] = [];

  private constructor(
    readonly setting: Setting,
    private readonly listener: Listener,
  ) {}

  /** Opens a table. `invited` are keys of an invitation. */
  static async open(table: string, invited: string | null, listener: Listener): Promise<Session> {
    const setting = await get<Setting>(`tables/${table}`);
    const session = new Session(setting, listener);
    const kept = JSON.parse(sessionStorage.getItem(storeKey(table)) ?? "[]") as (string | null)[];
    session.keys = invited ? invited.split(",") : kept;
    if (invited) sessionStorage.setItem(storeKey(table), JSON.stringify(session.keys));
    const query = { key: session.key, known: 0 };
    session.take(await get<Snapshot>(`tables/${table}/snapshot`, query));
    session.connect();
    return session;
  }

  get id(): string {
    return this.setting.table;
  }

  get key(): string {
    return this.keys.filter((key) => key).join(",");
  }

  private get query(): Record<string, string | number | boolean | null> {
    return { key: this.key, seat: this.seat, reveal: this.reveal };
  }

  private connect(): void {
    if (this.closed) return;
    const url = new URL(address(`tables/${this.id}/live`, { key: this.key }), document.baseURI);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(url);
    this.socket = socket;
    socket.onopen = () => {
      this.retry = 500;
      this.listener.connected(true);
      this.look();
      for (const ask of this.queue.splice(0)) this.send(ask);
    };
    socket.onmessage = (event) => this.hear(JSON.parse(String(event.data)) as Tell);
    socket.onclose = () => {
      if (this.closed) return;
      this.listener.connected(false);
      setTimeout(() => this.connect(), this.retry);
      this.retry = Math.min(this.retry * 2, 8000);
    };
  }

  send(ask: Ask): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(ask));
    else if (ask.type !== "look") this.queue.push(ask);
  }

  private hear(tell: Tell): void {
    switch (tell.type) {
      case "snapshot":
        if (this.take(tell.snapshot)) this.listener.snapshot(this.snapshot);
        break;
      case "thought":
        this.listener.thought(tell.thought);
        break;
      case "branch":
        this.listener.branch(tell.branch);
        break;
      case "value": {
        const step = this.steps[tell.node];
        if (step && tell.values.length > 0) step.values = tell.values;
        this.listener.value(tell.node, tell.done);
        break;
      }
      case "error":
        this.listener.error(tell.error);
    }
  }

  /** Takes a snapshot over. False: it is older than what the page shows. */
  private take(snapshot: Snapshot): boolean {
    if (this.snapshot && snapshot.version < this.snapshot.version) return false;
    if (snapshot.first === 0) {
      this.steps = [];
      this.children = [];
    }
    if (snapshot.first > this.steps.length) {
      this.look(true);
      return false;
    }
    for (const step of snapshot.steps) {
      const known = this.steps[step.id];
      if (known) {
        step.values ??= known.values;
      } else if (step.parent !== null) {
        (this.children[step.parent] ??= []).push(step.id);
      }
      this.steps[step.id] = step;
    }
    this.snapshot = snapshot;
    return true;
  }

  /** Asks for the position that the page shows. */
  look(anew = false): void {
    this.send({ type: "look", node: this.node, seat: this.seat, reveal: this.reveal, known: anew ? 0 : this.steps.length });
  }

  /** Shows another step. */
  go(node: number | null): void {
    this.node = node === this.snapshot.live ? null : node;
    this.look();
  }

  /** Shows the game from another seat, or all of it. */
  from(seat: number | null, reveal: boolean): void {
    this.seat = seat;
    this.reveal = reveal;
    this.look(true);
  }

  /** Makes a move after a step: the one that the user saw, even if the page shows another one by now. */
  async move(what: { node: number; seat: number; index?: number; text?: string }): Promise<void> {
    const body = { known: this.steps.length, ...what };
    const snapshot = await post<Snapshot>(`tables/${this.id}/move`, body, this.query);
    this.node = null;
    this.show(snapshot);
    this.look();
  }

  async control(what: Partial<Control>): Promise<void> {
    const body = { known: this.steps.length, ...what };
    const snapshot = await post<Snapshot>(`tables/${this.id}/control`, body, this.query);
    if (what.undo || what.live !== undefined) this.node = null;
    this.show(snapshot);
    this.look();
  }

  async reseat(seat: number, who: string): Promise<void> {
    const table = await post<TableKeys>(`tables/${this.id}/seat`, { seat: [seat, who] }, this.query);
    this.keys[seat] = table.keys[seat] ?? null;
    sessionStorage.setItem(storeKey(this.id), JSON.stringify(this.keys));
    // The stream knows the old keys.
    this.socket?.close();
  }

  private show(snapshot: Snapshot): void {
    if (this.take(snapshot)) this.listener.snapshot(this.snapshot);
  }

  preview(line: string[]): Promise<string> {
    return post<string>(`tables/${this.id}/preview`, line, { ...this.query, node: this.snapshot.node });
  }

  exportUrl(format: string): string {
    return address(`tables/${this.id}/export`, { key: this.key, reveal: this.reveal, node: this.node, format });
  }

  /** The steps from the start to `node`. */
  line(node: number): Step[] {
    const line: Step[] = [];
    for (let at: number | null = node; at !== null; ) {
      const step: Step | undefined = this.steps[at];
      if (!step) break;
      line.push(step);
      at = step.parent;
    }
    return line.reverse();
  }

  /** The line through `node` that goes on as play went on. */
  longLine(node: number): Step[] {
    const live = new Set(this.line(this.snapshot.live).map((step) => step.id));
    const line = this.line(node);
    for (let at = node; ; ) {
      const next = this.children[at] ?? [];
      const child = next.find((id) => live.has(id)) ?? next[0];
      const step = child === undefined ? undefined : this.steps[child];
      if (!step) break;
      line.push(step);
      at = step.id;
    }
    return line;
  }

  /** The moves of the line to `node` as text, one step a line. */
  moves(node: number): string {
    return this.line(node).slice(1).map((step) => step.text).join("\n");
  }

  close(): void {
    this.closed = true;
    this.socket?.close();
  }
}

export const isGone = (error: unknown): boolean => error instanceof Refused && error.status === 404;
