#!/usr/bin/env bash
# Everything that needs a GPU, in stages, on what is built already: nothing is compiled
# here but kernels. Carry the repository with build/gpu (preset gpu) to a machine with a
# GPU and run it.
#
#   tests/gpu/run.sh [--stage NAME] [OUTDIR]
#
# OUTDIR (default: build/gpu-out) gets run.log, table.txt, the journals and the headers.
# HONE_BUILD names another build folder than build/gpu. Exit code: 0 all stages passed,
# 1 a stage failed, 2 wrong use, 77 there is no driver or no GPU. The limits of the stages
# add up to 16 minutes.
set -u

# name, limit in seconds, command
stages="facts 20 facts
device 40 suite device
faults 40 suite faults
timing 50 suite timing
isolation 30 isolation
clocks 40 clocks
energy 60 energy
repeat 60 repeat
check-sgemm 40 check sgemm 16
check-gemm_mma 60 check gemm_mma 24
check-gemm_batched 30 check gemm_batched 12
check-gemm_grouped 30 check gemm_grouped 12
check-attention 40 check attention 16
check-attention_decode 30 check attention_decode 16
check-reduction 20 check reduction 16
check-transpose 20 check transpose 16
check-softmax 20 check softmax 16
check-stencil 20 check stencil 16
check-rmsnorm 20 check rmsnorm 16
check-layernorm 20 check layernorm 16
check-nbody 20 check nbody 16
tune-sgemm 70 tune sgemm --set M=4096 --set N=4096 --set K=4096 --budget 30
tune-gemm_mma 70 tune gemm_mma --set M=4096 --set N=4096 --set K=4096 --budget 30
tune-attention 40 tune attention --budget 20
tune-attention_decode 30 tune attention_decode --budget 20
tune-reduction 20 tune reduction --budget 10
tune-softmax 20 tune softmax --budget 10
tune-rmsnorm 20 tune rmsnorm --budget 10
tune-transpose 20 tune transpose --budget 10
tune-stencil 20 tune stencil --budget 10
tune-nbody 20 tune nbody --budget 10
bits 60 bits"

die() { echo "run.sh: $1" >&2; exit 2; }

only=
outdir=
while [ $# -gt 0 ]; do
    case $1 in
    --stage) [ $# -ge 2 ] || die "--stage needs a name"; only=$2; shift ;;
    -*) die "unknown option '$1'" ;;
    *) [ -z "$outdir" ] || die "one folder only, not '$outdir' and '$1'"; outdir=$1 ;;
    esac
    shift
done
if [ -n "$only" ] && ! grep -q "^$only " <<<"$stages"; then
    names=$(cut -d' ' -f1 <<<"$stages" | paste -sd' ')
    die "there is no stage '$only'; there are $names"
fi

root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root" || exit 2
build=${HONE_BUILD:-build/gpu}
outdir=${outdir:-build/gpu-out}
hone=$build/hone
[ -x "$build/tests/gpu/test_gpu_device" ] ||
    die "'$build' holds no tests: cmake --preset gpu && cmake --build --preset gpu"
mkdir -p "$outdir" || exit 2
log=$outdir/run.log
table=$outdir/table.txt
: >"$log"

# A file of a Python wheel, where the loader and the toolkit's places have none.
wheel() {
    python3 -c 'import glob, sys
for folder in sys.path:
    for file in glob.glob(folder + "/nvidia/*/lib/" + sys.argv[1]):
        print(file); sys.exit()' "$1" 2>/dev/null
}
installed() { compgen -G "/usr/local/cuda/$1" >/dev/null; }
if [ -z "${HONE_NVRTC:-}" ] && ! installed 'lib64/libnvrtc.so*'; then
    found=$(wheel 'libnvrtc.so.1?') && [ -n "$found" ] && export HONE_NVRTC=$found
fi
if [ -z "${HONE_CUPTI:-}" ] && ! installed 'lib64/libcupti.so*' &&
    ! installed 'extras/CUPTI/lib64/libcupti.so*'; then
    found=$(wheel 'libcupti.so.1?') && [ -n "$found" ] && export HONE_CUPTI=$found
fi

"$build/tests/gpu/test_gpu_device" device_describes_a_gpu >>"$log" 2>&1
case $? in
0) ;;
77) cat "$log"; exit 77 ;;
*) cat "$log"; exit 1 ;;
esac

facts() {
    uname -srm
    if command -v nvidia-smi >/dev/null; then
        nvidia-smi || true
        local fields=name,driver_version,clocks.sm,clocks.mem,temperature.gpu,power.draw
        nvidia-smi --query-gpu=$fields --format=csv || true
    fi
    if [ -x "$hone" ]; then "$hone" --version && "$hone" devices; fi
    "$build/tests/gpu/test_gpu_device" device_describes_a_gpu
}
suite() { "$build/tests/gpu/test_gpu_$1"; }
# Of 16 configurations 4 are right, 8 fault and 4 never end: each costs itself and no more.
isolation() {
    local journal=$outdir/isolation.jsonl
    rm -f "$journal"
    "$hone" tune tests/gpu/faulty.lua --device cuda:0 --strategy grid --budget 16 \
        --launch-deadline 1s --no-finals --cache '' --journal "$journal" || return 1
    [ "$(grep -c '"outcome":"valid"' "$journal")" = 4 ] &&
        [ "$(grep -c '"outcome":"crashed"' "$journal")" = 8 ] &&
        [ "$(grep -c '"outcome":"timed_out"' "$journal")" = 4 ]
}
lab() { "$hone" tune tests/faults/lab.lua --device cuda:0 --cache '' --quiet "$@"; }
# A short kernel and a longer one by each clock; a journal says where its clock disagrees
# with another one.
clocks() {
    local clock n journal
    for clock in event graph auto; do
        for n in 4096 40000000; do
            journal=$outdir/clock-$clock-$n.jsonl
            rm -f "$journal"
            lab --set N=$n --clock $clock --budget 4 --journal "$journal" || return 1
            head -n1 "$journal" | grep -o '"clock_note":"[^"]*"' || true
        done
    done
}
# Skipped where the card counts no energy.
energy() {
    rm -f "$outdir/energy.jsonl"
    lab --set N=40000000 --objective energy --budget 12 --no-finals \
        --journal "$outdir/energy.jsonl" >"$outdir/energy.txt" 2>&1
    local code=$?
    cat "$outdir/energy.txt"
    grep -q 'counts no energy' "$outdir/energy.txt" && return 77
    [ $code = 0 ] && "$hone" show "$outdir/energy.jsonl"
}
repeat() {
    rm -f "$outdir"/repeat-*.jsonl
    lab --set N=4000000 --repeat-tuning 5 --budget 16 --journal "$outdir/repeat.jsonl"
}
check() { "$hone" check "kernels/$1.lua" --device cuda:0 --sample "$2" --seed 1; }
tune() {
    local name=$1
    shift
    rm -f "$outdir/$name.jsonl"
    "$hone" tune "kernels/$name.lua" --device cuda:0 --seed 1 \
        --journal "$outdir/$name.jsonl" -o "$outdir/$name.h" "$@"
}

# What was tuned here, computed again by the emulator: the same bits where that is exact.
bits() {
    local status=0 journal name
    for journal in "$outdir"/*.jsonl; do
        name=$(basename "$journal" .jsonl)
        [ -f "kernels/$name.lua" ] || continue
        "$hone" check "kernels/$name.lua" --device emu:h200 --same-as "$journal" \
            --sample 6 --quiet || status=1
    done
    return $status
}

# The best time of a journal, with the number of its valid trials.
best() {
    grep -o '"outcome":"valid".*"time_us":[0-9.e+-]*' "$1" 2>/dev/null |
        awk -F'"time_us":' '{ n++; if (n == 1 || $2 + 0 < best) best = $2 + 0 }
            END { if (n) printf "best %.3f us of %d valid", best, n }'
}

# One figure that says most about a stage, from its part of the log.
figure() {
    case $1 in
    facts) grep -m1 'driver.*clock' "$2" ;;
    timing) awk '/^copy 256 MB/ { print "256 MB: cupti " $4 ", event " $5 " us" }' "$2" ;;
    device | faults)
        grep -oE '(PASSED|FAILED)  \] [0-9]+' "$2" | tr -d ']' | paste -sd' ' ;;
    clocks) grep -o 'best [0-9.]* us by [a-z]*' "$2" | sed 's/best //' | paste -sd' ' ;;
    energy) grep -m1 'best' "$2" ;;
    repeat) grep -m1 'tunings' "$2" ;;
    isolation) grep -m1 'a new worker' "$2" | sed 's/^ *//' ;;
    bits) awk '/have the same bits/ { same += $4; all += $6; may += $(NF - 3) }
            END { print same " of " all " the same, " may " differ and may" }' "$2" ;;
    tune-*) best "$outdir/${1#tune-}.jsonl" ;;
    check-*) tail -n1 "$2" ;;
    esac | cut -c1-76
}

export -f facts suite isolation lab clocks energy repeat check tune bits
export build hone outdir

failed=0
part=$(mktemp)
trap 'rm -f "$part"' EXIT
printf '%-16s %-8s %8s  %s\n' stage result seconds figure >"$table"
while read -r name limit command; do
    [ -z "$only" ] || [ "$name" = "$only" ] || continue
    started=$SECONDS
    timeout -k 10 "$limit" bash -c "$command" >"$part" 2>&1 </dev/null
    case $? in
    0) result=ok ;;
    77) result=skipped ;;
    124 | 137) result=timeout; failed=1 ;;
    *) result=FAILED; failed=1 ;;
    esac
    { echo "=== $name: $result"; cat "$part"; } >>"$log"
    [ $result = ok ] || { echo "=== $name: $result"; tail -n 25 "$part"; }
    printf '%-16s %-8s %8d  %s\n' "$name" $result $((SECONDS - started)) \
        "$(figure "$name" "$part")" >>"$table"
done <<<"$stages"
cat "$table"
exit $failed
