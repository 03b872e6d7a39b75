#!/usr/bin/env bash
# Runs one shard, or all pages. Changes do not fail this step: the run is stored first, and the last
# step of the action fails. A check that could not store its run fails here.
set -euo pipefail

arguments=("$PAGESIGHT_FILE")
artifact=$PAGESIGHT_ARTIFACT
folder=.pagesight/run
if [ -n "${PAGESIGHT_SHARD:-}" ]; then
  if [ "$PAGESIGHT_MODE" = all ]; then
    echo "pagesight: a shard needs mode: check, and a job with mode: merge after all shards" >&2
    exit 2
  fi
  arguments+=(--shard "$PAGESIGHT_SHARD")
fi
if [ "$PAGESIGHT_MODE" = check ]; then
  # Without a shard, this is the only one.
  shard=${PAGESIGHT_SHARD:-1/1}
  [ -n "${PAGESIGHT_SHARD:-}" ] || arguments+=(--shard "$shard")
  # Each attempt has an artifact of its own, so that a retry never meets a half-written one.
  artifact+="-shard-${shard%%/*}-attempt-${GITHUB_RUN_ATTEMPT:-1}"
else
  mkdir -p .pagesight
  arguments+=(--comment .pagesight/comment.md)
fi
while IFS= read -r line; do
  [ -z "$line" ] || arguments+=("$line")
done <<< "${PAGESIGHT_ARGUMENTS:-}"

rm -rf "$folder"
code=0
CI=true pagesight check "${arguments[@]}" --run "$folder" || code=$?
{
  echo "exit-code=$code"
  echo "artifact=$artifact"
  if [ -e "$folder/run.json" ]; then echo "folder=$folder"; fi
} >> "$GITHUB_OUTPUT"
if ! [ -e "$folder/run.json" ]; then
  exit "$((code == 0 ? 2 : code))"
fi
