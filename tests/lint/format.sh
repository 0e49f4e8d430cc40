#!/usr/bin/env bash
# Every C file is formatted by clang-format 14 (other versions format differently: skipped).
set -u
cd "$(dirname "$0")/../.." || exit 1
tool=$(command -v clang-format-14 || command -v clang-format) || exit 77
"$tool" --version | grep -q 'version 14\.' || { echo "skipped: not clang-format 14"; exit 77; }
bad=0
for file in $(git ls-files '*.c' '*.h' | grep -v '^tests/golden/\|^results/'); do
    "$tool" "$file" | cmp -s - "$file" || { echo "not formatted: $file"; bad=1; }
done
exit $bad
