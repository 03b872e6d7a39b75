#!/usr/bin/env bash
# Writes .pagesight/comment.md as a comment on the pull request, or replaces the earlier one.
set -euo pipefail

file=.pagesight/comment.md
if ! [ -e "$file" ]; then
  echo "pagesight: there is no result to comment on"
  exit 0
fi
if ! [[ ${PAGESIGHT_PULL_REQUEST:-} =~ ^[0-9]+$ ]]; then
  echo "pagesight: this is not a pull request; no comment is written"
  exit 0
fi
comments=$GITHUB_API_URL/repos/$GITHUB_REPOSITORY/issues
body=$(mktemp)
trap 'rm -f "$body"' EXIT
jq --null-input --rawfile text "$file" '{body: $text}' > "$body"

# The token is read from standard input, so that no list of processes shows it.
api() {
  curl --silent --show-error --fail-with-body --max-time 60 --retry 2 --config - \
    --header "Accept: application/vnd.github+json" --header "X-GitHub-Api-Version: 2022-11-28" \
    "$@" <<< "header = \"Authorization: Bearer $PAGESIGHT_TOKEN\""
}

earlier=
page=1
while [ -z "$earlier" ] && [ "$page" -le 10 ]; do
  listed=$(api "$comments/$PAGESIGHT_PULL_REQUEST/comments?per_page=100&page=$page") || break
  earlier=$(jq -r 'first(.[] | select(.user.type == "Bot" and (.body | startswith("<!-- pagesight check -->")))) | .id // empty' <<< "$listed")
  [ "$(jq length <<< "$listed")" -eq 100 ] || break
  page=$((page + 1))
done

# A pull request of a fork has a token that cannot write. The result does not depend on the comment.
if [ -n "$earlier" ]; then
  api --request PATCH --data-binary "@$body" "$comments/comments/$earlier" > /dev/null ||
    echo "::warning::pagesight could not replace its comment on the pull request"
else
  api --request POST --data-binary "@$body" "$comments/$PAGESIGHT_PULL_REQUEST/comments" > /dev/null ||
    echo "::warning::pagesight could not comment on the pull request"
fi
