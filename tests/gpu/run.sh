#!/usr/bin/env bash
# Everything that needs a GPU, in stages, on what is built already: nothing is compiled
# here but kernels. Carry the repository with build/gpu (preset gpu) to a machine with a
# GPU and run it.
#
#   tests/gpu/run.sh [--set NAME | --stage NAME] [--pack FILE] [OUTDIR]
#   tests/gpu/run.sh --list
#
# The stages are in three sets, each for one sitting of less than 9 minutes: checks (the
# default, 8 minutes at most), speed and recordings; --list tells their limits. OUTDIR
# (default: build/gpu-out) gets run.log, table.txt, the journals and the headers; a set
# that is run again in it goes on with its recordings. --pack writes all of it as one
# tar.gz, anew after each stage. Exit code: 0 all stages passed, 1 a stage failed, 2 wrong
# use, 77 there is no driver or no GPU.
#
# HONE_BUILD names another build folder than build/gpu. For trying it without a GPU:
# HONE_SCALE divides all budgets, HONE_KERNELS are those to verify, and HONE_SIZES (as
# "N=4096 M=64") goes after the sizes of all stages, and wins.
set -u

# set, name, limit in seconds, command
stages="checks facts 25 facts
checks device 30 suite device
checks faults 30 suite faults
checks timing 70 suite timing
checks idle 25 suite idle
checks counters 25 counters
checks isolation 30 isolation
checks clocks 20 clocks
checks energy 30 energy
checks verify 190 verify 50
speed tune-sgemm 60 tune sgemm sgemm 200 M=4096 N=4096 K=4096
speed tune-gemm_bf16 65 tune gemm_mma gemm_bf16 200 TYPE=bf16
speed tune-gemm_f16 65 tune gemm_mma gemm_f16 200 TYPE=f16
speed tune-attention 65 tune attention attention 120
speed tune-attention_decode 40 tune attention_decode attention_decode 150 PAGE=0
speed tune-rmsnorm 30 tune rmsnorm rmsnorm 120
speed tune-layernorm 30 tune layernorm layernorm 120
speed tune-softmax 30 tune softmax softmax 120
speed tune-reduction 25 tune reduction reduction 120 MODE=write
speed tune-transpose 25 tune transpose transpose 120
speed compare 100 compare
recordings record-reduction 60 record reduction 52 MODE=write N=16777216
recordings record-softmax 70 record softmax 62 rows=2048 cols=16384
recordings record-convolution 80 record convolution 72
recordings record-sgemm 90 record sgemm 82 M=2048 N=2048 K=2048
recordings record-gemm_mma 90 record gemm_mma 82 M=4096 N=4096 K=2048
recordings truth-reduction 70 truth reduction MODE=write N=16777216
recordings truth-softmax 75 truth softmax rows=2048 cols=16384"

die() { echo "run.sh: $1" >&2; exit 2; }

# The limits of the stages, and of each set in all.
list() {
    awk '{ printf "%-12s %-22s %4d s\n", $1, $2, $3; sum[$1] += $3 }
        END { for (set in sum) printf "%-12s %-22s %4d s\n", set, "in all", sum[set] }' \
        <<<"$stages"
    exit 0
}

set=checks
only=
outdir=
pack=
while [ $# -gt 0 ]; do
    case $1 in
    --list) list ;;
    --stage | --set | --pack) [ $# -ge 2 ] || die "$1 needs a name" ;;&
    --stage) only=$2; shift ;;
    --set) set=$2; shift ;;
    --pack) pack=$2; shift ;;
    -*) die "unknown option '$1'" ;;
    *) [ -z "$outdir" ] || die "one folder only, not '$outdir' and '$1'"; outdir=$1 ;;
    esac
    shift
done
if [ -n "$only" ] && ! grep -q "^[a-z]* $only " <<<"$stages"; then
    die "there is no stage '$only'; there are $(cut -d' ' -f2 <<<"$stages" | paste -sd' ')"
fi
grep -q "^$set " <<<"$stages" || die "there is no set '$set': checks, speed, recordings"

root=$(cd "$(dirname "$0")/../.." && pwd)
case $pack in '' | /*) ;; *) pack=$PWD/$pack ;; esac
cd "$root" || exit 2
build=${HONE_BUILD:-build/gpu}
outdir=${outdir:-build/gpu-out}
hone=$build/hone
scale=${HONE_SCALE:-1}
[ -x "$build/tests/gpu/test_gpu_device" ] ||
    die "'$build' holds no tests: cmake --preset gpu && cmake --build --preset gpu"
mkdir -p "$outdir" || exit 2
log=$outdir/run.log
table=$outdir/table.txt
touch "$log" "$table"

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

part_of() { local n=$(($1 / scale)); echo $((n > 2 ? n : 2)); }

# What the machine is, and what opening the GPU costs by each clock, each in a process of
# its own: the first one also starts the driver.
facts() {
    uname -srm
    nproc
    nvidia-smi 2>&1 | head -n 20
    command -v nvcc >/dev/null && nvcc --version | tail -n 2
    echo "NVRTC ${HONE_NVRTC:-found by its name}, CUPTI ${HONE_CUPTI:-found by its name}"
    "$hone" version
    "$hone" devices | grep '^cuda'
    "$build/tests/gpu/test_gpu_device" device_describes_a_gpu || return 1
    local clock
    for clock in event auto; do
        HONE_CLOCK=$clock "$build/tests/gpu/test_gpu_timing" \
            opening_and_timing_cost_little | grep 'open with'
    done
}
suite() { "$build/tests/gpu/test_gpu_$1"; }
# Which counters may be read; ncu says why not. Skipped without ncu.
counters() {
    command -v ncu >/dev/null || { echo 'there is no ncu'; return 77; }
    ncu --clock-control none --launch-count 1 --metrics \
        dram__bytes_read.sum,lts__t_sectors.sum,sm__inst_executed.sum,sm__cycles_active.avg \
        "$build/tests/gpu/test_gpu_device" launch_computes
    # That they cannot be read here is an answer too.
    return 0
}
# Of 16 configurations 4 are right, 8 fault and 4 never end: each costs itself and no more.
isolation() {
    local journal=$outdir/isolation.jsonl
    rm -f "$journal"
    "$hone" tune tests/gpu/faulty.lua --device cuda:0 --strategy grid --budget 16 \
        --launch-deadline 1s --no-finals --cache '' --journal "$journal" || return 1
    # whose results were compared in the end has a second line
    [ "$(grep -v '"compared":' "$journal" | grep -c '"outcome":"valid"')" = 4 ] &&
        [ "$(grep -c '"outcome":"crashed"' "$journal")" = 8 ] &&
        [ "$(grep -c '"outcome":"timed_out"' "$journal")" = 4 ]
}
lab() { "$hone" tune tests/faults/lab.lua --device cuda:0 --cache '' --quiet "$@"; }
# A short kernel and a longer one by each clock, what they compute being other stages'
# matter; a journal says where its clock disagrees with another one.
clocks() {
    local clock n journal
    for clock in event graph auto; do
        for n in 4096 40000000; do
            journal=$outdir/clock-$clock-$n.jsonl
            rm -f "$journal"
            lab --set N=$n --clock $clock --budget 4 --no-verify --journal "$journal" ||
                return 1
            head -n1 "$journal" | grep -o '"clock_note":"[^"]*"' || true
        done
    done
}
# Skipped where the card counts no energy.
energy() {
    rm -f "$outdir/energy.jsonl"
    lab --set N=40000000 --objective energy --budget 8 --no-finals \
        --journal "$outdir/energy.jsonl" >"$outdir/energy.txt" 2>&1
    local code=$?
    cat "$outdir/energy.txt"
    grep -q 'counts no energy' "$outdir/energy.txt" && return 77
    [ $code = 0 ] && "$hone" show "$outdir/energy.jsonl"
}

# The problems of verify: large enough to fill a GPU, small enough to take no time.
sizes() {
    case $1 in
    sgemm | gemm_mma) echo M=1024 N=1024 K=512 ;;
    gemm_batched) echo M=512 N=512 K=128 BATCH=8 ;;
    attention) echo BATCH=1 SEQ_Q=2048 SEQ_K=2048 ;;
    attention_decode) echo BATCH=8 MORE=2048 ;;
    reduction) echo N=4194304 ;;
    softmax | rmsnorm | layernorm) echo rows=1024 cols=4096 ;;
    transpose) echo M=2048 N=2048 ;;
    nbody) echo N=8192 ;;
    stencil) echo width=1024 height=1024 ;;
    convolution) echo width=1024 height=1024 ;;
    esac
}
# As options; the sizes to try with come last, and win.
set_to() {
    local size
    for size in "$@" ${HONE_SIZES:-}; do printf -- '--set %s ' "$size"; done
}
# So many random configurations of every template, each compared with its reference. The
# journals keep what they computed, for hone check --same-as.
verify() {
    local budget status=0 script name journal bad
    budget=$(part_of "$1")
    for script in kernels/*.lua; do
        name=$(basename "$script" .lua)
        [ -z "${HONE_KERNELS:-}" ] || [[ " $HONE_KERNELS " = *" $name "* ]] || continue
        journal=$outdir/verify-$name.jsonl
        rm -f "$journal"
        # shellcheck disable=SC2046
        "$hone" tune "$script" $(set_to $(sizes "$name")) --device cuda:0 --strategy random \
            --budget "$budget" --seed 1 --no-finals --drift-check 0 --quiet \
            --journal "$journal" >"$outdir/verify.txt" 2>&1 || status=1
        bad=$(grep -E '"outcome":"(wrong_result|crashed|timed_out|build_failed|launch_failed)"' \
            "$journal")
        printf '%-18s %3d of %d valid  %s\n' "$name" \
            "$(grep -v '"compared":' "$journal" | grep -c '"outcome":"valid"')" "$budget" \
            "$(grep -o '"outcome":"[a-z_]*"' <<<"$bad" | sort | uniq -c | paste -sd' ')"
        [ -z "$bad" ] || { head -n 3 <<<"$bad"; status=1; }
        [ $status = 0 ] || tail -n 3 "$outdir/verify.txt"
    done
    return $status
}

# tune KERNEL NAME BUDGET SIZES...: journal, header, and the winner for compare.
tune() {
    local kernel=$1 name=$2 budget
    budget=$(part_of "$3")
    shift 3
    rm -f "$outdir/$name.jsonl"
    # shellcheck disable=SC2046
    "$hone" tune "kernels/$kernel.lua" --device cuda:0 --seed 1 --quiet $(set_to "$@") \
        --budget "$budget" --journal "$outdir/$name.jsonl" -o "$outdir/$name.h" || return 1
    "$build/hone_bench_bundle" "$outdir/$name.jsonl" "kernels/$kernel.lua" cuda:0 \
        "$outdir/$name"
}
compare() {
    local name bundles=()
    for name in sgemm gemm_bf16 gemm_f16 attention attention_decode rmsnorm layernorm \
        softmax reduction transpose; do
        [ -f "$outdir/$name.json" ] && bundles+=("$outdir/$name.json")
    done
    [ ${#bundles[@]} -gt 0 ] || { echo 'nothing was tuned'; return 1; }
    python3 tests/gpu/compare/compare.py --seconds "${HONE_SECONDS:-4}" \
        "$outdir/compare.jsonl" "${bundles[@]}"
}

# record KERNEL SECONDS SIZES...: a uniform sample of the space, everything measured to
# the end; so much of 2,500 as fits, and more when it is run again.
record() {
    local name=$1 seconds=$2 journal=$outdir/record-$1.jsonl code
    shift 2
    local again=()
    [ -s "$journal" ] && again=(--resume)
    # shellcheck disable=SC2046
    timeout -s INT "$(part_of "$seconds")" "$hone" tune "kernels/$name.lua" \
        --device cuda:0 --strategy random --budget 2500 --seed 8 --no-race --no-finals \
        --quiet $(set_to "$@") --journal "$journal" "${again[@]}"
    code=$?
    wc -l <"$journal" | xargs printf '%d lines in the recording\n'
    # Ended in order by the clock: what there is stays.
    [ $code = 0 ] || [ $code = 124 ] || return $code
    grep -q '"outcome":"valid"' "$journal"
}

# Ten tunings by other seeds, then a long measurement of all their winners in turn.
truth() {
    local name=$1
    shift
    rm -f "$outdir/truth-$name"-*.jsonl
    # shellcheck disable=SC2046
    "$hone" tune "kernels/$name.lua" --device cuda:0 --quiet $(set_to "$@") \
        --repeat-tuning "$(part_of 10)" --budget "$(part_of 60)" \
        --journal "$outdir/truth-$name.jsonl" || return 1
    "$build/hone_bench_truth" "$(part_of 200)" "kernels/$name.lua" cuda:0 \
        "$outdir/truth-$name"-*.jsonl
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
    idle) grep -m1 'flush' "$2" ;;
    timing) awk '/^copy 256 MB/ { print "256 MB: cupti " $4 ", event " $5 " us" }' "$2" ;;
    device | faults)
        grep -oE '(PASSED|FAILED)  \] [0-9]+' "$2" | tr -d ']' | paste -sd' ' ;;
    counters) grep -m1 -iE 'err|dram__bytes_read' "$2" | sed 's/  */ /g' ;;
    clocks) grep -o 'best [0-9.]* us by [a-z]*' "$2" | sed 's/best //' | paste -sd' ' ;;
    energy) grep -m1 'best' "$2" ;;
    isolation) grep -m1 'a new worker' "$2" | sed 's/^ *//' ;;
    verify) awk '/ valid / { valid += $2; all += $4 }
        END { print valid " of " all " valid" }' "$2" ;;
    tune-*) best "$outdir/${1#tune-}.jsonl" ;;
    compare) awk '/^  .* us  [0-9.]*x/ { n++ } /DIFFERS/ { wrong++ }
        END { print n + 0 " pairs, " wrong + 0 " differ" }' "$2" ;;
    record-*) best "$outdir/$1.jsonl" ;;
    truth-*) grep -m1 'mean regret' "$2" ;;
    esac | cut -c1-76
}

export -f part_of facts suite counters isolation lab clocks energy sizes set_to verify \
    tune compare record truth
export build hone outdir scale

failed=0
part=$(mktemp)
trap 'rm -f "$part"' EXIT
printf '%-22s %-8s %8s  %s\n' stage result seconds figure >>"$table"
while read -r of name limit command; do
    if [ -n "$only" ]; then [ "$name" = "$only" ] || continue
    else [ "$of" = "$set" ] || continue; fi
    started=$SECONDS
    timeout -k 5 "$limit" bash -c "$command" >"$part" 2>&1 </dev/null
    case $? in
    0) result=ok ;;
    77) result=skipped ;;
    124 | 137) result=timeout; failed=1 ;;
    *) result=FAILED; failed=1 ;;
    esac
    { echo "=== $name: $result"; cat "$part"; } >>"$log"
    [ $result = ok ] || { echo "=== $name: $result"; tail -n 25 "$part"; }
    printf '%-22s %-8s %8d  %s\n' "$name" $result $((SECONDS - started)) \
        "$(figure "$name" "$part")" >>"$table"
    [ -z "$pack" ] || tar -czf "$pack" -C "$outdir" .
done <<<"$stages"
# Among the last things that are printed, since only the end of an output may be kept.
grep -E '^ .* us  [0-9.]+x|^[a-z0-9_]+: .* rounds$' "$log" | tail -n 60
cat "$table"
exit $failed
