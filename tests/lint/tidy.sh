#!/usr/bin/env bash
# clang-tidy over the library and the program, by .clang-tidy: tidy.sh BUILD_FOLDER, which has the
# compile commands. Other versions than 14 count differently: skipped.
set -u
cd "$(dirname "$0")/../.." || exit 1
tool=$(command -v clang-tidy-14 || command -v clang-tidy) || { echo "skipped: no clang-tidy"; exit 77; }
"$tool" --version | grep -q 'version 14\.' || { echo "skipped: not clang-tidy 14"; exit 77; }
[ -f "$1/compile_commands.json" ] || { echo "skipped: no compile commands in $1"; exit 77; }
files=$(grep -oE '"file": "[^"]*"' "$1/compile_commands.json" | cut -d'"' -f4 |
    grep -E "^$PWD/(tuner|search|lua)/" | sort -u)
[ "$(wc -l <<<"$files")" -ge 300 ] || { echo "compile commands of few files"; exit 1; }
# ctype.h of glibc has macros that count as branches; warnings are the compilers' matter.
found=$(xargs -P "$(nproc)" -n 16 "$tool" --quiet --warnings-as-errors='*' -p "$1" \
    -extra-arg=-w -extra-arg=-D__NO_CTYPE <<<"$files" 2>/dev/null)
status=$?
echo "$found" | grep -E ' (warning|error): |thresholds|statements \(|lines incl|parameters \(|nesting level . starts' |
    sed "s|^$PWD/||" | sort -u
exit "$status"
