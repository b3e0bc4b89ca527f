// Measures the comfort of the page: first paint, click to board, rate of the overlay. Not part of CI: times depend on the machine.
import { statSync, readdirSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { openPage, startBrowser, startServer } from "./harness.mjs";

const assets = join(dirname(fileURLToPath(import.meta.url)), "../../crates/studio/assets");
const files = readdirSync(assets).map((name) => join(assets, name));
const size = files.reduce((sum, file) => sum + statSync(file).size, 0);
const zipped = files.reduce((sum, file) => sum + gzipSync(readFileSync(file)).length, 0);
console.log(`assets: ${size} bytes, ${zipped} bytes compressed`);

const median = (list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)];
const server = await startServer();
const browser = await startBrowser();
await new Promise((resolve) => setTimeout(resolve, 6000));

for (const [name, hash] of [["gallery", "/"], ["table", "/play?game=lud:chess&seats=human|human"], ["editor", "/rules"]]) {
  const paints = [];
  const ready = [];
  for (let round = 0; round < 7; round++) {
    const page = await openPage(browser, `${server.url}#${hash}`);
    await page.locator("main h1").waitFor();
    const times = await page.evaluate(() => [performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN, performance.now()]);
    paints.push(times[0]);
    ready.push(times[1]);
    await page.context().close();
  }
  console.log(`${name}: first paint ${Math.round(median(paints))} ms, content ${Math.round(median(ready))} ms (median of 7)`);
}

const page = await openPage(browser, `${server.url}#/play?game=lud:chess&seats=human|human`);
await page.locator(".status", { hasText: "to move" }).waitFor();
const clicks = [];
for (let round = 0; round < 20; round++) {
  clicks.push(
    await page.evaluate(async () => {
      const first = document.querySelectorAll(".hit.able");
      const fire = (element) => {
        const box = element.getBoundingClientRect();
        const at = { clientX: box.x + box.width / 2, clientY: box.y + box.height / 2, bubbles: true, button: 0, pointerId: 1 };
        element.dispatchEvent(new PointerEvent("pointerdown", at));
        element.dispatchEvent(new PointerEvent("pointerup", at));
      };
      fire(first[Math.floor(Math.random() * first.length)]);
      const target = document.querySelector(".target")?.getBoundingClientRect();
      if (!target) return NaN;
      const hit = document.elementsFromPoint(target.x + target.width / 2, target.y + target.height / 2).find((element) => element.classList.contains("hit"));
      const begun = performance.now();
      const changed = new Promise((resolve) => new MutationObserver((_, observer) => { observer.disconnect(); requestAnimationFrame(() => resolve(performance.now())); }).observe(document.querySelector(".piece-layer"), { childList: true }));
      fire(hit);
      return (await changed) - begun;
    }),
  );
  await page.waitForTimeout(120);
}
const good = clicks.filter((time) => !Number.isNaN(time));
console.log(`click to new board on the screen (chess): median ${median(good).toFixed(1)} ms, slowest ${good.at(-1).toFixed(1)} ms of ${good.length}`);

for (const game of ["connect4", "lud:chess"]) {
  const table = await openPage(browser, `${server.url}#/play?game=${game}&seats=human|human`);
  await table.locator(".status", { hasText: "to move" }).waitFor();
  await table.getByRole("switch", { name: "Analyse" }).check();
  await table.locator(".candidates tbody tr").first().waitFor();
  await table.waitForTimeout(1500);
  const rate = await table.evaluate(async () => {
    let count = 0;
    const observer = new MutationObserver(() => count++);
    observer.observe(document.querySelector(".over"), { childList: true });
    await new Promise((resolve) => setTimeout(resolve, 5000));
    observer.disconnect();
    return count / 5;
  });
  console.log(`overlay of uct on ${game}: ${rate.toFixed(1)} drawings a second`);
  await table.context().close();
}
await browser.close();
await server.stop();
