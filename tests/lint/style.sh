#!/usr/bin/env bash
# House rules that a script can see: line length, file length, third-party headers in one place.
set -u
cd "$(dirname "$0")/../.." || exit 1
git rev-parse --git-dir >/dev/null 2>&1 || exit 77
bad=0
# Golden files and the scripts that carry their expected message are as long as they are.
files=$(git ls-files '*.c' '*.h' '*.lua' '*.cu' '*.cuh' |
    grep -v '^tests/golden/\|^tests/ptx/\|^tests/lua/bad/\|^results/')
for file in $files; do
    most=600
    case $file in tests/*) most=700 ;; esac
    awk -v f="$file" -v most=$most '
        length($0) > 90 && !/cmocka_unit_test_/ { printf "%s:%d: %d columns\n", f, FNR, length($0); bad = 1 }
        END { if (FNR > most) { printf "%s: %d lines\n", f, FNR; bad = 1 } exit bad }' \
        "$file" || bad=1
done
only_in() {
    local folder=$1 pattern=$2 found
    found=$(git grep -nE "#include [<\"]($pattern)[>\"]" -- tuner search lua include | grep -v "^$folder")
    [ -z "$found" ] || { echo "outside $folder:"; echo "$found"; bad=1; }
}
only_in tuner/record/ 'jansson\.h'
only_in lua/bind/ 'lua\.h|lauxlib\.h|lualib\.h'
only_in tuner/device/cuda/ 'cuda\.h|cudaTypedefs\.h|cupti[a-z_]*\.h'
only_in tuner/build/ 'nvrtc\.h|cuda_occupancy\.h'
exit $bad
