#!/usr/bin/env bash
# The cluster of cluster.sh is a cluster: jobs run on its nodes and see a GPU, a full queue makes
# them wait, preemption and the loss of a controller happen, and stopping leaves nothing behind.
set -u
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap '"$here/cluster.sh" stop "$folder" >/dev/null 2>&1; rm -rf "$folder"' EXIT
fail() { printf 'failed: %s\n' "$*"; exit 1; }

"$here/cluster.sh" start "$folder" 2 1 || exit $?
# shellcheck source=/dev/null
. "$folder/env"
state() { scontrol show job "$1" | sed -n 's/.*JobState=\([A-Z]*\).*/\1/p'; }
wait_for() { # JOB STATE
    for _ in $(seq 100); do
        [ "$(state "$1")" != "$2" ] || return 0
        sleep 0.1
    done
    fail "job $1 is $(state "$1") where it should be $2"
}
submit() { sbatch --parsable --output=/dev/null --gres=gpu:1 "$@" --wrap 'sleep 100'; }

for node in n0 n1; do
    # shellcheck disable=SC2016
    seen=$(srun -w $node --gres=gpu:1 sh -c 'echo "$SLURMD_NODENAME $CUDA_VISIBLE_DEVICES"')
    [ "$seen" = "$node 0" ] || fail "a job on $node says '$seen'"
done
first=$(submit) second=$(submit) third=$(submit)
wait_for "$first" RUNNING
wait_for "$second" RUNNING
wait_for "$third" PENDING
"$here/cluster.sh" restart "$folder" || fail "no second controller"
wait_for "$first" RUNNING
urgent=$(submit -p urgent)
wait_for "$urgent" RUNNING
[ "$(state "$first") $(state "$second")" != 'RUNNING RUNNING' ] || fail "nobody is preempted"
# A job runs ahead of its command.
for _ in $(seq 100); do
    jobs=$("$here/cluster.sh" processes "$folder" sleep | wc -l)
    [ "$jobs" != 2 ] || break
    sleep 0.1
done
[ "$jobs" = 2 ] || fail "not two jobs: $("$here/cluster.sh" processes "$folder")"
"$here/cluster.sh" stop "$folder"
left=$("$here/cluster.sh" processes "$folder")
[ -z "$left" ] || fail "left after the end: $left"
echo "jobs on two nodes, a queue, preemption, a new controller, nothing left"
