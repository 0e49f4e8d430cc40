#!/usr/bin/env bash
# Lines of product and tests, and how long functions are, at a commit: code_figures.sh [COMMIT].
# Product: C, its tables and kernels' Lua and CUDA stay out. A function is what stands between
# braces of their own at the left margin.
set -eu
cd "$(dirname "$0")/.."
commit=${1:-HEAD}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
git archive "$commit" tuner search lua include tests | tar x -C "$folder"
cd "$folder"
lines() { find "$@" \( -name '*.[ch]' -o -name '*.inc' -o -name '*.def' \) -exec cat {} + | wc -l; }
product=$(lines tuner search lua include) tests=$(lines tests)
echo "product $product lines, tests $tests lines, ratio $(awk "BEGIN { printf \"%.2f\", $tests / $product }")"
find tuner search lua include \( -name '*.[ch]' -o -name '*.inc' \) -exec awk '
    FNR == 1 { from = 0 }
    /^\{$/ { from = FNR }
    /^\}$/ && from { print FNR - from - 1; from = 0 }' {} + | sort -n | awk '
    { length_of[NR] = $1 }
    END {
        printf "functions %d, median %d lines, p90 %d, longest %d\n", NR,
               length_of[int((NR + 1) / 2)], length_of[int(NR * 0.9)], length_of[NR]
    }'
