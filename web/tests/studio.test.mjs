// The studio in a real browser.
import AxeBuilder from "@axe-core/playwright";
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { clickSite, openPage, startBrowser, startServer } from "./harness.mjs";

let server;
let browser;

before(async () => {
  server = await startServer();
  browser = await startBrowser();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

const at = (hash) => `${server.url}#${hash}`;
const play = (query) => at(`/play?${new URLSearchParams(query)}`);
const status = (page, text) => page.locator(".status", { hasText: text }).waitFor({ timeout: 20_000 });
const clean = (page) => assert.deepEqual(page.problems, []);

test("a person plays and wins", async () => {
  const page = await openPage(browser, play({ game: "tictactoe", seats: "human|human" }));
  for (const site of ["a1", "a2", "b1", "b2", "c1"]) {
    await status(page, "to move");
    const before = await page.locator(".moves .move").count();
    await clickSite(page, site);
    await page.waitForFunction((n) => document.querySelectorAll(".moves .move").length > n, before);
  }
  await status(page, "x wins");
  clean(page);
  await page.context().close();
});

test("a piece is moved by two clicks, by dragging and by text", async () => {
  const page = await openPage(browser, play({ game: "breakthrough", seats: "human|human" }));
  await status(page, "to move");
  await clickSite(page, "a2");
  assert.ok((await page.locator(".target").count()) > 0, "targets are shown");
  await clickSite(page, "a3");
  await page.locator(".moves .move").nth(0).waitFor();
  const drag = async (from, to) => {
    const box = async (label) => {
      const site = await page.evaluate((label) => [...document.querySelectorAll(".twin-row button")].find((b) => b.getAttribute("aria-label").startsWith(`${label}:`)).dataset.site, label);
      const b = await page.locator(`.hit[data-site="${site}"]`).boundingBox();
      return [b.x + b.width / 2, b.y + b.height / 2];
    };
    await page.mouse.move(...(await box(from)));
    await page.mouse.down();
    await page.mouse.move(...(await box(to)), { steps: 5 });
    await page.mouse.up();
  };
  await drag("h7", "h6");
  await page.locator(".moves .move").nth(1).waitFor();
  await page.getByLabel("Move or command").fill("b2b3");
  await page.keyboard.press("Enter");
  await page.locator(".moves .move").nth(2).waitFor();
  clean(page);
  await page.context().close();
});

test("the agent answers, and the move is taken back", async () => {
  const page = await openPage(browser, play({ game: "connect4", seats: "human|uct@sims=50" }));
  await status(page, "Your move");
  await page.locator(".hit.able").nth(3).click();
  await page.locator(".moves .move").nth(1).waitFor();
  await status(page, "Your move");
  await page.getByRole("button", { name: "Take back" }).click();
  await page.waitForFunction(() => document.querySelector(".moves .current")?.textContent === "Start");
  await page.locator(".hit.able").nth(1).click();
  await page.locator(".variations").waitFor();
  clean(page);
  await page.context().close();
});

test("an analysis fills its table and draws on the board", async () => {
  const page = await openPage(browser, play({ game: "connect4", seats: "human|human" }));
  await status(page, "to move");
  await page.getByRole("switch", { name: "Analyse" }).check();
  await page.locator(".candidates tbody tr").nth(6).waitFor({ timeout: 20_000 });
  await page.locator(".over > *").first().waitFor({ state: "attached" });
  await page.getByLabel("compare").check();
  await page.locator(".slot").nth(1).locator("tbody tr").first().waitFor({ timeout: 20_000 });
  await page.locator(".candidates tbody button").first().click();
  await page.locator(".moves .move").first().waitFor();
  await page.getByRole("switch", { name: "Analyse" }).uncheck();
  await page.getByRole("button", { name: "Evaluate the game" }).click();
  await page.locator(".graph .curve").waitFor({ timeout: 20_000 });
  clean(page);
  await page.context().close();
});

test("the search tree is opened with the keyboard, and its line is played", async () => {
  const page = await openPage(browser, play({ game: "connect4", seats: "human|human" }));
  await status(page, "to move");
  await page.locator(".search-tree summary").focus();
  await page.keyboard.press("Enter");
  const items = page.getByRole("treeitem");
  await items.nth(6).waitFor({ timeout: 20_000 });
  assert.equal(await items.count(), 7);
  await items.first().focus();
  await page.keyboard.press("ArrowRight");
  await page.locator('[role="treeitem"][aria-level="2"]').first().waitFor({ timeout: 20_000 });
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-level")), "2");
  await page.locator(".previewing").waitFor({ state: "attached" });
  const line = await page.locator(".tree-line span").textContent();
  await page.keyboard.press("p");
  await page.locator(".moves .move").nth(1).waitFor();
  const played = await page.locator(".moves .move button").allTextContents();
  assert.deepEqual(played.slice(0, 2).map((text) => text.replace(/^\d+\.\s*/, "").trim()), line.split(" "));
  clean(page);
  await page.context().close();
});

test("the search tree shows the outcomes of chance and the end of a game", async () => {
  const page = await openPage(browser, play({ game: "pig(2)", seats: "human|human" }));
  await status(page, "to move");
  await page.locator(".search-tree summary").click();
  await page.getByRole("treeitem", { name: /roll/ }).click();
  const die = page.getByRole("treeitem", { name: "Chance: 6 16.7 %" });
  await die.click();
  const hold = page.getByRole("treeitem", { name: /hold/ });
  await hold.click();
  await page.getByText("The game is over: player1 100 %, player2 0 %").waitFor();
  clean(page);
  await page.context().close();
});

test("the seats of a hidden game see no search tree", async () => {
  const page = await openPage(browser, play({ game: "kuhn", seats: "human|human", moves: "deal:QK" }));
  await page.getByRole("button", { name: "I am first" }).click();
  await page.locator(".search-tree summary").click();
  await page.locator(".search-tree", { hasText: "after the game" }).waitFor();
  assert.equal(await page.getByRole("treeitem").count(), 0);
  clean(page);
  await page.context().close();
});

test("mbm says why by its results of each depth", async () => {
  const page = await openPage(browser, play({ game: "tictactoe", seats: "human|human" }));
  await status(page, "to move");
  await page.getByRole("switch", { name: "Analyse" }).check();
  const agent = page.getByLabel("Agent 1 of the analysis");
  await agent.fill("mbm");
  await agent.press("Tab");
  const why = page.getByRole("button", { name: "why" }).first();
  await why.click({ timeout: 20_000 });
  await page.locator(".why:not([hidden]) .bars").first().waitFor();
  clean(page);
  await page.context().close();
});

test("a game is exported as a moving picture", async () => {
  const page = await openPage(browser, play({ game: "tictactoe", seats: "human|human", moves: "b2\na1\nc3" }));
  await status(page, "to move");
  await page.getByRole("button", { name: "Share" }).click();
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Animation (GIF)" }).click()]);
  const bytes = readFileSync(await file.path());
  assert.equal(bytes.subarray(0, 6).toString(), "GIF89a");
  // The browser itself shows it.
  const size = await page.evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/gif;base64,${data}`;
    await image.decode().catch(() => undefined);
    return [image.naturalWidth, image.naturalHeight];
  }, bytes.toString("base64"));
  assert.ok(size[0] === 420 && size[1] > 300, String(size));
  clean(page);
  await page.context().close();
});

test("the map of games is searched, and a game is opened from it", async () => {
  const page = await openPage(browser, at("/map"));
  await page.locator(".map-mark").nth(20).waitFor({ timeout: 110_000 });
  await page.getByLabel("Search games").fill("hex");
  await page.waitForFunction(() => document.querySelectorAll(".map-mark.faded").length > 10);
  await page.locator(".map-list button", { hasText: "lud:hex" }).click();
  await page.getByRole("heading", { name: "Nearest games" }).waitFor();
  assert.ok((await page.locator(".map-card .chip").count()) >= 5);
  await page.locator(".map-card .insight summary").click();
  await page.getByRole("heading", { name: "Predicted agents" }).waitFor({ timeout: 20_000 });
  await page.getByLabel("Search concepts").fill("NumPlayers");
  await page.waitForFunction(() => document.querySelectorAll(".insight tbody tr:not([hidden])").length < 20);
  await page.locator(".map-card").getByRole("button", { name: "Play", exact: true }).click();
  await status(page, "Your move");
  clean(page);
  await page.context().close();
});

test("a draft is kept when the server ends", async () => {
  const folder = mkdtempSync(join(tmpdir(), "ludex-drafts-"));
  const first = await startServer(["--drafts", folder]);
  let page = await openPage(browser, `${first.url}#/rules`);
  await page.getByText("No problems found.").waitFor();
  const rules = page.getByLabel("Rules", { exact: true });
  const text = (await rules.inputValue()).replace("My game", "Four across").replace("(square 3)", "(square 5)").replace("(is Line 3)", "(is Line 4)");
  await rules.fill(text);
  await page.locator(".preview", { hasText: "Four across" }).waitFor();
  await page.getByRole("button", { name: "Keep draft" }).click();
  await page.locator(".drafts", { hasText: "Four across" }).waitFor();
  clean(page);
  await page.context().close();
  await first.stop();
  const second = await startServer(["--drafts", folder]);
  page = await openPage(browser, `${second.url}#/rules`);
  await page.locator(".drafts button", { hasText: "Four across" }).click();
  await page.waitForFunction((text) => document.querySelector("textarea.code").value === text, text);
  await page.locator(".preview", { hasText: "Four across" }).waitFor();
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await status(page, "Your move");
  await page.getByRole("button", { name: "Rules" }).click();
  await page.locator(".drafts li button[aria-label^=Delete]").click();
  await page.locator(".drafts", { hasText: "Drafts that you keep" }).waitFor();
  clean(page);
  await page.context().close();
  await second.stop();
  rmSync(folder, { recursive: true });
});

test("a hidden game from two seats", async () => {
  const first = await openPage(browser, play({ game: "kuhn", seats: "human|human", moves: "deal:QK" }));
  await first.locator(".curtain button").click();
  await status(first, "to move");
  const id = (await first.evaluate(() => location.hash)).split("/")[2];
  const keys = await first.evaluate((id) => JSON.parse(sessionStorage.getItem(`ludex:${id}`)), id);
  // Each page holds one key.
  const [one, two] = await Promise.all(keys.map((key) => openPage(browser, at(`/table/${id}?key=${key}`))));
  await status(one, "Your move");
  await status(two, "The others move");
  for (const [page, secret] of [[one, "K"], [two, "Q"]]) {
    const text = await page.evaluate(async (id) => {
      const key = JSON.parse(sessionStorage.getItem(`ludex:${id}`)).join(",");
      return await (await fetch(`api/tables/${id}/snapshot?reveal=true&key=${key}`)).text();
    }, id);
    assert.ok(!text.includes(`deal:QK`) && !text.includes(`"${secret}"`), text);
    assert.equal(await page.getByRole("button", { name: "Reveal everything" }).count(), 0);
  }
  await one.locator(".extra").getByRole("button", { name: "pass" }).click();
  await status(two, "Your move");
  await two.locator(".extra").getByRole("button", { name: "pass" }).click();
  await status(one, "wins");
  [first, one, two].forEach(clean);
  for (const page of [first, one, two]) await page.context().close();
});

test("two people at one screen see a curtain between their turns", async () => {
  const page = await openPage(browser, play({ game: "kuhn", seats: "human|human", moves: "deal:QK" }));
  await page.getByRole("button", { name: "I am first" }).click();
  await page.locator(".facts", { hasText: "Q" }).waitFor();
  await page.locator(".extra").getByRole("button", { name: "pass" }).click();
  await page.getByRole("button", { name: "I am second" }).waitFor();
  assert.equal(await page.locator(".facts").isVisible(), false);
  await page.getByRole("button", { name: "I am second" }).click();
  await page.locator(".extra").getByRole("button", { name: "pass" }).click();
  await status(page, "wins");
  clean(page);
  await page.context().close();
});

test("a tournament is played, reported and replayed", async () => {
  const page = await openPage(browser, at("/runs"));
  await page.getByLabel("Rounds").fill("3");
  await page.getByRole("button", { name: "Start" }).click();
  await page.getByRole("heading", { name: "Standings" }).waitFor({ timeout: 60_000 });
  await page.getByText("36 of 36 games").waitFor({ timeout: 60_000 });
  await page.getByRole("button", { name: "#5" }).click();
  await page.locator(".moves .move").first().waitFor();
  await status(page, /wins|draw/);
  clean(page);
  await page.context().close();
});

test("the editor shows an error at its place and a board without one", async () => {
  const page = await openPage(browser, at("/rules"));
  await page.getByText("No problems found.").waitFor();
  await page.locator(".preview img").waitFor();
  const rules = page.getByLabel("Rules", { exact: true });
  const text = await rules.inputValue();
  await rules.fill(text.replace("square", "squar"));
  const finding = page.locator(".findings .error").first();
  await finding.waitFor();
  assert.equal(await page.locator(".behind mark").first().textContent(), "(squar");
  await finding.getByRole("button").click();
  assert.equal(await rules.evaluate((area) => area.value.slice(area.selectionStart, area.selectionEnd)), "(squar");
  await rules.fill(text);
  await page.getByText("No problems found.").waitFor();
  await page.getByRole("button", { name: "Random games" }).click();
  await page.getByText("moves to choose from").waitFor();
  await page.getByRole("button", { name: "Play" }).click();
  await status(page, "Your move");
  clean(page);
  await page.context().close();
});

test("the keyboard alone is enough", async () => {
  const page = await openPage(browser, play({ game: "tictactoe", seats: "human|human" }));
  await status(page, "to move");
  await page.keyboard.press("b");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await page.locator(".moves .move").first().waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter");
  await page.locator(".moves .move").nth(1).waitFor();
  await page.locator(".logo").focus();
  await page.keyboard.press("Home");
  await page.waitForFunction(() => document.querySelector(".moves .current")?.textContent === "Start");
  await page.keyboard.press("u");
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await page.keyboard.press("Escape");
  clean(page);
  await page.context().close();
});

test("the board as text says what the board shows", async () => {
  const page = await openPage(browser, play({ game: "tictactoe", seats: "human|human", moves: "b2" }));
  await status(page, "to move");
  await page.keyboard.press("t");
  const twin = page.locator(".twin");
  const cell = twin.getByRole("button", { name: /^b2: (?!empty)/ });
  await cell.waitFor();
  assert.equal(await twin.getByRole("button", { name: /empty$/ }).count(), 8);
  await twin.getByRole("button", { name: "a1: empty" }).focus();
  await page.keyboard.press("ArrowRight");
  assert.match(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), /^b1/);
  await page.keyboard.press("m");
  await page.waitForFunction(() => document.querySelector("#polite").textContent.includes("b1"));
  await page.keyboard.press("Enter");
  await twin.getByRole("button", { name: /^b1: (?!empty)/ }).waitFor();
  const snapshot = await twin.ariaSnapshot();
  assert.match(snapshot, /button "c3: empty"/);
  clean(page);
  await page.context().close();
});

test("a share link brings the position back", async () => {
  const page = await openPage(browser, play({ game: "tictactoe", seats: "human|human", moves: "b2\na1" }));
  await status(page, "to move");
  await page.getByRole("button", { name: "Share" }).click();
  const link = await page.getByLabel("Link").inputValue();
  const again = await openPage(browser, link);
  await status(again, "to move");
  assert.equal(await again.locator(".moves .move").count(), 2);
  await page.context().close();
  await again.context().close();
});

test("the page works below a path and in a frame of a notebook", async () => {
  const below = await startServer(["--prefix", "/lab/ludex"]);
  assert.match(below.url, /\/lab\/ludex\/$/);
  const notebook = createServer((_, answer) => answer.setHeader("content-type", "text/html").end(`<iframe width="900" height="700" src="${below.url}#/play?game=tictactoe&seats=human|human"></iframe>`));
  await new Promise((resolve) => notebook.listen(0, "127.0.0.1", resolve));
  const page = await openPage(browser, `http://127.0.0.1:${notebook.address().port}/`);
  const frame = page.frameLocator("iframe");
  await frame.locator(".status", { hasText: "to move" }).waitFor();
  await frame.locator(".hit.able").nth(4).click();
  await frame.locator(".moves .move").first().waitFor();
  clean(page);
  await page.context().close();
  notebook.close();
  await below.stop();
});

for (const [name, hash] of [["gallery", "/"], ["table", "/play?game=connect4&seats=human|uct@sims=20"], ["hidden table", "/play?game=kuhn&seats=human|random"], ["tournaments", "/runs"], ["editor", "/rules"], ["map", "/map"]]) {
  test(`axe finds nothing on the ${name}, light and dark, wide and narrow`, async () => {
    for (const options of [{ colorScheme: "light" }, { colorScheme: "dark", viewport: { width: 360, height: 700 } }]) {
      const page = await openPage(browser, at(hash), options);
      await page.locator("main h1").waitFor();
      if (name === "table") {
        await page.getByRole("switch", { name: "Analyse" }).check();
        await page.locator(".candidates tbody tr").first().waitFor();
        await page.locator(".search-tree summary").click();
        await page.getByRole("treeitem").first().click({ timeout: 20_000 });
        await page.locator('[role="treeitem"][aria-level="2"]').first().waitFor({ timeout: 20_000 });
        await page.locator(".insight summary").click();
        await page.getByRole("heading", { name: "Predicted agents" }).waitFor({ timeout: 20_000 });
      }
      if (name === "map") {
        await page.locator(".map-list button").first().click({ timeout: 110_000 });
        await page.getByRole("heading", { name: "Nearest games" }).waitFor();
      }
      await page.waitForTimeout(400);
      const { violations } = await new AxeBuilder({ page }).analyze();
      const found = violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 120)).join(" | ")}`);
      assert.deepEqual(found, []);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `the page is ${wide} px wider than the window`);
      clean(page);
      await page.context().close();
    }
  });
}
