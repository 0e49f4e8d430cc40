#!/usr/bin/env bash
# How busy does hone tune keep a GPU? On the fake driver, which waits for its kernels, NVML
# and CUPTI as a real one does, with as many compile threads as the machine to be simulated
# has cores, each of which sleeps as long as a build takes:
#
#   bench/gpu_busy.sh BUILD [THREADS [SECONDS_A_BUILD [ARGUMENTS_OF_TUNE...]]]
#
# Busy is the time in which a configuration is verified and timed, of all that the run took
# to its last trial; looks for drift, which use the GPU too, are not counted.
set -eu
build=$(cd "$1" && pwd) threads=${2:-16} seconds=${3:-0.47}
shift $(($# < 3 ? $# : 3))
cd "$(dirname "$0")/.."
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
fake=$build/tests/fake
export HONE_LIBCUDA=$fake/fake_cuda.so HONE_NVML=$fake/fake_nvml.so HONE_LOCKS=$out
export HONE_NVRTC=$fake/fake_nvrtc.so HONE_CUPTI=$fake/fake_cupti.so
export HONE_FAKE_CUDA=memory=8e9,profiler=1,noise=0.01
export HONE_FAKE_DELAYS=start=0.2,context=0.2,module=0.003,device=1,flush=0.004,nvml=0.002
HONE_FAKE_DELAYS+=,compile=$seconds
[ $# -gt 0 ] || set -- --no-verify
started=$(date +%s%N)
"$build/hone" tune kernels/reduction.lua --set MODE=write --set N=1048576 --device cuda:0 \
    --strategy random --budget 300 --threads "$threads" --cache '' --quiet --no-finals \
    --journal "$out/busy.jsonl" "$@" >"$out/log" 2>&1 || { cat "$out/log"; exit 1; }
took=$(($(date +%s%N) - started))
grep -v '"compared":' "$out/busy.jsonl" | grep -o '"evaluate_ms":[0-9.e+-]*' |
    awk -F: -v took="$took" -v threads="$threads" -v seconds="$seconds" '
    { n++; sum += $2 }
    END {
        least = threads * sum / n / 1e3 / seconds
        printf "%d configurations, %.1f ms each, %.1f s: the GPU is busy %.0f %%, ", n,
               sum / n, took / 1e9, 100 * sum / (took / 1e6)
        printf "builds allow %.0f %%\n", 100 * (least < 1 ? least : 1)
    }'
