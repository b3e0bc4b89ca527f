// Small helpers to make elements.

type Child = Node | string | number | null | undefined | false;
type Attributes = Record<string, unknown>;

function fill(element: Element, attributes: Attributes, children: Child[]): void {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on") && typeof value === "function") {
      element.addEventListener(key.slice(2), value as EventListener);
    } else if (key in element && typeof value !== "string" && !(element instanceof SVGElement)) {
      (element as unknown as Record<string, unknown>)[key] = value;
    } else {
      element.setAttribute(key, value === true ? "" : String(value));
    }
  }
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

/** Makes an HTML element. Keys that begin with `on` are listeners. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  fill(element, attributes, children);
  return element;
}

/** Makes an SVG element. */
export function s<K extends keyof SVGElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): SVGElementTagNameMap[K] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  fill(element, attributes, children);
  return element;
}

export function byId<T extends HTMLElement>(id: string): T {
  const element = document.getElementById(id);
  if (!element) throw new Error(`there is no #${id}`);
  return element as T;
}

/** Says something to screen readers. */
export function say(text: string, now = false): void {
  const region = byId(now ? "assertive" : "polite");
  // The same text twice would not be read again.
  region.textContent = region.textContent === text ? `${text} ` : text;
}

/** Shows a message for a few seconds. */
export function toast(text: string, bad = false): void {
  const note = h("div", { class: bad ? "toast bad" : "toast", role: bad ? "alert" : "status" }, text);
  byId("toasts").append(note);
  setTimeout(() => note.remove(), bad ? 8000 : 4000);
}

/** A dialog that closes with Escape or a click outside. */
export function dialog(title: string, ...children: Child[]): HTMLDialogElement {
  const close = h("button", { type: "button", class: "plain close", "aria-label": "Close", onclick: () => box.close() }, "×");
  const box = h("dialog", { "aria-label": title }, h("header", {}, h("h2", {}, title), close), ...children);
  box.addEventListener("click", (event) => {
    if (event.target === box) box.close();
  });
  box.addEventListener("close", () => box.remove());
  document.body.append(box);
  box.showModal();
  return box;
}

/** A labelled field of a form. */
export function field(label: string, input: HTMLElement, hint = ""): HTMLElement {
  return h("label", { class: "field" }, h("span", {}, label), input, hint && h("small", {}, hint));
}

export function select(options: [string, string][], value: string, change?: (value: string) => void, attributes: Attributes = {}): HTMLSelectElement {
  const items = options.map(([key, text]) => h("option", { value: key, selected: key === value }, text));
  return h("select", { ...attributes, onchange: (event: Event) => change?.((event.target as HTMLSelectElement).value) }, ...items);
}

export const percent = (value: number, digits = 0): string => `${(100 * value).toFixed(digits)} %`;

export function thousands(n: number): string {
  if (n >= 1e6) return `${(n / 1e6).toFixed(1)} M`;
  if (n >= 1e4) return `${(n / 1e3).toFixed(0)} k`;
  return String(Math.round(n));
}

/** A title for people: names of files have dashes. */
export function titled(text: string): string {
  if (text.includes(" ")) return text;
  const words = text.replaceAll(/[-_]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Does the user prefer little motion? */
export const still = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

export function download(href: string): void {
  const link = h("a", { href, download: "" });
  document.body.append(link);
  link.click();
  link.remove();
}
