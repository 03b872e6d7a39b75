// Our roles and names against the browser's own, on saved pages: node test/oracle.mjs FOLDER [FILE…]. Not part of the suite; for judging, not for passing.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { launch, serve } from "./browser.mjs";
import { decode } from "./decode.mjs";

const [folder, ...only] = process.argv.slice(2);
if (!folder || !existsSync(folder)) {
  console.log(`no pages at ${folder ?? "(no folder given)"}: nothing to do`);
  process.exit(0);
}
const files = readdirSync(folder).filter((name) => name.endsWith(".html") && (only.length === 0 || only.some((o) => name.includes(o))));
const server = await serve((path) => (files.includes(path.slice(1)) ? readFileSync(join(folder, path.slice(1))) : null));
const browser = await launch("--enable-blink-features=ComputedAccessibilityInfo");
let all = 0;
let names = 0;
let roles = 0;
const kinds = new Map();
try {
  for (const file of files) {
    const page = await browser.page();
    await page.goto(`${server.url}/${file}`);
    // The test marks the elements, so that a record can be told which element it is; the script itself never would.
    await page.main(`[...document.querySelectorAll("*")].forEach((el, i) => el.setAttribute("data-pw", i))`);
    const list = decode(await page.call("walk", {})).filter((n) => n.tag && !n.why && !n.flags.includes("aria-hidden") && (n.flags.includes("usable") || /heading|image|table|navigation|main|banner|list$|group|region/.test(n.role)));
    const marks = list.map((n) => n.attrs["data-pw"] ?? "");
    const answers = await page.main(`(() => { const by = new Map([...document.querySelectorAll("*")].map((el) => [el.getAttribute("data-pw"), el]));
      return ${JSON.stringify(marks)}.map((m) => by.get(m) ? [by.get(m).computedRole, by.get(m).computedName] : null); })()`);
    for (const [i, node] of list.entries()) {
      if (!answers[i]) continue;
      const [role, name] = answers[i];
      const mine = node.role === "clickable" ? "" : node.role;
      const theirs = /^(generic|none|presentation|)$/.test(role) ? "" : role === "img" ? "image" : role;
      all++;
      const squeeze = (text) => (text ?? "").replace(/[\s\uE000-\uF8FF\u200b\u00ad]+/g, " ").trim();
      const sameName = squeeze(name) === squeeze(node.name) || (mine === "" && name === "") || node.name.endsWith("…");
      names += sameName ? 1 : 0;
      roles += mine === theirs ? 1 : 0;
      if (!sameName || mine !== theirs) {
        const kind = sameName ? `role ${theirs || "-"} → ${mine || "-"}` : "name";
        const examples = kinds.get(kind) ?? [];
        kinds.set(kind, examples);
        examples.push(`${file} <${node.tag}> ${node.role}: browser ${JSON.stringify([role, (name ?? "").slice(0, 100)])} ours ${JSON.stringify(node.name.slice(0, 100))}`);
      }
    }
    await page.close();
  }
} finally {
  await browser.close();
  server.close();
}
for (const [kind, examples] of [...kinds].sort((a, b) => b[1].length - a[1].length)) console.log(`${kind} (${examples.length})\n  ${examples.slice(0, 12).join("\n  ")}`);
console.log(`${all} elements: same name ${((100 * names) / all).toFixed(1)} %, same role ${((100 * roles) / all).toFixed(1)} %`);
