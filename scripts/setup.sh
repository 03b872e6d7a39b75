# What ./pagesight and ./test need on a fresh machine, in one place so that both set it up alike. Sourced, not run; POSIX sh.
# Everything is said on standard error: standard output belongs to the program, and may be the MCP protocol.

# The names a Chromium-family browser goes by, in the order the program looks for them.
browser_names="chromium chromium-browser google-chrome google-chrome-stable chrome microsoft-edge"

say() {
    printf 'pagesight: %s\n' "$*" >&2
}

fail() {
    say "$*"
    exit 1
}

# timed STEP COMMAND...: runs one step of the set-up; prints its name before and its time after it. Steps do not nest.
timed() {
    step=$1
    shift
    say "$step"
    begun=$(date +%s)
    "$@" || return
    say "$step took $(($(date +%s) - begun)) s"
}

have() {
    command -v "$1" >/dev/null 2>&1
}

# Standard input is closed off from every command here: it may carry the protocol too.
as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@" </dev/null >&2
    elif have sudo; then
        sudo "$@" </dev/null >&2
    else
        say "installing packages needs root and there is no sudo: run as root once: $*"
        return 1
    fi
}

package_manager() {
    for manager in apt-get dnf pacman apk brew; do
        if have "$manager"; then
            echo "$manager"
            return
        fi
    done
}

# install_packages NAME...: with whatever package manager there is; false if that did not work.
install_packages() {
    timed "installing $*" run_package_manager "$@"
}

run_package_manager() {
    case "$(package_manager)" in
        apt-get)
            # An update that fails in part (one broken source of many) need not stop the installation.
            [ -n "${apt_updated:-}" ] || as_root apt-get update -qq || true
            apt_updated=1
            as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@"
            ;;
        dnf) as_root dnf install -y -q "$@" ;;
        pacman) as_root pacman -Sy --noconfirm --needed "$@" ;;
        apk) as_root apk add --quiet "$@" ;;
        brew) brew install --quiet "$@" </dev/null >&2 ;;
        *)
            say "no package manager that is known here (apt-get, dnf, pacman, apk, brew)"
            return 1
            ;;
    esac
}

need_cargo() {
    have cargo && return
    cargo_bin="${CARGO_HOME:-${HOME:-}/.cargo}/bin"
    [ -x "$cargo_bin/cargo" ] || fail "Rust is missing: install it from https://rustup.rs, then run this again"
    PATH="$cargo_bin:$PATH"
    export PATH
}

# The Rust linker step and crates with C code (ring) call cc.
need_compiler() {
    have cc && return
    case "$(package_manager)" in
        apt-get) install_packages gcc libc6-dev || true ;;
        apk) install_packages build-base || true ;;
        brew) fail "a C compiler is missing: run xcode-select --install, then run this again" ;;
        *) install_packages gcc || true ;;
    esac
    have cc || fail "a C compiler is missing and could not be installed: install gcc, then run this again"
}

find_browser() {
    [ -z "${PAGESIGHT_BROWSER:-}" ] || return 0
    for name in $browser_names; do
        have "$name" && return 0
    done
    for app in "Google Chrome" "Chromium" "Microsoft Edge"; do
        for folder in /Applications "${HOME:-}/Applications"; do
            [ -x "$folder/$app.app/Contents/MacOS/$app" ] && return 0
        done
    done
    return 1
}

# Whether a browser that was just installed starts at all: without a running snapd, Ubuntu's package is only a shell
# script that says so.
browser_runs() {
    for name in $browser_names; do
        if have "$name" && "$name" --version </dev/null >/dev/null 2>&1; then
            return 0
        fi
    done
    return 1
}

need_browser() {
    find_browser && return
    case "$(package_manager)" in
        apt-get) install_packages chromium || install_packages chromium-browser || true ;;
        brew) install_packages --cask chromium || true ;;
        *) install_packages chromium || true ;;
    esac
    # A cask puts an app bundle into place and no command.
    if [ "$(package_manager)" = brew ]; then
        find_browser && return
    fi
    browser_runs && return
    fail "no working browser could be installed: install Chromium or Google Chrome, set PAGESIGHT_BROWSER to its path if it is in no usual place, then run this again"
}

# The names Firefox goes by, in the order the program looks for them.
firefox_names="firefox-esr firefox"

# Whether a Firefox starts at all: Ubuntu's package is only a shell script where no snapd runs.
firefox_runs() {
    if [ -n "${PAGESIGHT_FIREFOX:-}" ]; then
        "$PAGESIGHT_FIREFOX" --version </dev/null >/dev/null 2>&1
        return
    fi
    for name in $firefox_names; do
        if have "$name" && "$name" --version </dev/null >/dev/null 2>&1; then
            return 0
        fi
    done
    for folder in /Applications "${HOME:-}/Applications"; do
        [ -x "$folder/Firefox.app/Contents/MacOS/firefox" ] && return 0
    done
    return 1
}

# False where there is none and none can be had; most of the project gets by without it.
need_firefox() {
    firefox_runs && return
    [ -z "${PAGESIGHT_FIREFOX:-}" ] || return 1
    case "$(package_manager)" in
        apt-get | apk) install_packages firefox-esr || install_packages firefox || true ;;
        brew) install_packages --cask firefox || true ;;
        *) install_packages firefox || true ;;
    esac
    firefox_runs
}

# Validates what is written for CI systems; false where there is none and none can be had.
need_xmllint() {
    have xmllint && return
    case "$(package_manager)" in
        apt-get | apk) install_packages libxml2-utils || true ;;
        *) install_packages libxml2 || true ;;
    esac
    have xmllint
}

# The page script's checks use the test reporters that came with node 18.15.
node_is_new_enough() {
    node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 18 || (a === 18 && b >= 15) ? 0 : 1)' \
        </dev/null >/dev/null 2>&1
}

need_node() {
    if ! have node || ! have npm; then
        case "$(package_manager)" in
            brew) install_packages node || true ;;
            *) install_packages nodejs npm || true ;;
        esac
    fi
    have node && have npm || fail "node and npm are missing and could not be installed: install node 18.15 or newer, then run this again"
    node_is_new_enough || fail "node $(node --version) is too old: install node 18.15 or newer, then run this again"
}
