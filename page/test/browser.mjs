// A browser for the tests: Chromium over --remote-debugging-pipe, the bundle in an isolated world,
// no dependency. Ends what it started. PAGESIGHT_TEST_ENGINE=firefox gives a Firefox with the same
// face instead (firefox.mjs).
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundle, hooksBundle } from "./bundle.mjs";
import { launchFirefox } from "./firefox.mjs";

/** The engine that the tests run in. */
export const engine = process.env.PAGESIGHT_TEST_ENGINE === "firefox" ? "firefox" : "chromium";

export function findBrowser() {
  if (process.env.PAGESIGHT_BROWSER) return process.env.PAGESIGHT_BROWSER;
  for (const name of ["chromium", "chromium-browser", "google-chrome"]) {
    try {
      return execFileSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim();
    } catch {
      // not this one
    }
  }
  throw new Error("no browser: set PAGESIGHT_BROWSER, or install chromium");
}

export async function launch(...more) {
  if (engine === "firefox") return launchFirefox();
  const profile = mkdtempSync(join(tmpdir(), "pagesight-page-test-"));
  const args = [
    "--headless",
    "--remote-debugging-pipe",
    `--user-data-dir=${profile}`,
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-gpu",
    "--window-size=1280,720",
    "--hide-scrollbars",
    "--force-device-scale-factor=1",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    ...more,
  ];
  if (process.getuid?.() === 0) args.push("--no-sandbox");
  const child = spawn(findBrowser(), [...args, "about:blank"], {
    stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
    detached: true,
  });
  const pending = new Map();
  const handlers = new Set();
  let next = 1;
  let buffer = Buffer.alloc(0);
  child.stdio[4].on("data", (data) => {
    buffer = Buffer.concat([buffer, data]);
    for (let end = buffer.indexOf(0); end >= 0; end = buffer.indexOf(0)) {
      const message = JSON.parse(buffer.subarray(0, end).toString("utf8"));
      buffer = buffer.subarray(end + 1);
      if (message.id) {
        const { resolve, reject } = pending.get(message.id) ?? {};
        pending.delete(message.id);
        message.error ? reject?.(new Error(`${message.error.message}`)) : resolve?.(message.result);
      } else for (const handler of handlers) handler(message);
    }
  });
  child.on("exit", () => {
    for (const { reject } of pending.values()) reject(new Error("the browser ended"));
    pending.clear();
  });
  const send = (method, params = {}, sessionId) =>
    new Promise((resolve, reject) => {
      const id = next++;
      pending.set(id, { resolve, reject });
      child.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
  const close = async () => {
    await Promise.race([
      send("Browser.close").catch(() => {}),
      new Promise((done) => setTimeout(done, 2000).unref()),
    ]);
    await new Promise((done) => {
      if (child.exitCode !== null || child.signalCode !== null) return done();
      child.on("exit", done);
      setTimeout(done, 2000).unref();
    });
    // Its children outlive it by a moment, and would write into the profile again.
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch {
      // already gone
    }
    rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  };
  return {
    send,
    close,
    on: (handler) => handlers.add(handler),
    off: (handler) => handlers.delete(handler),
    page: () => openPage({ send, on: (h) => handlers.add(h), off: (h) => handlers.delete(h) }),
  };
}

async function openPage(browser) {
  const { targetId } = await browser.send("Target.createTarget", { url: "about:blank" });
  const { sessionId } = await browser.send("Target.attachToTarget", { targetId, flatten: true });
  const send = (method, params) => browser.send(method, params, sessionId);
  await send("Page.enable");
  await send("Runtime.enable");
  // Saved pages may ask things; nobody is there to answer.
  browser.on((message) => {
    if (message.sessionId === sessionId && message.method === "Page.javascriptDialogOpening")
      send("Page.handleJavaScriptDialog", { accept: true }).catch(() => {});
  });
  let world = null;
  const evaluate = async (expression, contextId) => {
    const { result, exceptionDetails } = await send("Runtime.evaluate", {
      expression,
      contextId,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails)
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  };
  const goto = async (url) => {
    world = null;
    const loaded = new Promise((done) => {
      const handler = (message) => {
        if (message.sessionId === sessionId && message.method === "Page.loadEventFired") {
          browser.off(handler);
          done();
        }
      };
      browser.on(handler);
    });
    const { errorText } = await send("Page.navigate", { url });
    if (errorText) throw new Error(errorText);
    await Promise.race([loaded, new Promise((done) => setTimeout(done, 10000).unref())]);
  };
  /** `before` runs in the script's world before the script. */
  const install = async (before = "") => {
    const { frameTree } = await send("Page.getFrameTree");
    const { executionContextId } = await send("Page.createIsolatedWorld", {
      frameId: frameTree.frame.id,
      worldName: "pagesight",
    });
    world = executionContextId;
    await evaluate(before + bundle(), world);
  };
  return {
    send,
    goto,
    install,
    /** In the page's own world. */
    main: (expression) => evaluate(expression),
    /** In the script's world. */
    inside: async (expression) => {
      if (!world) await install();
      return evaluate(expression, world);
    },
    /** A call of the page script, decoded. */
    async call(name, ...args) {
      if (!world) await install();
      return JSON.parse(await evaluate(`pagesight.${name}(...${JSON.stringify(args)})`, world));
    },
    /** Real input: moves there, then presses and releases. */
    async mouse({ x, y }, button = "left", count = 1) {
      await send("Input.dispatchMouseEvent", { type: "mouseMoved", x, y });
      for (let n = 1; n <= count; n++) {
        await send("Input.dispatchMouseEvent", {
          type: "mousePressed",
          x,
          y,
          button,
          clickCount: n,
        });
        await send("Input.dispatchMouseEvent", {
          type: "mouseReleased",
          x,
          y,
          button,
          clickCount: n,
        });
      }
    },
    /** Has a script run before every later document's own; answers with the way back. */
    async announce(source = bundle()) {
      const { identifier } = await send("Page.addScriptToEvaluateOnNewDocument", {
        source,
        worldName: "pagesight",
      });
      return () => send("Page.removeScriptToEvaluateOnNewDocument", { identifier });
    },
    /** Has the hooks run in the own world of every later document; answers with the way back. */
    async observe(source = hooksBundle()) {
      const { identifier } = await send("Page.addScriptToEvaluateOnNewDocument", { source });
      return () => send("Page.removeScriptToEvaluateOnNewDocument", { identifier });
    },
    close: () => browser.send("Target.closeTarget", { targetId }),
  };
}

/** Serves whatever `pages` holds by path, on 127.0.0.1. */
export async function serve(pages) {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://x").pathname);
    const page = typeof pages === "function" ? pages(path) : pages[path];
    if (page === undefined || page === null) {
      response.writeHead(404);
      return response.end();
    }
    response.writeHead(200, {
      "content-type": path.endsWith(".svg")
        ? "image/svg+xml"
        : path.endsWith(".xml")
          ? "application/xml"
          : "text/html; charset=utf-8",
    });
    response.end(page);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}
