#!/usr/bin/env bash
# The shared library exports what its headers declare, versioned, and nothing else:
# library.sh BUILD SOURCE. The list is taken here from what a compiler sees in the headers.
set -eu
library=$1/libhone.so
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

nm -D --defined-only "$library" | awk '$2 != "A" {print $3}' | sort >"$root/exported"
if grep -v '^hone_[a-z0-9_]*@@HONE_[0-9.]*$' "$root/exported"; then
    echo "exported without a version, or not ours"
    exit 1
fi
sed 's/@@.*//' "$root/exported" | sort -u >"$root/names"
echo '#include "hone/hone.h"' >"$root/all.c"
cc -std=c11 -aux-info "$root/prototypes" -I"$2/include" -c "$root/all.c" -o "$root/all.o"
sed -n 's|.*include/hone/[^*]*\*/ extern [^(]*\(hone_[a-z0-9_]*\) (.*|\1|p' "$root/prototypes" |
    sort -u >"$root/declared"
# data has no prototype
comm -3 "$root/names" <(sort -u "$root/declared" - <<END
hone_model_kinds
hone_nowhere
hone_strategies
hone_strbuf_empty
hone_time_policy_default
END
) >"$root/differences"
if [ -s "$root/differences" ]; then
    echo "exported alone, or (second column) declared alone:"
    cat "$root/differences"
    exit 1
fi
readelf -d "$library" | grep -q 'SONAME.*libhone\.so\.[0-9]*\.[0-9]*\]'
[ "$(wc -l <"$root/names")" -gt 100 ]
