#!/usr/bin/env bash
# Tries ./pagesight on machines that lack something, with stand-ins for cargo, apt-get and the browser, so that no real
# machine has to be stripped first. Called by ./test; prints one line a failure.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
wrong=0

# A clone with one source and a PATH that holds nothing but plain tools and our stand-ins.
fresh() {
    rm -rf "$work"/*
    mkdir -p "$work/repo/scripts" "$work/repo/crates/pagesight/src" "$work/bin" "$work/home" "$work/elsewhere"
    cp "$here/pagesight" "$work/repo/"
    cp "$here/scripts/setup.sh" "$work/repo/scripts/"
    touch -t 202001010000 "$work/repo/Cargo.toml" "$work/repo/Cargo.lock" "$work/repo/crates/pagesight/src/main.rs"
    for tool in sh env find dirname readlink mkdir mv rm cat touch chmod pwd grep date; do
        ln -s "$(command -v $tool)" "$work/bin/$tool"
    done
    program id 'echo 0'
    program cargo 'cat >/dev/null; echo "cargo $*" >>"$LOG"; echo "cargo was here"
mkdir -p target/quick
printf "#!/bin/sh\necho \"program in \$PWD: \$*\"; cat\n" >target/quick/pagesight
chmod +x target/quick/pagesight'
    program apt-get 'echo "apt-get $*" >>"$LOG"; echo "apt was here"
case "$*" in
    *" gcc "*) program=cc ;;
    *" chromium") program=chromium ;;
    *" firefox-esr") program=firefox-esr ;;
    *) exit 0 ;;
esac
printf "#!/bin/sh\n" >"$BIN/$program"; chmod +x "$BIN/$program"'
    program cc ''
    program chromium ''
}

program() {
    printf '#!/bin/sh\n%s\n' "$2" >"$work/bin/$1"
    chmod +x "$work/bin/$1"
}

lacks() {
    rm -f "$work/bin/$1"
}

# run COMMAND...: from another folder, with "protocol" on standard input; leaves $out, $err, $status and $log.
run() {
    : >"$work/log"
    out=$(cd "$work/elsewhere" && echo protocol |
        env -i PATH="$work/bin" HOME="$work/home" BIN="$work/bin" LOG="$work/log" "$@" 2>"$work/err")
    status=$?
    err=$(cat "$work/err")
    log=$(cat "$work/log")
}

expect() {
    if [ "$2" != "$3" ]; then
        wrong=$((wrong + 1))
        printf 'wrong: %s\n  expected: %s\n  but got:  %s\n' "$1" "$3" "$2"
    fi
}

contains() {
    case "$2" in
        *"$3"*) ;;
        *) expect "$1" "$2" "…$3…" ;;
    esac
}

# without_times TEXT: prints a text with N for the seconds that a step took.
without_times() {
    printf '%s\n' "$1" | sed 's/took [0-9][0-9]* s/took N s/'
}

built="cargo build --profile quick --locked -p pagesight --no-default-features --target-dir target --quiet"
answer="program in $work/elsewhere: look x
protocol"

fresh
run "$work/repo/pagesight" look x
expect "the first run builds" "$log" "$built"
contains "a step is printed with its time" "$(without_times "$err")" "pagesight: building took N s"
expect "standard output and input are the program's, and so is the caller's folder" "$out" "$answer"
run "$work/repo/pagesight" look x
expect "the second run does nothing but start the program" "$log$err" ""
expect "the second run still runs it" "$out" "$answer"
touch -t 203501010000 "$work/repo/crates/pagesight/src/main.rs"
run "$work/repo/pagesight" look x
expect "a newer source is built" "$log" "$built"
touch "$work/repo/crates/pagesight/src/main.rs"
touch -t 203501010000 "$work/repo/target/quick/.pagesight-built"
ln -s ../repo/pagesight "$work/elsewhere/link"
run ./link look x
expect "it works through a symlink" "$log$out" "$answer"

fresh
program cargo 'echo "cargo $*" >>"$LOG"; echo "error: no" >&2; exit 101'
run "$work/repo/pagesight" look x
expect "a failed build is a failure" "$status" 1
expect "a failed build prints nothing on standard output" "$out" ""
contains "a failed build says so" "$err" "the build failed"
run "$work/repo/pagesight" look x
contains "a failed build is tried again" "$log" "cargo build"

fresh
mkdir -p "$work/home/.cargo/bin"
mv "$work/bin/cargo" "$work/home/.cargo/bin/"
run "$work/repo/pagesight" look x
expect "cargo is found in the home folder" "$out" "$answer"
rm "$work/home/.cargo/bin/cargo"
rm -r "$work/repo/target"
run "$work/repo/pagesight" look x
contains "without Rust it says where to get it" "$err" "install it from https://rustup.rs"
expect "without Rust it fails" "$status" 1

fresh
lacks cc
lacks chromium
run "$work/repo/pagesight" look x
expect "compiler and browser are installed, the package lists fetched once" "$log" "apt-get update -qq
apt-get install -y -qq --no-install-recommends gcc libc6-dev
$built
apt-get install -y -qq --no-install-recommends chromium"
expect "installing prints nothing on standard output" "$out" "$answer"
contains "each installation is printed with its time" "$(without_times "$err")" "installing chromium took N s"

fresh
lacks cc
program apt-get 'exit 100'
run "$work/repo/pagesight" look x
contains "a compiler that cannot be had is reported" "$err" "install gcc, then run this again"
expect "and is a failure" "$status" 1

fresh
lacks cc
program id 'echo 1000'
run "$work/repo/pagesight" look x
contains "without root and sudo it says what to run" "$err" "run as root once: apt-get update -qq"
program sudo 'echo sudo >>"$LOG"; exec "$@"'
run "$work/repo/pagesight" look x
contains "sudo is used where there is one" "$log" "sudo
apt-get update -qq"
expect "and then it runs" "$out" "$answer"

# Ubuntu without snapd: the package is there, but the browser does not start.
fresh
lacks chromium
program apt-get 'case "$*" in *" chromium") exit 100 ;; *" chromium-browser")
printf "#!/bin/sh\nexit 1\n" >"$BIN/chromium-browser"; chmod +x "$BIN/chromium-browser" ;; esac'
run "$work/repo/pagesight" look x
contains "a browser that does not start is reported" "$err" "no working browser could be installed"
expect "and is a failure too" "$status" 1

fresh
lacks chromium
for arguments in "" help --help --version "install claude" doctor "completions bash" man sessions close "inspect --help" "inspect x.page.json" \
    "mcp --connect http://127.0.0.1:9222" "mcp --connect=ws://x" "mcp --browser firefox --connect x"; do
    # shellcheck disable=SC2086
    run "$work/repo/pagesight" $arguments
    expect "no browser is installed for '$arguments'" "${log#"$built"}" ""
done
run "$work/repo/pagesight" look x --save-page y.page.json
contains "a page file that is only written does not stand for a browser" "$log" "chromium"
for arguments in "mcp --browser firefox" "mcp --browser=firefox"; do
    fresh
    lacks chromium
    # shellcheck disable=SC2086
    run "$work/repo/pagesight" $arguments
    expect "Firefox is installed for '$arguments', and nothing else" "${log#"$built"}" "
apt-get update -qq
apt-get install -y -qq --no-install-recommends firefox-esr"
    # shellcheck disable=SC2086
    run "$work/repo/pagesight" $arguments
    expect "but only once" "$log" ""
done
# Ubuntu without snapd has a Firefox that does not start; the program is to say so, not the script.
fresh
program firefox 'exit 1'
program apt-get 'echo "apt-get $*" >>"$LOG"; exit 100'
run "$work/repo/pagesight" inspect --browser firefox x
contains "a Firefox that does not start is not taken for one" "$log" "firefox-esr"
expect "without Firefox the program still runs" "$out" "program in $work/elsewhere: inspect --browser firefox x
protocol"
fresh
program firefox-nightly ''
run env PAGESIGHT_FIREFOX="$work/bin/firefox-nightly" "$work/repo/pagesight" inspect --browser firefox x
expect "a Firefox that is named is taken" "$log" "$built"
fresh
lacks chromium
run env PAGESIGHT_BROWSER=/opt/browser "$work/repo/pagesight" look x
expect "a browser that is named is taken" "$log" "$built"

[ $wrong -eq 0 ]
