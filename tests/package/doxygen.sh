#!/usr/bin/env bash
# Doxygen reads the public headers without a warning: doxygen.sh BUILD SOURCE.
set -eu
command -v doxygen >/dev/null || exit 77
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
cd "$2"
(cat Doxyfile; echo "OUTPUT_DIRECTORY = $root") | doxygen -
grep -q 'The configuration to use next' "$root"/html/online_8h.html
