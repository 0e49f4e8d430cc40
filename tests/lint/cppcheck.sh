#!/usr/bin/env bash
# cppcheck over the library and the program: cppcheck.sh CACHE_FOLDER.
set -u
command -v cppcheck >/dev/null || { echo "skipped: no cppcheck"; exit 77; }
cd "$(dirname "$0")/../.." || exit 1
mkdir -p "$1"
includes=$(find tuner search lua/bind \( -name '*.h' -printf '-I%h\n' \) -o \
    \( -type d -name include -printf '-I%p\n' \) | sort -u)
# shellcheck disable=SC2046,SC2086
exec cppcheck -q -j "$(nproc)" --cppcheck-build-dir="$1" --std=c11 \
    --enable=warning,style,performance,portability --inline-suppr \
    --suppress=missingIncludeSystem --suppress=unmatchedSuppression --error-exitcode=1 \
    -D_POSIX_C_SOURCE=200809L -Iinclude $includes \
    $(find tuner search lua/bind -name '*.c')
