// A Firefox for the tests, with the face of browser.mjs: WebDriver BiDi over a WebSocket, the
// bundle in a sandbox, no dependency. Ends what it started.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundle, hooksBundle, startBundle } from "./bundle.mjs";
import { openSocket } from "./websocket.mjs";

const SANDBOX = "pagesight";
/** Quiet, and nothing of the network but 127.0.0.1. */
const PREFERENCES = {
  "app.normandy.enabled": false,
  "app.update.disabledForTesting": true,
  "browser.shell.checkDefaultBrowser": false,
  "browser.startup.page": 0,
  "browser.startup.homepage": "about:blank",
  "browser.newtabpage.enabled": false,
  "browser.aboutwelcome.enabled": false,
  "browser.safebrowsing.malware.enabled": false,
  "browser.safebrowsing.phishing.enabled": false,
  "datareporting.policy.dataSubmissionEnabled": false,
  "toolkit.telemetry.server": "",
  "extensions.getAddons.cache.enabled": false,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "network.proxy.type": 1,
  "network.proxy.http": "127.0.0.1",
  "network.proxy.http_port": 9,
  "network.proxy.ssl": "127.0.0.1",
  "network.proxy.ssl_port": 9,
  "network.proxy.no_proxies_on": "127.0.0.1",
  "services.settings.server": "data:,",
  "remote.active-protocols": 1,
  "remote.events.async.mouse.enabled": true,
  "toolkit.cosmeticAnimations.enabled": false,
};

export function findFirefox() {
  if (process.env.PAGESIGHT_FIREFOX) return process.env.PAGESIGHT_FIREFOX;
  for (const name of ["firefox-esr", "firefox"]) {
    try {
      return execFileSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim();
    } catch {
      // not this one
    }
  }
  throw new Error("no Firefox: set PAGESIGHT_FIREFOX, or install firefox-esr");
}

const sleep = (ms) => new Promise((done) => setTimeout(done, ms).unref());

export async function launchFirefox() {
  const profile = mkdtempSync(join(tmpdir(), "pagesight-page-test-"));
  writeFileSync(
    join(profile, "user.js"),
    Object.entries(PREFERENCES)
      .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
      .join(""),
  );
  // A shell holds the other end of a pipe: when node is gone, however it ended, Firefox and its
  // profile go too.
  const guard =
    'profile=$1; shift; "$@" </dev/null & browser=$!; read -r _; kill -TERM $browser; wait $browser; rm -rf "$profile"';
  const command = [
    findFirefox(),
    "--headless",
    "--no-remote",
    "--remote-debugging-port=0",
    "--profile",
    profile,
    "about:blank",
  ];
  const child = spawn("/bin/sh", ["-c", guard, "guard", profile, ...command], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
    env: { ...process.env, TMPDIR: profile, MOZ_CRASHREPORTER_DISABLE: "1" },
  });
  const gone = new Promise((done) => child.on("exit", done));
  const pending = new Map();
  const handlers = new Set();
  let next = 1;
  const port = await readPort(join(profile, "WebDriverBiDiServer.json"), child);
  const socket = await openSocket(port, "/session", {
    message(text) {
      const message = JSON.parse(text);
      if (message.id) {
        const { resolve, reject } = pending.get(message.id) ?? {};
        pending.delete(message.id);
        message.type === "error"
          ? reject?.(new Error(`${message.error}: ${message.message}`))
          : resolve?.(message.result);
      } else for (const handler of handlers) handler(message);
    },
    closed() {
      for (const { reject } of pending.values()) reject(new Error("the browser ended"));
      pending.clear();
    },
  });
  const send = (method, params = {}) =>
    new Promise((resolve, reject) => {
      const id = next++;
      pending.set(id, { resolve, reject });
      socket.send(JSON.stringify({ id, method, params }));
    });
  const close = async () => {
    socket.close();
    child.stdin.end();
    await Promise.race([gone, sleep(4000)]);
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch {
      // already gone
    }
    rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  };
  // Saved pages may ask things; nobody is there to answer.
  await send("session.new", {
    capabilities: { alwaysMatch: { unhandledPromptBehavior: { default: "accept" } } },
  });
  await send("session.subscribe", { events: ["script.realmCreated"] });
  return {
    send,
    close,
    on: (handler) => handlers.add(handler),
    off: (handler) => handlers.delete(handler),
    page: () => openPage(send),
  };
}

async function readPort(file, child) {
  for (let i = 0; i < 600 && child.exitCode === null; i++) {
    if (existsSync(file)) {
      try {
        return JSON.parse(readFileSync(file, "utf8")).ws_port;
      } catch {
        // half written
      }
    }
    await sleep(50);
  }
  throw new Error("Firefox did not start");
}

async function openPage(send) {
  const { context } = await send("browsingContext.create", { type: "tab" });
  await send("browsingContext.setViewport", {
    context,
    viewport: { width: 1280, height: 720 },
    devicePixelRatio: 1,
  });
  let installed = false;
  let pointed = false;
  const evaluate = async (expression, sandbox) => {
    const answer = await send("script.evaluate", {
      expression,
      target: { context, ...(sandbox ? { sandbox } : {}) },
      awaitPromise: true,
      serializationOptions: { maxObjectDepth: 8 },
    });
    if (answer.type === "exception") throw new Error(answer.exceptionDetails.text);
    return plain(answer.result);
  };
  const install = async (before = "") => {
    installed = true;
    await evaluate(before + bundle(), SANDBOX);
  };
  const inside = async (expression) => {
    if (!installed) await install();
    return evaluate(expression, SANDBOX);
  };
  const mouse = async ({ x, y }, button = "left", count = 1) => {
    pointed = true;
    const press = ["pointerDown", "pointerUp"].map((type) => ({
      type,
      button: button === "right" ? 2 : 0,
    }));
    const actions = [{ type: "pointerMove", x, y }, ...Array(count).fill(press).flat()];
    await send("input.performActions", {
      context,
      actions: [{ type: "pointer", id: "mouse", parameters: { pointerType: "mouse" }, actions }],
    });
  };
  return {
    install,
    inside,
    send: (method, params) => send(method, { context, ...params }),
    async goto(url) {
      installed = false;
      // The mouse stays where it is, and the next page would feel it.
      if (pointed) await mouse({ x: 1279, y: 719 }, "left", 0);
      pointed = false;
      await Promise.race([
        send("browsingContext.navigate", { context, url, wait: "complete" }),
        sleep(10000),
      ]);
    },
    mouse,
    async announce(source = startBundle()) {
      const { script } = await send("script.addPreloadScript", {
        functionDeclaration: `() => {\n${source}\n}`,
        sandbox: SANDBOX,
      });
      return () => send("script.removePreloadScript", { script });
    },
    async observe(source = hooksBundle(false)) {
      const { script } = await send("script.addPreloadScript", {
        functionDeclaration: `() => {\n${source}\n}`,
      });
      return () => send("script.removePreloadScript", { script });
    },
    /** In the page's own realm. */
    main: (expression) => evaluate(expression),
    call: async (name, ...args) =>
      JSON.parse(await inside(`pagesight.${name}(...${JSON.stringify(args)})`)),
    close: () => send("browsingContext.close", { context }),
  };
}

/** A remote value as the value it stands for. */
function plain({ type, value }) {
  if (type === "array") return value.map(plain);
  if (type === "object")
    return Object.fromEntries(value.map(([name, inner]) => [name, plain(inner)]));
  return type === "null" ? null : value;
}
