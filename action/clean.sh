#!/usr/bin/env bash
# Removes what a repository may have committed where the Action stores results, so that a pull
# request cannot bring its own. A link there would lead the results out of the checkout.
set -euo pipefail

folder=${PAGESIGHT_FOLDER:-.}/.pagesight
if [ -L "$folder" ]; then
  echo "pagesight: .pagesight is a link; replace it by a folder, which results are stored in" >&2
  exit 2
fi
for name in shards run comment.md junit.xml report.html; do
  rm -rf "${folder:?}/$name"
done
