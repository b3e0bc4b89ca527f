// A server and a browser for tests.
import { chromium } from "playwright-core";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../..");

/** The program under test: LUDEX_BIN, or the newest build. */
export function program() {
  const built = ["fast", "release", "debug"].map((profile) => join(root, "target", profile, "ludex"));
  const found = [process.env.LUDEX_BIN, ...built].find((path) => path && existsSync(path));
  if (!found) throw new Error("no ludex to test: build it, or set LUDEX_BIN");
  return found;
}

export async function startServer(args = [], env = {}) {
  const folder = mkdtempSync(join(tmpdir(), "ludex-studio-"));
  const all = ["studio", "--no-open", "--db", join(folder, "games.db"), ...(args.includes("--drafts") ? [] : ["--drafts", join(folder, "drafts")]), ...args];
  const child = spawn(program(), all, { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "inherit"] });
  const url = await new Promise((resolve, reject) => {
    child.stdout.once("data", (data) => resolve(String(data).split("\n")[0].trim()));
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
  });
  const stop = () =>
    new Promise((resolve) => {
      child.once("exit", () => {
        rmSync(folder, { recursive: true, force: true });
        resolve();
      });
      child.kill("SIGTERM");
    });
  return { url, stop, pid: child.pid };
}

export function startBrowser() {
  const executablePath = process.env.LUDEX_CHROMIUM ?? "/usr/bin/chromium";
  const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
  return chromium.launch({ executablePath, args });
}

/** A page that fails the test where the console shows an error. */
export async function openPage(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  page.problems = [];
  page.on("console", (line) => line.type() === "error" && page.problems.push(line.text()));
  page.on("pageerror", (error) => page.problems.push(String(error)));
  await page.goto(url);
  return page;
}

/** Clicks a site by its label. */
export async function clickSite(page, label) {
  const index = await page.evaluate((label) => {
    const button = [...document.querySelectorAll(".twin-row button")].find((b) => b.getAttribute("aria-label")?.startsWith(`${label}:`));
    return button?.dataset.site;
  }, label);
  if (index === undefined) throw new Error(`there is no site ${label}`);
  const box = await page.locator(`.hit[data-site="${index}"]`).boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
}
