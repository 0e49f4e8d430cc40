#!/usr/bin/env bash
# tests/fuzz/printed.sh FUZZ_PRINTED FILE|FOLDER...: expressions, compiled as the C that is printed
# for them with the undefined behaviour sanitizer, give the values that evaluation gives.
# Exit code 77 without a C compiler.
set -euo pipefail
command -v cc >/dev/null || exit 77
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1" "$folder/all.c" "$folder/expected" "${@:2}"
cc -std=c99 -O1 -w -fsanitize=undefined -fno-sanitize-recover=all -o "$folder/all" "$folder/all.c"
"$folder/all" >"$folder/got"
diff "$folder/expected" "$folder/got" | head -n 20
cmp "$folder/expected" "$folder/got"
