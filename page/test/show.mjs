// Prints what the script sees of a page: node test/show.mjs URL|FILE [--all] [--json]. For looking,
// not for testing.
import { existsSync, readFileSync } from "node:fs";
import { launch, serve } from "./browser.mjs";
import { decode, outline } from "./decode.mjs";

const [target, ...options] = process.argv.slice(2);
if (!target) {
  console.log("node test/show.mjs URL|FILE [--all] [--full] [--json]");
  process.exit(0);
}
const server = existsSync(target) ? await serve(() => readFileSync(target)) : null;
const browser = await launch();
try {
  const page = await browser.page();
  await page.goto(server ? `${server.url}/page` : target);
  const start = performance.now();
  const wire = await page.call("walk", { full: options.includes("--full") });
  const took = performance.now() - start;
  if (wire.error) console.log(wire);
  else if (options.includes("--json")) console.log(JSON.stringify(wire));
  else {
    const list = decode(wire);
    console.log(outline(list, options.includes("--all")));
    console.error(
      `${wire.elements} elements, ${list.length} nodes, ${JSON.stringify(wire).length} bytes, ${took.toFixed(0)} ms; hidden ${JSON.stringify(wire.hidden)}, withheld ${wire.withheld}, truncated ${wire.truncated}`,
    );
    const times = await page.inside(
      `(() => { const t = []; for (let i = 0; i < 7; i++) { const s = performance.now(); pagesight.walk({}); t.push(performance.now() - s); } return t.map((x) => Math.round(x)); })()`,
    );
    console.error(`walks in the page, ms: ${times}`);
  }
} finally {
  await browser.close();
  server?.close();
}
