// Exists because Stagehand is a library: gives its page functions to an MCP client, one tool each.
// No model is involved: `snapshot` is the tree that Stagehand would send to one.
import { createInterface } from "node:readline";

import { localBrowser, Stagehand } from "@browserbasehq/stagehand";

let browser;
let page;
let seen;

const TOOLS = {
  async goto({ url }) {
    if (!browser) {
      const executablePath = process.env.CHROMIUM;
      browser = await localBrowser.launch({ executablePath, headless: true, chromiumSandbox: false });
      await Stagehand.create({ browser });
      [page] = await browser.context.pages();
    }
    await page.goto(url);
    return `at ${url}`;
  },
  async snapshot() {
    seen = await page.snapshot();
    return seen.formattedTree;
  },
  async click({ id }) {
    await page.locator(`xpath=${seen.xpathMap[id]}`).click();
    return `clicked ${id}`;
  },
};

const ANSWERS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "stagehand", version: "0" },
  }),
  "tools/list": () => ({
    tools: Object.keys(TOOLS).map((name) => ({ name, inputSchema: { type: "object" } })),
  }),
  async "tools/call"({ name, arguments: given }) {
    try {
      return { content: [{ type: "text", text: await TOOLS[name](given) }] };
    } catch (error) {
      return { content: [{ type: "text", text: String(error) }], isError: true };
    }
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const answer = ANSWERS[method];
  const reply = answer
    ? { result: await answer(params ?? {}) }
    : { error: { code: -32601, message: `no method ${method}` } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...reply })}\n`);
}
await browser?.close();
process.exit(0);
