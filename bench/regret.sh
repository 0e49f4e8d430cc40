#!/usr/bin/env bash
# Whether headers announce the regret that other sizes meet: SGEMM at 96 sizes with 48
# configurations each, by the emulator's predictions, split a hundred times.
# Usage: bench/regret.sh [BUILD [JOURNAL]], from anywhere; the journal is kept and used
# again. Needs NVRTC; three minutes of one core.
set -eu
top=$(realpath "$(dirname "$0")/..")
build=$(realpath "${1:-$top/build/dev}")
journal=${2:-$build/regret.jsonl}
if ! [ -s "$journal" ]; then
    sizes=$(mktemp)
    trap 'rm -f "$sizes" "$journal.part"' EXIT
    awk 'BEGIN { srand(11)
        for (i = 0; i < 96; i++)
            printf "M=%d N=%d K=%d\n", 16 * exp(rand() * 5.2), 16 * exp(rand() * 5.2), 32 * exp(rand() * 3.5)
    }' >"$sizes"
    "$build/hone" tune "$top/kernels/sgemm.lua" --device emu:h200 --problems "$sizes" \
        --set BK=16 --set WM=32 --set WN=32 --set TM=8 --set TN=4 --set ASYNC=0 --set STAGES=2 \
        --set GROUP_M=4 --set VEC=1 --set LOAD=1 --set MIN_BLOCKS=1 --set PREFETCH=0 \
        --strategy grid --budget 100 --no-verify --quiet --journal "$journal.part" >/dev/null
    mv "$journal.part" "$journal"
fi
for fitted in 16 24 48; do
    "$build/hone_bench_regret" "$journal" "$fitted" 100
done
