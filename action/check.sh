#!/usr/bin/env bash
# Runs one shard, or all pages. Changes do not fail this step: the run is stored first, and the last
# step of the action fails. A check that could not store its run fails here.
set -euo pipefail

# These become lines of the step's outputs.
refuse() {
  echo "pagesight: $1" >&2
  exit 2
}
case $PAGESIGHT_MODE in
  check | all) ;;
  *) refuse "mode must be check, merge or all, not $(printf %q "$PAGESIGHT_MODE")" ;;
esac
[[ $PAGESIGHT_ARTIFACT =~ ^[A-Za-z0-9._-]+$ ]] ||
  refuse "artifact may only have letters, digits, . _ and -: $(printf %q "$PAGESIGHT_ARTIFACT")"
[[ ${PAGESIGHT_SHARD:-1/1} =~ ^[0-9]+/[0-9]+$ ]] ||
  refuse "shard must be two numbers, such as 2/5, not $(printf %q "$PAGESIGHT_SHARD")"

arguments=("$PAGESIGHT_FILE")
artifact=$PAGESIGHT_ARTIFACT
folder=.pagesight/run
if [ -n "${PAGESIGHT_SHARD:-}" ]; then
  if [ "$PAGESIGHT_MODE" = all ]; then
    refuse "a shard needs mode: check, and a job with mode: merge after all shards"
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
