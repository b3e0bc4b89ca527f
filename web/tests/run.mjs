// Runs the tests of the page.
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const done = spawnSync(process.execPath, ["--test", "--test-concurrency=1", "--test-timeout=120000", join(here, "studio.test.mjs")], { stdio: "inherit" });
process.exit(done.status ?? 1);
