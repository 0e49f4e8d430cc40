# The stages of run.sh, which gives them $build, $hone, $outdir, $scale, $before (what the
# stage came to in an earlier sitting), and $stopped, once its time is over. Exit codes: 0
# passed, 75 passed as far as the time went, 77 cannot run here.
# shellcheck shell=bash disable=SC2154

# set, name, limit in seconds, command
# shellcheck disable=SC2034
stages="checks facts 60 facts
checks device 60 suite device
checks timing 120 suite timing
checks clocks 60 clocks
checks questions 120 questions
checks verify 300 verify 50
checks faults 60 suite faults
checks isolation 60 isolation
checks energy 60 energy
checks idle 50 suite idle
checks counters 30 counters
speed tune-gemm_bf16 65 tune gemm_mma gemm_bf16 100 TYPE=bf16
speed tune-gemm_sm90 65 tune gemm_sm90 gemm_sm90 100 TYPE=bf16
speed tune-attention 60 tune attention attention 60
speed tune-attention_sm90 65 tune attention_sm90 attention_sm90 60
speed tune-attention_decode 65 tune attention_decode attention_decode 60 PAGE=0
speed tune-sgemm 60 tune sgemm sgemm 100 M=4096 N=4096 K=4096
speed tune-softmax 55 tune softmax softmax 60
speed tune-rmsnorm 55 tune rmsnorm rmsnorm 60
speed compare 80 compare gemm_bf16 gemm_sm90 attention attention_sm90 attention_decode sgemm softmax rmsnorm
recordings record-gemm_mma 90 record gemm_mma 70 M=4096 N=4096 K=2048
recordings record-reduction 70 record reduction 50 MODE=write N=16777216
recordings record-softmax 75 record softmax 50 rows=2048 cols=16384
recordings record-sgemm 90 record sgemm 70 M=2048 N=2048 K=2048
recordings record-convolution 90 record convolution 70
more tune-gemm_fp8_blocks 65 tune gemm_sm90 gemm_fp8_blocks 100 TYPE=e4m3 SCALE=block
more tune-gemm_grouped 65 tune gemm_grouped_sm90 gemm_grouped 100 TYPE=bf16
more tune-layernorm 55 tune layernorm layernorm 60
more tune-reduction 50 tune reduction reduction 60 MODE=write
more tune-transpose 60 tune transpose transpose 60
more compare-more 60 compare layernorm reduction transpose
more truth-reduction 100 truth reduction MODE=write N=16777216
more truth-softmax 100 truth softmax rows=1024 cols=8192
decode tune-attention_decode_fp8 65 tune attention_decode attention_decode_fp8 60 PAGE=0 CACHE=e4m3
decode tune-gemm_w4a16 65 tune gemm_w4a16 gemm_w4a16 60 TYPE=bf16
decode tune-gemm_w4a16_sm90 65 tune gemm_w4a16_sm90 gemm_w4a16_sm90 60 TYPE=bf16
decode compare-decode 40 compare gemm_w4a16 gemm_w4a16_sm90
decode tune-mla_decode 65 tune mla_decode mla_decode 60"

part_of() { local n=$(($1 / scale)); echo $((n > 2 ? n : 2)); }

# What the machine is, and what opening the GPU costs by each clock, each in a process of
# its own: the first one also starts the driver.
facts() {
    uname -srm
    nproc
    echo "held open:${held:- nothing}"
    nvidia-smi 2>&1 | head -n 20
    nvidia-smi --query-gpu=name,driver_version,persistence_mode,clocks.max.sm \
        --format=csv 2>&1
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
# Each has a process of its own, and a limit; the answers become a fixture.
questions() { "$build/hone_questions" --device cuda:0 "$outdir/questions.jsonl"; }
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

# tune_into JOURNAL ARGUMENTS...: hone tune. A journal of a stage that was stopped goes on
# where it is of the same question; any other is from before, and goes.
tune_into() {
    local journal=$1 code
    shift
    set -- "$@" --device cuda:0 --quiet --journal "$journal"
    case $before in
    stopped | part)
        if [ -s "$journal" ]; then
            "$hone" tune "$@" --resume
            code=$?
            [ $code = 2 ] || return $code
            echo "$journal begins anew"
        fi ;;
    esac
    rm -f "$journal"
    "$hone" tune "$@"
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
    sgemm | gemm_mma | gemm_sm90) echo M=1024 N=1024 K=512 ;;
    gemm_w4a16 | gemm_w4a16_sm90) echo M=64 N=1024 K=2048 ;;
    w4_shuffle) echo N=1024 K=2048 ;;
    gemm_batched) echo M=512 N=512 K=128 BATCH=8 ;;
    gemm_grouped_sm90) echo M=2048 N=1024 K=512 GROUPS=8 UNIT=32 ;;
    attention | attention_sm90) echo BATCH=1 SEQ_Q=2048 SEQ_K=2048 ;;
    attention_decode) echo BATCH=8 MORE=2048 ;;
    mla_decode) echo BATCH=4 MORE=1024 HEADS=64 ;;
    reduction) echo N=4194304 ;;
    softmax | rmsnorm | layernorm) echo rows=1024 cols=4096 ;;
    transpose) echo M=2048 N=2048 ;;
    nbody) echo N=8192 ;;
    stencil) echo width=1024 height=1024 ;;
    convolution) echo width=1024 height=1024 ;;
    esac
}
# As options; what to try with comes last, and wins.
set_to() {
    local size
    for size in "$@" ${HONE_SIZES:-}; do printf -- '--set %s ' "$size"; done
    echo "${HONE_OPTIONS:-}"
}
# Those whose loss would hurt most come first.
to_verify() {
    local first="gemm_mma gemm_sm90 attention attention_sm90 softmax sgemm attention_decode reduction" script name
    [ -z "${HONE_KERNELS:-}" ] || { echo "$HONE_KERNELS"; return; }
    echo "$first"
    for script in kernels/*.lua; do
        name=$(basename "$script" .lua)
        [[ " $first " = *" $name "* ]] || echo "$name"
    done
}
# Some kernels are for GPUs of one kind.
runs_here() {
    ! "$hone" space "kernels/$1.lua" --device cuda:0 2>&1 | grep -q 'no configuration is valid'
}
fresh() { grep -v '"compared":' "$1" 2>/dev/null | grep -c "$2"; }
# So many random configurations of every template, each compared with its reference. The
# journals keep what they computed, for hone check --same-as.
verify() {
    local budget status=0 name journal bad
    budget=$(part_of "$1")
    for name in $(to_verify); do
        [ -z "$stopped" ] || return 75
        runs_here "$name" || { echo "$name is for other GPUs"; continue; }
        journal=$outdir/verify-$name.jsonl
        # shellcheck disable=SC2046
        tune_into "$journal" "kernels/$name.lua" $(set_to $(sizes "$name")) --seed 1 \
            --strategy random --budget "$budget" --no-finals --drift-check 0 \
            >"$outdir/verify.txt" 2>&1 || status=1
        bad=$(grep -E '"outcome":"(wrong_result|crashed|timed_out|build_failed|launch_failed)"' \
            "$journal")
        printf '%-18s %3d of %d valid  %s\n' "$name" "$(fresh "$journal" '"outcome":"valid"')" \
            "$budget" "$(grep -o '"outcome":"[a-z_]*"' <<<"$bad" | sort | uniq -c | paste -sd' ')"
        [ -z "$bad" ] || { head -n 3 <<<"$bad"; status=1; }
        [ $status = 0 ] || tail -n 3 "$outdir/verify.txt"
    done
    return $status
}

# tune KERNEL NAME BUDGET SIZES...: journal, header, and the winner for compare, also of
# what was found until the stage was stopped.
tune() {
    local kernel=$1 name=$2 budget
    budget=$(part_of "$3")
    shift 3
    runs_here "$kernel" || { echo "$kernel is for other GPUs"; return 77; }
    # shellcheck disable=SC2046
    tune_into "$outdir/$name.jsonl" "kernels/$kernel.lua" --seed 1 $(set_to "$@") \
        --budget "$budget" -o "$outdir/$name.h" || [ -n "$stopped" ] || return 1
    "$build/hone_bench_bundle" "$outdir/$name.jsonl" "kernels/$kernel.lua" cuda:0 \
        "$outdir/$name"
}
compare() {
    local name bundles=()
    for name in "$@"; do
        [ -f "$outdir/$name.json" ] && bundles+=("$outdir/$name.json")
    done
    [ ${#bundles[@]} -gt 0 ] || { echo 'nothing was tuned'; return 1; }
    python3 tests/gpu/compare/compare.py --seconds "${HONE_SECONDS:-4}" \
        "$outdir/compare-$1.jsonl" "${bundles[@]}"
}

# record KERNEL SECONDS SIZES...: a uniform sample of the space, everything measured to
# the end; so much of 2,500 as fits, and more when it is run again.
record() {
    local name=$1 seconds=$2 journal=$outdir/record-$1.jsonl
    shift 2
    # shellcheck disable=SC2046
    tune_into "$journal" "kernels/$name.lua" --strategy random --seed 8 --no-race \
        --no-finals --budget "$(part_of "$seconds")s" $(set_to "$@") >"$outdir/record.txt" 2>&1
    local code=$? count
    cat "$outdir/record.txt"
    count=$(fresh "$journal" '"outcome"')
    echo "$count configurations are in the recording"
    [ $code = 0 ] && grep -q '"outcome":"valid"' "$journal" || return 1
    [ "$count" -ge 2500 ] || grep -q 'every configuration' "$outdir/record.txt" || return 75
}

# Five tunings by other seeds, then a long measurement of all their winners in turn: of
# those that there are, when it is stopped before.
truth() {
    local name=$1
    shift
    rm -f "$outdir/truth-$name"-*.jsonl
    # shellcheck disable=SC2046
    "$hone" tune "kernels/$name.lua" --device cuda:0 --quiet $(set_to "$@") \
        --repeat-tuning "$(part_of 5)" --budget "$(part_of 24)" \
        --journal "$outdir/truth-$name.jsonl" || [ -n "$stopped" ] || return 1
    "$build/hone_bench_truth" "$(part_of 100)" "kernels/$name.lua" cuda:0 \
        "$outdir/truth-$name"-*.jsonl
}

# The best time of a journal, with the number of its valid trials. A finalist has a second line,
# with a sustained time of its own in "final"; the first "time_us" of a line is the trial's.
best() {
    awk '/"outcome":"valid"/ && match($0, /"time_us":[0-9.e+-]+/) {
            us = substr($0, RSTART + 10, RLENGTH - 10) + 0
            key = match($0, /"config":[^]]*]/) ? substr($0, RSTART, RLENGTH) : NR
            n += !(key in seen); seen[key]
            if (!any++ || us < best) best = us
        }
        END { if (n) printf "best %.3f us of %d valid", best, n }' "$1" 2>/dev/null
}

# One figure that says most about a stage, from its part of the log.
figure() {
    case $1 in
    facts) grep -m1 'open with' "$2" ;;
    idle) grep -m1 'flush' "$2" ;;
    timing) awk '/^copy 256 MB/ { print "256 MB: cupti " $4 ", event " $5 " us" }' "$2" ;;
    device | faults)
        grep -oE '(PASSED|FAILED)  \] [0-9]+' "$2" | tr -d ']' | paste -sd' ' ;;
    counters) grep -m1 -iE 'err|dram__bytes_read' "$2" | sed 's/  */ /g' ;;
    clocks) grep -o 'best [0-9.]* us by [a-z]*' "$2" | sed 's/best //' | paste -sd' ' ;;
    energy) grep -m1 'best' "$2" ;;
    questions) tail -n 1 "$2" ;;
    isolation) grep -m1 'a new worker' "$2" | sed 's/^ *//' ;;
    verify) awk '/ valid / { valid += $2; all += $4 }
        END { print valid " of " all " valid" }' "$2" ;;
    tune-*) best "$outdir/${1#tune-}.jsonl" ;;
    compare*) awk '/^  .* us  [0-9.]*x/ { n++ } /DIFFERS/ { wrong++ }
        END { print n + 0 " pairs, " wrong + 0 " differ" }' "$2" ;;
    record-*) best "$outdir/$1.jsonl" ;;
    truth-*) grep -m1 'mean regret' "$2" ;;
    esac | cut -c1-76 | tr -d '\t\n'
}

export -f part_of facts questions suite counters tune_into isolation lab clocks energy sizes set_to \
    to_verify runs_here fresh verify tune compare record truth
