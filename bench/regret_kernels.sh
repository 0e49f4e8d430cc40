#!/usr/bin/env bash
# The regret of sizes that were not tuned, for three kernels on grids of sizes, by the
# emulator's predictions: headers of 12 and 24 sizes asked for the others, a hundred times.
# Usage: bench/regret_kernels.sh [BUILD [FOLDER]], from anywhere; journals in the folder are
# kept and used again. Needs NVRTC; ten minutes of one core.
set -eu
top=$(realpath "$(dirname "$0")/..")
build=$(realpath "${1:-$top/build/dev}")
folder=${2:-$build/regret}
mkdir -p "$folder"
cd "$folder"
awk 'BEGIN { srand(11); for (i = 0; i < 48; i++)
    printf "M=%d N=%d K=%d\n", 16 * exp(rand() * 5.2), 16 * exp(rand() * 5.2), 32 * exp(rand() * 3.5) }' >sgemm.sizes
awk 'BEGIN { srand(12); for (i = 0; i < 48; i++)
    printf "M=%d N=%d\n", 16 * exp(rand() * 5.2), 16 * exp(rand() * 5.2) }' >transpose.sizes
awk 'BEGIN { srand(12); for (i = 0; i < 40; i++)
    printf "rows=%d cols=%d\n", 16 * exp(rand() * 5.2), 32 * exp(rand() * 3.4) }' >softmax.sizes

# measure KERNEL PARAMETER=VALUE...
measure() {
    local kernel=$1 sets=() set
    shift
    for set in "$@"; do sets+=(--set "$set"); done
    if ! [ -s "$kernel.jsonl" ]; then
        rm -f part.jsonl
        "$build/hone" tune "$top/kernels/$kernel.lua" --device emu:h200 --problems "$kernel.sizes" \
            "${sets[@]}" --strategy grid --budget 100 --no-verify --quiet --journal part.jsonl >/dev/null
        mv part.jsonl "$kernel.jsonl"
    fi
    for fitted in 12 24; do
        echo "$kernel: $("$build/hone_bench_regret" "$kernel.jsonl" "$fitted" 100 | head -n 1)"
    done
}
measure sgemm BK=16 WM=32 WN=32 TM=8 TN=4 ASYNC=0 STAGES=2 GROUP_M=4 VEC=1 LOAD=1 MIN_BLOCKS=1 PREFETCH=0
measure softmax EVICT=0 LOAD=0 MIN_BLOCKS=1 PREFETCH=0 SPLIT=1 STORE=0 VEC=4 CHUNKS=1
measure transpose EVICT=0 LOAD=0 MIN_BLOCKS=1 ORDER=0 PREFETCH=0 SPREAD=0 STORE=0 VEC_IN=1
