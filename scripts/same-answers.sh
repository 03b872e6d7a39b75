#!/usr/bin/env bash
# Compares the answers of two builds over captured pages, and over saved HTML pages where a folder of
# them is given; prints every difference and ends with 1 if there is one.
#
#   scripts/same-answers.sh OLD_PROGRAM NEW_PROGRAM [FOLDER_OF_HTML_PAGES]
#
# HTML pages are captured once, by the old program, so that both read the same page. A program
# before the commands were renamed is called by its own names (see CHANGELOG.md).
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

# names PROGRAM: prints "old" if the program has the commands inspect, expand and screenshot.
names() {
    if "$1" inspect --help >/dev/null 2>&1; then echo old; fi
}
old_names=$(names "$old")
new_names=$(names "$new")

# words WHICH ARGUMENT...: puts the arguments into the array "said", in the names that this program
# knows. The data of look, and what element and fingerprint print for people, are new in the
# program with the new names and not compared.
words() {
    local known=${1}_names
    shift
    said=("$@")
    [ "${!known}" = old ] || return 0
    case $1 in
    look)
        said=(inspect "$2")
        shift 2
        local query=()
        while [ $# -gt 0 ] && [ "${1#--}" = "$1" ]; do
            query+=("$1")
            shift
        done
        [ ${#query[@]} -eq 0 ] || said+=(--query "${query[*]}")
        said+=("$@")
        ;;
    element) said=(expand "${@:2}") ;;
    shot) said=(screenshot "${@:2}") ;;
    esac
}

# comparable: leaves out what differs from call to call and, if the programs have different names,
# the words of hints and how many tokens they take.
comparable() {
    local hints='s/ — (inspect_tab|take_snapshot|pagesight|give|--pipeline|pipeline) [^"\\]*//g'
    hints+='; s/; (inspect|look at) it without a scope.*//; s/("tokens[a-z_]*":)[0-9]+/\10/g'
    hints+="; s/\\\\*\"enable_visibility_filter[^}]*\}'?//g"
    [ "$old_names" = "$new_names" ] && hints=
    sed -E 's/"captured_at": ?"[^"]*"/"captured_at":""/g; s/("[a-z0-9_]*time_ms": ?)[0-9.]+/\10/g'";$hints"
}

pages=("$root"/tests/captures/*.page.json)
if [ $# -eq 3 ]; then
    for html in "$3"/*.html; do
        page=$work/$(basename "$html" .html).page.json
        words old look "file://$(realpath "$html")" --allow-file --save-page "$page"
        if "$old" "${said[@]}" >/dev/null 2>"$work/error"; then
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
        words "$which" "$@"
        { "${!which}" "${said[@]}" 2>&1; echo "exit code $?"; } | comparable >"$work/$which.txt"
    done
    compared=$((compared + 1))
    if ! cmp -s "$work/old.txt" "$work/new.txt"; then
        different=$((different + 1))
        echo "different: $(basename "$page"): $1 ${*:3}"
        diff "$work/old.txt" "$work/new.txt" | cut -c1-300 | head -n 10
    fi
}

previous=
for page in "${pages[@]}"; do
    same "$page" look "$page"
    same "$page" look "$page" --filter interactive --max-tokens 400
    same "$page" look "$page" search --fold false
    same "$page" snapshot "$page"
    same "$page" snapshot "$page" --json --metrics
    same "$page" snapshot "$page" --max-tokens 500 --output json
    same "$page" fingerprint "$page" --output json
    same "$page" fingerprint "$page" --depth detailed --output json
    for selector in a button input h1; do
        same "$page" element "$page" "$selector" --output json
    done
    [ -z "$previous" ] || same "$page" diff "$previous" "$page"
    previous=$page
done
echo "$compared answers compared over ${#pages[@]} pages, $different different"
[ "$different" -eq 0 ]
