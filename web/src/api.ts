// Requests to the server. All addresses are relative, so that the page works below any path.
import type { Failure, MoveInfo } from "./types";

type Query = Record<string, string | number | boolean | null | undefined>;

/** A request that the server refused. */
export class Refused extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly choices: MoveInfo[] = [],
  ) {
    super(message);
  }
}

export function address(path: string, query: Query = {}): string {
  const parts = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== "") parts.set(key, String(value));
  }
  const text = parts.toString();
  return text ? `api/${path}?${text}` : `api/${path}`;
}

async function ask<T>(path: string, query: Query | undefined, init: RequestInit): Promise<T> {
  let response: Response;
  try {
    response = await fetch(address(path, query), init);
  } catch {
    throw new Refused("the server does not answer", 0);
  }
  if (!response.ok) {
    const text = await response.text();
    let failure: Partial<Failure> = {};
    try {
      failure = JSON.parse(text) as Failure;
    } catch {
      // Not a message of ours: the text itself is the reason.
    }
    throw new Refused(failure.error ?? (text || response.statusText), response.status, failure.choices);
  }
  return (await response.json()) as T;
}

export const get = <T>(path: string, query?: Query): Promise<T> => ask<T>(path, query, {});

export const post = <T>(path: string, body: unknown, query?: Query): Promise<T> =>
  ask<T>(path, query, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

export const remove = (path: string, query?: Query): Promise<null> => ask<null>(path, query, { method: "DELETE" });

export function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
