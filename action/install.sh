#!/usr/bin/env bash
# Installs pagesight from npm, unless PAGESIGHT_VERSION is "none".
set -euo pipefail

version=${PAGESIGHT_VERSION:-none}
if [ "$version" != none ]; then
  if ! [[ $version =~ ^[0-9A-Za-z.-]+$ ]]; then
    echo "pagesight: version \"$version\" is not a version of a package" >&2
    exit 2
  fi
  npm install --global --no-fund --no-audit "pagesight@$version"
fi
if ! command -v pagesight > /dev/null; then
  echo "pagesight: there is no pagesight on the PATH; give a version to install" >&2
  exit 2
fi
pagesight --version
