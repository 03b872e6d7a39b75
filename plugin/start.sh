#!/bin/sh
# Starts the server of the plugin. npx obeys .npmrc and node_modules of the folder that it starts in
# and puts the programs in there first on PATH, so that a project would choose what runs. Therefore
# it starts in the plugin's own folder; the server then works in the project again.
set -e
PAGESIGHT_PROJECT=$PWD
export PAGESIGHT_PROJECT
cd "$(dirname "$0")"
exec npx --prefix "$PWD" -y --package=pagesight@0.2.0 \
  --call 'cd "$PAGESIGHT_PROJECT" && exec pagesight mcp'
