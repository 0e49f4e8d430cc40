#!/usr/bin/env bash
# Every C file is formatted by clang-format 14 (other versions format differently: skipped).
set -u
cd "$(dirname "$0")/../.." || exit 1
tool=$(command -v clang-format-14 || command -v clang-format) || exit 77
"$tool" --version | grep -q 'version 14\.' || { echo "skipped: not clang-format 14"; exit 77; }
# Many files a process: to start it takes four times as long as to format one.
said=$(git ls-files -z '*.c' '*.h' | grep -zv '^tests/golden/\|^results/' |
    xargs -0 -n 100 "$tool" --dry-run -Werror 2>&1) && exit 0
printf '%s\n' "$said" | sed -n 's/^\([^ :]*\):[0-9]*:.*clang-format-violations.*/not formatted: \1/p' |
    sort -u | grep . || printf '%s\n' "$said"
exit 1
