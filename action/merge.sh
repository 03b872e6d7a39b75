#!/usr/bin/env bash
# Merges the runs of all shards. The last step of the action fails if a page changed.
set -euo pipefail

# A single shard is downloaded into the folder itself. Without their last slash, links among the
# others are seen as links.
shards=(.pagesight/shards)
if ! [ -f .pagesight/shards/run.json ]; then
  shards=(.pagesight/shards/*/)
  shards=("${shards[@]%/}")
fi
if ! [ -d "${shards[0]}" ]; then
  echo "pagesight: there is no shard to merge; run jobs with mode: check first" >&2
  exit 2
fi
folder=.pagesight/run
rm -rf "$folder"
code=0
pagesight check merge "${shards[@]}" --run "$folder" --junit .pagesight/junit.xml \
  --report .pagesight/report.html --comment .pagesight/comment.md || code=$?
echo "exit-code=$code" >> "$GITHUB_OUTPUT"
if ! [ -e "$folder/run.json" ]; then
  exit "$((code == 0 ? 2 : code))"
fi
cp .pagesight/report.html .pagesight/junit.xml "$folder/"
echo "folder=$folder" >> "$GITHUB_OUTPUT"
