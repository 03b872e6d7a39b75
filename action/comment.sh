#!/usr/bin/env bash
# Writes .pagesight/comment.md as a comment on the pull request, or replaces the earlier one.
set -euo pipefail

file=.pagesight/comment.md
if [ -L .pagesight ] || [ -L "$file" ] || { [ -e "$file" ] && ! [ -f "$file" ]; }; then
  echo "pagesight: $file is a link or not a file; remove it from the repository" >&2
  exit 2
fi
if ! [ -e "$file" ]; then
  echo "pagesight: there is no result to comment on"
  exit 0
fi
if ! [[ ${PAGESIGHT_PULL_REQUEST:-} =~ ^[0-9]+$ ]]; then
  echo "pagesight: this is not a pull request; no comment is written"
  exit 0
fi
# A quote or a line end would be further options of curl.
if ! [[ ${PAGESIGHT_TOKEN:-} =~ ^[A-Za-z0-9_.-]+$ ]]; then
  echo "pagesight: the token is empty or has other characters than a token of GitHub" >&2
  exit 2
fi
comments=$GITHUB_API_URL/repos/$GITHUB_REPOSITORY/issues
# Each use of the Action has a comment of its own.
mark="pagesight ${GITHUB_WORKFLOW:-} ${PAGESIGHT_ARTIFACT:-}"
mark="<!-- ${mark//[^A-Za-z0-9._ -]/} -->"
body=$(mktemp)
trap 'rm -f "$body"' EXIT
jq --null-input --rawfile text "$file" --arg mark "$mark" '{body: "\($mark)\n\($text)"}' > "$body"

# The token is read from standard input, so that no list of processes shows it.
api() {
  curl --silent --show-error --fail-with-body --max-time 60 --retry 2 --config - \
    --header "Accept: application/vnd.github+json" --header "X-GitHub-Api-Version: 2022-11-28" \
    "$@" <<< "header = \"Authorization: Bearer $PAGESIGHT_TOKEN\""
}

# Finds the earlier comment in a list. The author of comments is known for GitHub's own token.
find_earlier='first(.[] | select(
  .user.type == "Bot" and ($author == "" or .user.login == $author)
  and ((.body // "") | startswith($mark))
) | .id | numbers)'
earlier=
page=1
while [ -z "$earlier" ] && [ "$page" -le 10 ]; do
  listed=$(api "$comments/$PAGESIGHT_PULL_REQUEST/comments?per_page=100&page=$page") || break
  # An answer that is not a list has no earlier comment.
  earlier=$(jq -r --arg mark "$mark" --arg author "${PAGESIGHT_AUTHOR:-}" "$find_earlier" \
    <<< "$listed" 2> /dev/null) || earlier=
  [ "$(jq length <<< "$listed" 2> /dev/null)" = 100 ] || break
  page=$((page + 1))
done

# A pull request of a fork has a token that cannot write. The result does not depend on the comment.
if [ -n "$earlier" ]; then
  api --request PATCH --data-binary "@$body" "$comments/comments/$earlier" > /dev/null ||
    echo "::warning::pagesight could not replace its comment on the pull request"
else
  api --request POST --data-binary "@$body" "$comments/$PAGESIGHT_PULL_REQUEST/comments" \
    > /dev/null ||
    echo "::warning::pagesight could not comment on the pull request"
fi
