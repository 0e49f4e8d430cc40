#!/usr/bin/env bash
# A campaign of 12 runs as an array of a real Slurm: one job is requeued, one preempted, one run
# cancelled and tried again. All are done in the end, no trial was measured twice, and what is
# merged equals that of a local campaign by the same seeds, byte for byte.
#   try_campaign.sh BUILD_FOLDER
set -u
here=$(cd "$(dirname "$0")" && pwd)
build=$1 source=$here/../..
folder=$(mktemp -d)
trap '"$here/cluster.sh" stop "$folder/slurm" >/dev/null 2>&1; rm -rf "$folder"' EXIT
mkdir "$folder/slurm" "$folder/there" "$folder/here" && cd "$folder" || exit 1
fail() {
    echo "failed: $*"
    squeue -h -r
    "$build/hone" campaign status there/c.lua
    tail -n 3 there/c.runs/*/events.jsonl
    exit 1
}
# wait_for SECONDS COMMAND...
wait_for() {
    local until=$((SECONDS + $1))
    shift
    until "$@" >/dev/null 2>&1; do
        [ $SECONDS -lt $until ] || fail "$* took too long"
        sleep 0.2
    done
}

"$here/cluster.sh" start "$folder/slurm" 2 1 || exit $?
# shellcheck source=/dev/null
. "$folder/slurm/env"
export HONE_CACHE=$folder/cache

campaign() { # folder, keys of the device
    local problems='' i
    for i in 1 2 3 4 5 6 7 8 9 10 11 12; do problems="$problems { N = $((200000 + i)) },"; done
    cat >"$1/c.lua" <<END
local hone = require "hone"
return hone.campaign {
    kernels = { { script = "$source/tests/cli/scripts/scale.lua", problems = {$problems } } },
    devices = { { id = "emu:a100", $2 } },
    budget = 12,
}
END
}
campaign there 'via = "slurm", partition = "gpu", at_once = 4'
campaign here 'at_once = 2'
hone() { "$build/hone" "$@"; }

hone campaign run there/c.lua >run.out 2>&1 || fail "$(cat run.out)"
grep -q '^12 runs submitted in 1 array, 0 in the queue before$' run.out || fail "$(cat run.out)"
hone campaign run there/c.lua >run.out 2>&1
grep -q '^0 runs submitted in 0 arrays, 12 in the queue before$' run.out || fail "$(cat run.out)"

# begun FILE: its journal has a trial.
running() { grep -l '"config"' there/c.runs/*/journal.jsonl 2>/dev/null; }
jobs_running() { squeue -h -r -p gpu -t RUNNING -o %i; }
two_running() { [ "$(running | wc -l)" -ge 2 ] && [ "$(jobs_running | wc -l)" -ge 2 ]; }
wait_for 60 two_running
scontrol requeue "$(jobs_running | head -1)" || fail "no requeue"
# A whole node: whoever is there makes room.
sbatch -p urgent --exclusive -N1 --wrap 'sleep 1' -o /dev/null >/dev/null || fail "no preemption"
preempted() { grep -qi 'preempt' "$folder/slurm/log/slurmctld.log"; }
wait_for 60 preempted
last=$(hone campaign status there/c.lua | tac | grep -m1 -E ' (queued|running) ' | cut -d' ' -f1)
hone campaign cancel there/c.lua --run "$last" >cancel.out || fail "$(cat cancel.out)"

# Slurm lets what was requeued wait for two minutes.
over() {
    local job
    for job in $(squeue -h -r -p gpu -t PENDING -o '%i %r' | sed -n 's/ BeginTime$//p'); do
        scontrol update "jobid=$job" StartTime=now
    done
    [ -z "$(squeue -h)" ]
}
wait_for 300 over
hone campaign status there/c.lua >status.out
grep -q '^12 runs, 11 done, 1 cancelled$' status.out || fail "$(cat status.out)"
hone campaign retry there/c.lua >retry.out || fail "$(cat retry.out)"
hone campaign run there/c.lua >run.out 2>&1 || fail "$(cat run.out)"
wait_for 120 over
hone campaign status there/c.lua >status.out
grep -q '^12 runs, 12 done$' status.out || fail "$(cat status.out)"

# More starts than runs: some went on with their journals. A trial that was begun again would
# stand there twice.
starts=$(cat there/c.runs/*/events.jsonl | grep -c '"event":"begin"')
[ "$starts" -gt 12 ] || fail "nobody went on: $starts starts"
for journal in there/c.runs/*/journal.jsonl; do
    hone show "$journal" >show.out
    grep -q '12 trials' show.out || fail "$journal: $(cat show.out)"
    twice=$(grep -o '^{"begun":[^}]*' "$journal" | sort | uniq -d | wc -l)
    [ "$twice" -le 2 ] || fail "$journal: $twice trials were begun twice"
done

hone campaign run here/c.lua >run.out 2>&1 || fail "$(cat run.out)"
for side in here there; do
    hone campaign merge "$side/c.lua" --rows 3 --accept-predicted >merge.out || fail "$(cat merge.out)"
done
diff -r here/results there/results || fail "the results differ"
[ "$(find there/results -name '*.predicted.h' | wc -l)" = 1 ] || fail "no header"
echo "12 runs in $starts starts, one requeued, one preempted, one cancelled: equal to local ones"
