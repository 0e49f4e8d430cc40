#!/usr/bin/env bash
# Workers behind srun on two nodes of a real Slurm, through whatever happens on a cluster: no trial
# is lost, none is measured twice, and no job is left 90 s after the end. Workers measure on the
# fake driver, a GPU a node.
#   try_workers.sh BUILD_FOLDER CASE...
# Without cases some of them; with HONE_TESTS=long all.
set -u
here=$(cd "$(dirname "$0")" && pwd)
build=$1 source=$here/../..
shift
folder=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null; "$here/cluster.sh" stop "$folder/slurm" >/dev/null 2>&1
    rm -rf "$folder"' EXIT
mkdir "$folder/slurm" && cd "$folder" || exit 1
fail() {
    printf 'failed: %s: %s\n' "$name" "$*"
    tail -n 20 "$name.err"
    squeue -h
    exit 1
}

"$here/cluster.sh" start "$folder/slurm" 2 1 || exit $?
# shellcheck source=/dev/null
. "$folder/slurm/env"
export HONE_LIBCUDA=$build/tests/fake/fake_cuda.so HONE_NVRTC=$build/tests/fake/fake_nvrtc.so
export HONE_NVML=/nowhere/libnvidia-ml.so.1 HONE_CLOCK=event HONE_LOCKS=$folder
export HONE_FAKE_CUDA=memory=1e9,devices=2,alike=1 HONE_CACHE=$build/tests/fake/cache

# The variables by name: marks of the tuner in its environment do not travel to another machine.
cat >worker.sh <<END
#!/bin/sh
# usage: worker.sh OPTIONS; on node nI, GPU I
exec "$build/hone" worker --device "cuda:\${SLURMD_NODENAME#n}" --cache '' "\$@"
END
chmod +x worker.sh
names=PATH,HONE_LIBCUDA,HONE_NVRTC,HONE_NVML,HONE_CLOCK,HONE_LOCKS,HONE_FAKE_CUDA,HONE_CACHE
srun="srun -n1 --gres=gpu:1 --export=$names $folder/worker.sh"

name=start budget=150
# start NAME [OPTIONS]: tune by two workers in the background, as $tuner.
start() {
    name=$1
    shift
    "$build/hone" tune "$source/tests/faults/lab.lua" --device auto --strategy random --cache '' \
        --no-finals --no-verify --quiet --budget $budget --journal "$name.jsonl" --worker "$srun $silence" \
        --worker "$srun $silence" "$@" >"$name.out" 2>"$name.err" &
    tuner=$!
}
silence=

# wait_for SECONDS WORDS COMMAND...
wait_for() {
    local until=$((SECONDS + $1)) words=$2
    shift 2
    until "$@" >/dev/null 2>&1; do
        [ $SECONDS -lt $until ] || fail "$words"
        sleep 0.05
    done
}
trials() { grep -c '"outcome"' "$name.jsonl" 2>/dev/null || true; }
has_trials() { [ "$(trials)" -ge "$1" ]; }
after() { wait_for 60 "no $1 trials after a minute" has_trials "$1"; }
is_empty() { [ -z "$(squeue -h)" ] && [ -z "$("$here/cluster.sh" processes "$folder/slurm")" ]; }
workers() { "$here/cluster.sh" processes "$folder/slurm" 'hone worker' | cut -d' ' -f1; }
two_wait() { [ "$(jobs_of PENDING | wc -l)" = 2 ]; }
another_runs() { [ -n "$(jobs_of RUNNING)" ]; }
has_no_workers() { [ -z "$(workers)" ]; }
jobs_of() { squeue -h -t "$1" -o %A; }

ends_with() { # CODE
    local code=0
    wait_for 120 "the tuner does not end" sh -c "! kill -0 $tuner"
    wait "$tuner" || code=$?
    [ $code = "$1" ] || fail "the tuner ended with $code, not $1"
}
# Every trial of the budget is there, valid, once; the last two lines are the winner and the default
# with what became of comparing them.
is_whole() {
    local configs
    ! grep '"outcome"' "$name.jsonl" | grep -v '"outcome":"valid"' || fail "not all are valid"
    ! grep '"outcome"' "$name.jsonl" | grep -v '"job":"[0-9]' || fail "some name no job"
    configs=$(grep '"outcome"' "$name.jsonl" | grep -v '"compared"' |
        sed 's/.*"config":\(\[[^]]*\]\).*/\1/')
    [ "$(wc -l <<<"$configs")" = $budget ] || fail "$(wc -l <<<"$configs") trials of $budget"
    [ "$(sort -u <<<"$configs" | wc -l)" = $budget ] || fail "some are measured twice"
}
leaves_nothing() {
    local since=$SECONDS
    wait_for 90 "jobs or workers are left" is_empty
    printf '%s: whole, nothing left after %s s\n' "$name" $((SECONDS - since))
}
done_well() { ends_with 0 && is_whole && leaves_nothing; }

killed_worker() {
    start killed_worker && after 30
    kill -9 "$(workers | head -n 1)"
    done_well
}
cancelled_job() {
    start cancelled_job && after 30
    scancel "$(jobs_of RUNNING | head -n 1)"
    done_well
    grep -q 'told to end by SIGTERM' "$name.err" || fail "the reason is not told"
}
preempted_jobs() {
    start preempted_jobs && after 30
    sbatch -p urgent -N2 --gres=gpu:1 --output=/dev/null --wrap 'sleep 3' >/dev/null
    done_well
}
node_down() {
    start node_down && after 30
    scontrol update nodename=n0 state=down reason=test
    after 60
    scontrol update nodename=n0 state=resume 2>/dev/null # if it has not come back by itself
    done_well
    grep -q 'its worker' "$name.err" || fail "nobody was on that node"
}
take_nodes() { # COUNT SECONDS: by another's job, which runs from here on
    sbatch -N"$1" --exclusive --gres=gpu:1 --output=/dev/null --wrap "sleep $2" >/dev/null
    wait_for 30 "the nodes are not free" another_runs
}
full_queue() {
    take_nodes 2 8
    start full_queue
    wait_for 30 "nobody is told of the queue" grep -q 'waiting for its worker to begin' "$name.err"
    done_well
}
half_full_queue() { # one worker does the work of both, and the other leaves the queue
    take_nodes 1 1000
    start half_full_queue
    ends_with 0 && is_whole
    [ -z "$(jobs_of PENDING)" ] || fail "a job is still in the queue"
    scancel --user=root
    leaves_nothing
}
interrupted_in_a_queue() {
    take_nodes 2 1000
    start interrupted_in_a_queue
    wait_for 30 "two jobs do not wait" two_wait
    kill -INT "$tuner"
    ends_with 130
    [ -z "$(jobs_of PENDING)" ] || fail "a job is still in the queue"
    scancel --user=root
    leaves_nothing
}
new_controller() {
    start new_controller && after 30
    "$here/cluster.sh" restart "$folder/slurm"
    done_well
}
terminated_tuner() {
    start terminated_tuner && after 30
    kill -TERM "$tuner"
    ends_with 143
    leaves_nothing
    start terminated_tuner --resume
    done_well
}
killed_tuner() {
    start killed_tuner && after 30
    kill -KILL "$tuner"
    ends_with 137
    leaves_nothing
    start killed_tuner --resume
    done_well
}
stopped_worker() { # as one that its driver holds
    start stopped_worker --worker-silence 3s && after 30
    kill -STOP "$(workers | head -n 1)"
    done_well
}
# With their groups, as with the login node: nobody is left who could cancel their jobs. The workers
# end themselves; their empty jobs end by the InactiveLimit that the site has set.
killed_commands() {
    silence='--silence 4s'
    start killed_commands && after 30
    kill -STOP "$tuner"
    for pid in $(pgrep -P "$tuner"); do
        kill -KILL -- "-$pid"
    done
    kill -KILL "$tuner"
    ends_with 137
    silence=
    wait_for 60 "workers are left" has_no_workers
    case ${HONE_TEST_SLURM_CONF:-} in *InactiveLimit*) ;; *) scancel --user=root ;; esac
    leaves_nothing
}

short="killed_worker cancelled_job interrupted_in_a_queue terminated_tuner"
long="preempted_jobs node_down full_queue half_full_queue new_controller killed_tuner
    stopped_worker killed_commands"
[ "${HONE_TESTS:-}" = long ] || long=
# shellcheck disable=SC2086
[ $# -gt 0 ] || set -- $short $long
for each; do
    $each
done
