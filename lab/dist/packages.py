"""Installs every package of `cargo xtask dist` into an empty prefix, uses it, and removes it.

Usage: packages.py DIST_FOLDER PAGE_URL TITLE WORK_FOLDER NAME...

Prints one table of packages and one of the launcher, and ends with 1 if a check failed. Each
package gets a home folder of its own, so that "without a trace" can be checked: what is left in
the prefix and in the home after removing is listed, except caches of the package managers.
"""

import glob
import json
import os
import pathlib
import shutil
import signal
import statistics
import subprocess
import sys
import tarfile
import time

DIST, URL, TITLE, WORK = sys.argv[1:5]
CHOSEN = sys.argv[5:]
LIMIT = 120
# How much the launcher may add to `node -e 0`, in milliseconds, and how often both are timed.
OVERHEAD_LIMIT = 20
ROUNDS = 25
failures = []


def one(pattern):
    found = sorted(glob.glob(os.path.join(DIST, pattern)))
    if len(found) != 1:
        sys.exit(f"{pattern}: {len(found)} files in {DIST}; run `cargo xtask dist` first")
    return os.path.abspath(found[0])


def environment(home):
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("XDG_", "npm_", "PAGESIGHT", "UV_TOOL", "PIPX"))
    }
    # Where packages are downloaded from is the machine's setting, not the user's home.
    for name, file in [("npm_config_userconfig", ".npmrc"), ("PIP_CONFIG_FILE", ".config/pip/pip.conf")]:
        path = os.path.expanduser(f"~/{file}")
        if os.path.exists(path):
            kept[name] = path
    return kept | {"HOME": home, "npm_config_cache": os.path.join(WORK, "npm-cache"),
                   "UV_CACHE_DIR": os.path.join(WORK, "uv-cache"),
                   "PIP_CACHE_DIR": os.path.join(WORK, "pip-cache")}


def run(arguments, env, cwd, limit=600):
    done = subprocess.run(arguments, env=env, cwd=cwd, capture_output=True, text=True, timeout=limit)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(arguments)}: {done.stdout}{done.stderr}")
    return done.stdout


class Server:
    """An MCP client over the standard streams of a command."""

    def __init__(self, command, env, cwd):
        self.process = subprocess.Popen(command, env=env, cwd=cwd, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                        start_new_session=True)
        self.count = 0

    def send(self, message):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.process.stdin.flush()

    def ask(self, method, params):
        self.count += 1
        self.send({"id": self.count, "method": method, "params": params})
        begun = time.time()
        while time.time() - begun < LIMIT:
            line = self.process.stdout.readline()
            if not line:
                raise RuntimeError(f"{method}: the server ended: {self.process.stderr.read()}")
            answer = json.loads(line)
            if answer.get("id") == self.count:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
        raise RuntimeError(f"{method}: no answer within {LIMIT} s")

    def shake_hands(self):
        hello = self.ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
                                        "clientInfo": {"name": "packages", "version": "1"}})
        self.send({"method": "notifications/initialized"})
        return hello["serverInfo"]["version"]

    def look(self):
        answer = self.ask("tools/call", {"name": "browser_navigate", "arguments": {"url": URL}})
        text = answer["content"][0]["text"]
        if answer.get("isError") or TITLE not in text:
            raise RuntimeError(f"the page was not seen: {text}")

    def wait(self):
        """Returns the exit status; a process that stays is a failure, and is ended."""
        try:
            status = self.process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            raise RuntimeError("the server did not end within 30 s")
        time.sleep(0.5)
        left = members(self.process.pid)
        if left:
            raise RuntimeError(f"processes are left: {left}")
        return status


def members(session):
    """Lists the processes of a session, so that browsers that remain are seen."""
    found = []
    for path in glob.glob("/proc/[0-9]*/stat"):
        try:
            text = pathlib.Path(path).read_text()
        except OSError:
            continue
        name, fields = text[text.index("(") + 1:text.rindex(")")], text[text.rindex(")") + 2:].split()
        if int(fields[3]) == session and fields[0] != "Z":
            found.append(name)
    return found


def end(session):
    """Ends what a failed check left. The group may be gone already."""
    if members(session):
        try:
            os.killpg(session, signal.SIGKILL)
        except ProcessLookupError:
            pass


# What the browser writes into the home folder of its user, whoever starts it.
OF_THE_BROWSER = (".cache/dconf/", ".config/chromium/Crash Reports/", ".cache/fontconfig/")


def files(*folders):
    """Lists files and links, except those of the browser."""
    found = set()
    for folder in folders:
        for path in pathlib.Path(folder).rglob("*"):
            is_file = path.is_symlink() or path.is_file()
            if is_file and not str(path.relative_to(folder)).startswith(OF_THE_BROWSER):
                found.add(str(path))
    return found


def npm(prefix, env, *options):
    packages = [one("pagesight-linux-*.tgz"), one("pagesight-[0-9]*.tgz")]
    quiet = [*options, "--no-audit", "--no-fund", "--loglevel=error", "--prefix", prefix]
    run(["npm", "install", "--ignore-scripts", *quiet, *packages], env, prefix)
    def remove():
        run(["npm", "uninstall", *quiet, "pagesight", "@pagesight/linux-x64"], env, prefix)
    return [f"{prefix}/node_modules/.bin/pagesight"], remove, {"package.json", "package-lock.json", ".package-lock.json"}


def npm_global(prefix, env):
    # In a global prefix the platform's package is a sibling of the launcher's, where Node finds it.
    _, remove, _ = npm(prefix, env, "--global")
    return [f"{prefix}/bin/pagesight"], remove, set()


def npx(prefix, env):
    packages = [one("pagesight-linux-*.tgz"), one("pagesight-[0-9]*.tgz")]
    chosen = [part for package in packages for part in ("--package", package)]
    return ["npx", "--yes", *chosen, "pagesight"], lambda: None, set()


def pip(prefix, env):
    run([sys.executable, "-m", "venv", f"{prefix}/venv"], env, prefix)
    before = files(prefix)
    run([f"{prefix}/venv/bin/pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile",
         one("*.whl")], env, prefix)
    def remove():
        run([f"{prefix}/venv/bin/pip", "uninstall", "--yes", "--quiet", "--disable-pip-version-check",
             "pagesight"], env, prefix)
        for path in files(prefix) & before:
            os.remove(path)
    # pip asks rustc for its version, and rustup then writes its settings.
    return [f"{prefix}/venv/bin/pagesight"], remove, {"settings.toml"}


def uv(prefix, env):
    env |= {"UV_TOOL_DIR": f"{prefix}/tools", "UV_TOOL_BIN_DIR": f"{prefix}/bin", "UV_PYTHON": sys.executable}
    run([tool("uv"), "tool", "install", "--quiet", one("*.whl")], env, prefix)
    def remove():
        run([tool("uv"), "tool", "uninstall", "--quiet", "pagesight"], env, prefix)
    return [f"{prefix}/bin/pagesight"], remove, {".lock", ".gitignore"}


def uvx(prefix, env):
    env |= {"UV_PYTHON": sys.executable}
    return [tool("uvx"), "--from", one("*.whl"), "pagesight"], lambda: None, {".lock", ".gitignore"}


def pipx(prefix, env):
    env |= {"PIPX_HOME": f"{prefix}/pipx", "PIPX_BIN_DIR": f"{prefix}/bin", "PIPX_MAN_DIR": f"{prefix}/man",
            "PIPX_DEFAULT_PYTHON": sys.executable}
    run([tool("pipx"), "install", "--quiet", one("*.whl")], env, prefix)
    def remove():
        run([tool("pipx"), "uninstall", "pagesight"], env, prefix)
        # What pipx keeps for all packages: its logs and its own pip.
        for folder in ("pipx/logs", "pipx/shared", "pipx/.cache"):
            shutil.rmtree(f"{prefix}/{folder}", ignore_errors=True)
    # pipx leaves its lock of the package.
    return [f"{prefix}/bin/pagesight"], remove, {"CACHEDIR.TAG", ".pagesight.lock"}


def mcpb(prefix, env):
    run(["npx", "--yes", "@anthropic-ai/mcpb@2.1.2", "unpack", one("*.mcpb"), f"{prefix}/bundle"], env, prefix)
    manifest = json.load(open(f"{prefix}/bundle/manifest.json"))
    config = manifest["server"]["mcp_config"]
    if config["args"] != ["mcp"]:
        raise RuntimeError(f"the manifest's arguments are {config['args']}")
    return ([config["command"].replace("${__dirname}", f"{prefix}/bundle")],
            lambda: shutil.rmtree(f"{prefix}/bundle"), set())


def archive(prefix, env):
    with tarfile.open(one("*.tar.xz")) as packed:
        packed.extractall(prefix)
    (folder,) = os.listdir(prefix)
    return [f"{prefix}/{folder}/pagesight"], lambda: shutil.rmtree(f"{prefix}/{folder}"), set()


def cargo(prefix, env):
    """Builds the program from the packed crates, as crates.io would give them."""
    user = os.path.expanduser("~")
    env |= {"CARGO_HOME": os.environ.get("CARGO_HOME", f"{user}/.cargo"),
            "RUSTUP_HOME": os.environ.get("RUSTUP_HOME", f"{user}/.rustup")}
    sources = os.path.join(WORK, "crates")
    shutil.rmtree(sources, ignore_errors=True)
    crates = sorted(glob.glob(os.path.join(DIST, "*.crate")))
    if len(crates) != 4:
        raise RuntimeError(f"{len(crates)} crates in {DIST}; run `cargo xtask dist` without `--no-crates`")
    folders = {}
    for packed in crates:
        with tarfile.open(packed) as archive_of_crate:
            archive_of_crate.extractall(sources)
        folder = os.path.basename(packed).removesuffix(".crate")
        folders[folder.rsplit("-", 1)[0]] = os.path.join(sources, folder)
    program = folders.pop("pagesight")
    # Until they are published, the other crates come from their packed form.
    patches = [part for name, folder in folders.items()
               for part in ("--config", f'patch.crates-io.{name}.path="{folder}"')]
    # The folder of all builds: what other crates need is not built again.
    run(["cargo", "install", "--quiet", "--path", program, "--root", prefix, *patches,
         "--target-dir", os.path.dirname(os.path.abspath(DIST))], env, prefix, 3600)
    def remove():
        run(["cargo", "uninstall", "--quiet", "--root", prefix, "pagesight"], env, prefix)
    return [f"{prefix}/bin/pagesight"], remove, {".crates.toml", ".crates2.json"}


def tool(name):
    return os.environ.get(name.upper() + "_PROGRAM", name)


def try_package(name, install):
    prefix, home = os.path.join(WORK, name, "prefix"), os.path.join(WORK, name, "home")
    shutil.rmtree(os.path.join(WORK, name), ignore_errors=True)
    os.makedirs(prefix)
    os.makedirs(home)
    env = environment(home)
    try:
        command, remove, expected = install(prefix, env)
        server = Server([*command, "mcp"], env, prefix)
        try:
            version = server.shake_hands()
            server.look()
            server.process.stdin.close()
            status = server.wait()
        finally:
            end(server.process.pid)
        if status != 0:
            raise RuntimeError(f"exit status {status}")
        remove()
        left = {path for path in files(prefix, home) if os.path.basename(path) not in expected}
        traces = sorted(os.path.relpath(path, os.path.join(WORK, name)) for path in left)
        if traces:
            raise RuntimeError(f"left behind: {', '.join(traces[:8])}")
        print(f"| {name} | {version} | yes | {status} | nothing |", flush=True)
    except Exception as error:
        failures.append(name)
        print(f"| {name} | failed: {str(error)[:600]} | | | |", flush=True)


def timed(command, env):
    begun = time.perf_counter()
    subprocess.run(command, env=env, stdout=subprocess.DEVNULL, check=True)
    return (time.perf_counter() - begun) * 1000


def try_launcher(node, env, launcher, program):
    version = run([node, "--version"], env, WORK).strip()
    way = run([node, "-p", "typeof process.execve === 'function' ? 'execve' : 'spawn'"], env, WORK).strip()
    bare, alone, launched = [], [], []
    for _ in range(ROUNDS):
        bare.append(timed([node, "-e", "0"], env))
        alone.append(timed([program, "--version"], env))
        launched.append(timed([node, launcher, "--version"], env))
    added = statistics.median(launched) - statistics.median(bare)
    least = min(launched) - min(bare)
    cells = [f"{statistics.median(bare):.0f}", f"{statistics.median(alone):.0f}",
             f"{statistics.median(launched):.0f}", f"{added:.0f}", f"{least:.0f}"]
    if added > OVERHEAD_LIMIT:
        failures.append(f"launcher overhead in Node {version}")
    for how in ("Ctrl-C", "SIGINT", "SIGTERM", "closed input", "killed program", "wrong flag", "streams"):
        try:
            direct, through = ending([program], how, env), ending([node, launcher], how, env)
            if direct != through:
                raise RuntimeError(f"{through} instead of {direct}")
            cells.append(f"same ({through})")
        except Exception as error:
            failures.append(f"{how} in Node {version}")
            cells.append(f"failed: {str(error)[:300]}")
    print(f"| {version}, {way} | {' | '.join(cells)} |", flush=True)


def ending(command, how, env):
    """Ends a server with an open browser in one of the ways; returns the exit status."""
    if how == "wrong flag":
        return subprocess.run([*command, "mcp", "--no-such-flag"], env=env, capture_output=True).returncode
    if how == "streams":
        done = subprocess.run([*command, "--help"], env=env, capture_output=True)
        return f"{len(done.stdout)} and {len(done.stderr)} bytes"
    server = Server([*command, "mcp"], env, WORK)
    try:
        server.shake_hands()
        server.look()
        if how == "Ctrl-C":
            # A terminal sends it to every process of the group.
            os.killpg(server.process.pid, signal.SIGINT)
        elif how == "closed input":
            server.process.stdin.close()
        elif how == "killed program":
            os.kill(program_below(server.process.pid), signal.SIGKILL)
            status = server.process.wait(timeout=30)
            return status
        else:
            server.process.send_signal(getattr(signal, how))
        return server.wait()
    finally:
        end(server.process.pid)


def program_below(pid):
    """Returns the process itself if it is the program, else its child that is."""
    if pathlib.Path(f"/proc/{pid}/comm").read_text().strip() == "pagesight":
        return pid
    children = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return next(int(child) for child in children
                if pathlib.Path(f"/proc/{child}/comm").read_text().strip() == "pagesight")


PACKAGES = {"npm": npm, "npm --global": npm_global, "npx": npx, "pip": pip, "uv tool": uv, "uvx": uvx,
            "pipx": pipx, "mcpb": mcpb, "archive": archive, "cargo install": cargo}
os.makedirs(WORK, exist_ok=True)
print("| package | version in the handshake | page seen | exit status | left after removing |\n|---|---|---|---|---|")
for name, install in PACKAGES.items():
    if name in CHOSEN:
        try_package(name, install)
if "launcher" in CHOSEN:
    folder = os.path.join(WORK, "launcher")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    env = environment(folder)
    npm(folder, env)
    print("\n| Node | `node -e 0`, ms | program alone, ms | launcher, ms | added (median), ms | added (least), ms "
          "| Ctrl-C | SIGINT | SIGTERM | closed input | killed program | wrong flag | output, error |")
    print("|---|---|---|---|---|---|---|---|---|---|---|---|---|")
    launcher = f"{folder}/node_modules/pagesight/bin/pagesight.js"
    for node in os.environ.get("NODES", "node").split(":"):
        try_launcher(node, env, launcher, f"{folder}/node_modules/@pagesight/linux-x64/bin/pagesight")
print(f"\n{len(failures)} failed" + "".join(f"\n- {failure}" for failure in failures))
sys.exit(1 if failures else 0)
