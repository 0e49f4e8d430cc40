#!/usr/bin/env bash
# Whoever links libhone.a gets all of its names: they begin with hone_ (symbols.sh LIBRARY).
set -u
command -v nm >/dev/null || { echo "skipped: no nm"; exit 77; }
names=$(nm -g --defined-only "$1" | awk 'NF == 3 { print $3 }' | sort -u)
[ "$(wc -l <<<"$names")" -ge 500 ] || { echo "$1 has few names"; exit 1; }
# Sanitizers add some with two underscores.
others=$(grep -vE '^(hone_|__)' <<<"$names")
[ -z "$others" ] || { echo "names of libhone.a without hone_:" $others; exit 1; }
