#!/usr/bin/env bash
# Compares the answers of two builds over captured pages, and over saved HTML pages where a folder of
# them is given; prints every difference and ends with 1 if there is one.
#
#   scripts/same-answers.sh OLD_PROGRAM NEW_PROGRAM [FOLDER_OF_HTML_PAGES]
#
# HTML pages are captured once, by the old program, so that both read the same page.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
if [ $# -lt 2 ] || [ $# -gt 3 ]; then
    echo "usage: scripts/same-answers.sh OLD_PROGRAM NEW_PROGRAM [FOLDER_OF_HTML_PAGES]" >&2
    exit 2
fi
old=$(realpath "$1")
new=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_DATA_HOME=$work/data HOME=$work
compared=0
different=0

pages=("$root"/tests/captures/*.page.json)
if [ $# -eq 3 ]; then
    for html in "$3"/*.html; do
        page=$work/$(basename "$html" .html).page.json
        if "$old" inspect "file://$(realpath "$html")" --allow-file --save-page "$page" \
            >/dev/null 2>"$work/error"; then
            pages+=("$page")
        else
            echo "not captured: $(basename "$html"): $(head -n 1 "$work/error")"
        fi
    done
fi

# same PAGE ARGUMENT...: runs both programs and compares their output and exit codes. The time
# of an answer, and how long it took, is all that may differ.
same() {
    local page=$1
    shift
    for which in old new; do
        { "${!which}" "$@" 2>&1; echo "exit code $?"; } |
            sed -E 's/"captured_at": ?"[^"]*"/"captured_at":""/g; s/("[a-z0-9_]*time_ms": ?)[0-9.]+/\10/g' >"$work/$which.txt"
    done
    compared=$((compared + 1))
    if ! cmp -s "$work/old.txt" "$work/new.txt"; then
        different=$((different + 1))
        echo "different: $(basename "$page"): $2 ${*:4}"
        diff "$work/old.txt" "$work/new.txt" | cut -c1-300 | head -n 10
    fi
}

previous=
for page in "${pages[@]}"; do
    same "$page" inspect "$page"
    same "$page" inspect "$page" --filter interactive --max-tokens 400
    same "$page" inspect "$page" --query "search" --fold false --output json
    same "$page" snapshot "$page"
    same "$page" snapshot "$page" --json --metrics
    same "$page" snapshot "$page" --max-tokens 500 --output json
    same "$page" fingerprint "$page"
    same "$page" fingerprint "$page" --depth detailed --output json
    for selector in a button input h1; do
        same "$page" expand "$page" "$selector"
    done
    [ -z "$previous" ] || same "$page" diff "$previous" "$page"
    previous=$page
done
echo "$compared answers compared over ${#pages[@]} pages, $different different"
[ "$different" -eq 0 ]
