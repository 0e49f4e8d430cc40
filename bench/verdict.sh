#!/usr/bin/env bash
# How long a verdict of one configuration takes without a GPU: build and check, as JSON,
# nothing cached but the program's own pages. Medians of RUNS runs, in seconds: the whole
# command (wall, and processor time of all threads), then what it says of its parts (NVRTC
# for the configuration, its verification) and a run whose builds are cached.
# Usage: bench/verdict.sh [HONE [RUNS]], from anywhere; needs NVRTC.
set -eu
top=$(realpath "$(dirname "$0")/..")
hone=$(realpath "${1:-$top/build/release/hone}")
runs=${2:-7}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# check KERNEL CACHE: one line "wall cpu build verify"
check() {
    local TIMEFORMAT='%R %U %S'
    { time "$hone" check "$top/kernels/$1.lua" --device emu:a100 --sample 1 --seed 1 \
        --cache "$2" --quiet --json >"$folder/out"; } 2>"$folder/time"
    awk -v times="$(tail -n 1 "$folder/time")" '
        BEGIN { split(times, t, " ") }
        /"build_seconds"/ { build = $2 + 0 }
        /"verify_seconds"/ { verify = $2 + 0 }
        END { print t[1], t[2] + t[3], build, verify }' "$folder/out"
}

# median COLUMN FILE
median() { cut -d ' ' -f "$1" "$2" | sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

printf '%-8s %6s %6s %7s %7s   %s\n' kernel wall cpu build verify 'cached: wall cpu'
for kernel in sgemm rmsnorm; do
    check "$kernel" "$folder/cache" >/dev/null
    for ((i = 0; i < runs; i++)); do
        check "$kernel" '' >>"$folder/$kernel"
        check "$kernel" "$folder/cache" >>"$folder/$kernel.cached"
    done
    printf '%-8s %6.2f %6.2f %7.2f %7.2f   %12.2f %.2f\n' "$kernel" \
        "$(median 1 "$folder/$kernel")" "$(median 2 "$folder/$kernel")" \
        "$(median 3 "$folder/$kernel")" "$(median 4 "$folder/$kernel")" \
        "$(median 1 "$folder/$kernel.cached")" "$(median 2 "$folder/$kernel.cached")"
done
