// Builds the page into crates/studio/assets. `--check` fails where the committed files differ; `--watch` builds after each change.
import { build, context } from "esbuild";
import { mkdtempSync, readFileSync, copyFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const assets = join(here, "../crates/studio/assets");
const check = process.argv.includes("--check");
const out = check ? mkdtempSync(join(tmpdir(), "ludex-page-")) : assets;
const files = ["index.html", "icon.svg"];

const options = {
  absWorkingDir: here,
  entryPoints: { app: "src/main.ts", style: "src/style.css" },
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  outdir: out,
};

if (process.argv.includes("--watch")) {
  for (const file of files) copyFileSync(join(here, "src", file), join(out, file));
  await (await context(options)).watch();
} else {
  await build(options);
  for (const file of files) copyFileSync(join(here, "src", file), join(out, file));
  if (check) {
    const names = (folder) => readdirSync(folder).sort().join(" ");
    const differs = readdirSync(out).filter((name) => {
      try {
        return !readFileSync(join(out, name)).equals(readFileSync(join(assets, name)));
      } catch {
        return true;
      }
    });
    const stale = names(out) !== names(assets);
    rmSync(out, { recursive: true });
    if (differs.length > 0 || stale) {
      console.error(`crates/studio/assets is out of date (${differs.join(", ")}): run \`npm run build\` in web/`);
      process.exit(1);
    }
  }
}
