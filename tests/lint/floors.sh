#!/usr/bin/env bash
# The picture and the table in docs/maintain/floors.md are those of CMake: floors.sh FILE, which
# hone_write_floors wrote. HONE_UPDATE_GOLDEN=1 puts them there.
set -u
cd "$(dirname "$0")/../.." || exit 1
page=docs/maintain/floors.md
begin='<!-- from DEPENDS of hone_floor: begin -->'
end='<!-- end -->'
for mark in "$begin" "$end"; do
    [ "$(grep -cxF -- "$mark" "$page")" = 1 ] || { echo "$page: not one line '$mark'"; exit 1; }
done
if [ -n "${HONE_UPDATE_GOLDEN:-}" ]; then
    sed -i -e "/^$begin\$/,/^$end\$/{ /^$begin\$/{ p; r $1" -e '}' -e "/^$end\$/p; d }" "$page"
fi
sed -n "/^$begin\$/,/^$end\$/p" "$page" | sed '1d;$d' | diff - "$1" ||
    { echo "$page is not what CMakeLists.txt say: HONE_UPDATE_GOLDEN=1 $0 $1"; exit 1; }
