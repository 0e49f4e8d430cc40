#!/usr/bin/env bash
# A real Slurm on this machine for tests: slurmctld, a slurmd for each virtual node, munge. Nothing
# outside its folder is touched, and several clusters may run at once. Needs root.
#   cluster.sh start FOLDER [NODES] [GPUS]   2 nodes n0, n1, ... of 2 CPUs with 1 GPU each; prints
#                                            nothing, ends with 77 and a reason where it cannot run
#   . FOLDER/env                             what srun, sbatch, scontrol and scancel need
#   cluster.sh restart FOLDER                another controller in the place of the first one
#   cluster.sh kill_node FOLDER n0           its slurmd dies; revive_node starts it again
#   cluster.sh processes FOLDER [NAME]       who runs in jobs there (a line each: pid and words)
#   cluster.sh stop FOLDER                   ends jobs and daemons, whatever state they are in
# Partitions: gpu (the default) and urgent, whose jobs preempt those of gpu. GPUs are a100 by name,
# their devices /dev/null's, so that CUDA_VISIBLE_DEVICES is set as on a cluster. No accounting.
# HONE_TEST_SLURM_CONF holds further lines of slurm.conf.
set -eu
command=${1:?} folder=${2:?}

cannot() {
    echo "skipped: $*"
    exit 77
}

# Whether a port of this machine is listened at.
is_taken() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# The first of a block of ports that nobody listens at.
free_ports() {
    local first port taken
    for _ in $(seq 50); do
        first=$((20000 + (RANDOM % 1000) * 10)) taken=0
        for port in $(seq "$first" $((first + $1))); do
            ! is_taken "$port" || taken=1
        done
        [ $taken = 1 ] || { echo "$first"; return 0; }
    done
    return 1
}

write_configuration() {
    local nodes=$1 gpus=$2 host port
    host=$(hostname -s)
    port=$(free_ports "$nodes")
    mkdir -p "$folder"/{run,log,state,spool,dev}
    chmod 755 "$folder"
    cat >"$folder/slurm.conf" <<END
ClusterName=hone
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/run/munge.sock
SlurmctldPort=$port
SlurmctldPidFile=$folder/run/slurmctld.pid
SlurmdPidFile=$folder/run/slurmd-%n.pid
SlurmctldLogFile=$folder/log/slurmctld.log
SlurmdLogFile=$folder/log/slurmd-%n.log
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool/%n
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=1,bf_interval=1,sched_min_interval=0,batch_sched_delay=0
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
ReturnToService=2
SlurmdTimeout=10
KillWait=3
GresTypes=gpu
PartitionName=gpu    Nodes=ALL Default=YES DefaultTime=60 State=UP PriorityTier=1 PreemptMode=REQUEUE
PartitionName=urgent Nodes=ALL State=UP PriorityTier=10 PreemptMode=OFF
${HONE_TEST_SLURM_CONF:-}
END
    : >"$folder/gres.conf"
    local node gpu
    for node in $(seq 0 $((nodes - 1))); do
        mkdir -p "$folder/spool/n$node" "$folder/dev/n$node"
        echo "NodeName=n$node NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 1 + node))" \
            "CPUs=2 RealMemory=1000 Gres=gpu:a100:$gpus State=UNKNOWN" >>"$folder/slurm.conf"
        for gpu in $(seq 0 $((gpus - 1))); do
            mknod "$folder/dev/n$node/nvidia$gpu" c 1 3 || cannot "no devices can be made here"
            echo "NodeName=n$node Name=gpu Type=a100 File=$folder/dev/n$node/nvidia$gpu" \
                >>"$folder/gres.conf"
        done
    done
    printf '%s\n' ConstrainCores=no ConstrainDevices=no ConstrainRAMSpace=no \
        >"$folder/cgroup.conf"
    # Jobs of whoever started the tests would be taken for ours.
    # shellcheck disable=SC2016
    printf 'unset ${!SLURM_*}\nexport SLURM_CONF=%q\n' "$folder/slurm.conf" >"$folder/env"
}

start_munge() {
    dd if=/dev/urandom of="$folder/munge.key" bs=64 count=1 status=none
    chmod 400 "$folder/munge.key"
    munged --force --key-file="$folder/munge.key" --socket="$folder/run/munge.sock" \
        --pid-file="$folder/run/munged.pid" --log-file="$folder/log/munged.log" \
        --seed-file="$folder/state/munge.seed" >"$folder/log/munged.out" 2>&1
}

# wait_for SECONDS COMMAND...
wait_for() {
    local until=$((SECONDS + $1))
    shift
    until "$@" >/dev/null 2>&1; do
        [ "$SECONDS" -lt "$until" ] || return 1
        sleep 0.1
    done
}

all_idle() { [ "$(sinfo -h -N -p gpu -o %t | sort -u)" = idle ]; }

start() {
    local nodes=${1:-2} gpus=${2:-1} node program
    [ "$(id -u)" = 0 ] || cannot "Slurm's daemons are started by root alone"
    for program in slurmctld slurmd srun sbatch munged mknod; do
        PATH=$PATH:/usr/sbin command -v "$program" >/dev/null || cannot "no $program here"
    done
    write_configuration "$nodes" "$gpus"
    start_munge || cannot "munge does not start: $(cat "$folder/log/munged.out")"
    # shellcheck source=/dev/null
    . "$folder/env"
    slurmctld -c
    for node in $(seq 0 $((nodes - 1))); do
        slurmd -N "n$node"
    done
    wait_for 60 all_idle || {
        tail -n 20 "$folder"/log/*.log
        stop
        exit 1
    }
}

pid_of() { cat "$folder/run/$1.pid" 2>/dev/null || true; }
# Whoever collects what has ended may take a second: that is gone, too.
is_gone() { ! grep -q '^State:[[:space:]]*[^Z[:space:]]' "/proc/$1/status" 2>/dev/null; }

# end_daemon NAME: by its pid file.
end_daemon() {
    local pid
    pid=$(pid_of "$1")
    rm -f "$folder/run/$1.pid"
    [ -n "$pid" ] || return 0
    kill "$2" "$pid" 2>/dev/null || true
    wait_for 20 is_gone "$pid"
}

# Every process that was started with this cluster's configuration.
processes() {
    local environment pid words
    for environment in /proc/[0-9]*/environ; do
        pid=${environment#/proc/} pid=${pid%/environ}
        grep -qzxF "SLURM_CONF=$folder/slurm.conf" "$environment" 2>/dev/null || continue
        words=$(tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null) || continue
        # Jobs have a number; the tests themselves and the daemons have none.
        grep -qz '^SLURM_JOB_ID=' "$environment" 2>/dev/null || continue
        case $words in *"${1:-}"*) echo "$pid $words" ;; esac
    done
}

# Nothing of the state is needed any more, so the daemons are ended by force once the jobs are.
stop() {
    local pid_file name pid
    # shellcheck source=/dev/null
    . "$folder/env"
    if [ -n "$(pid_of slurmctld)" ]; then
        timeout 5 scancel --user=root 2>/dev/null || true
        wait_for 5 has_no_jobs || true
    fi
    for pid_file in "$folder"/run/*.pid; do
        name=${pid_file##*/}
        [ ! -e "$pid_file" ] || end_daemon "${name%.pid}" -KILL || true
    done
    # What is left of jobs, and what watched over them.
    for pid in $(processes '' | cut -d' ' -f1) $(stepds); do
        kill -9 "$pid" 2>/dev/null || true
    done
}

has_no_jobs() { [ -z "$(timeout 5 squeue -h || echo none)" ]; }

# slurmstepd's of this cluster: started by its slurmd, they hold sockets in its folder.
stepds() {
    local process
    for process in /proc/[0-9]*; do
        case $(cat "$process/comm" 2>/dev/null) in slurmstepd*) ;; *) continue ;; esac
        grep -qzxF "SLURM_CONF=$folder/slurm.conf" "$process/environ" 2>/dev/null || continue
        echo "${process#/proc/}"
    done
}

restart() {
    # shellcheck source=/dev/null
    . "$folder/env"
    end_daemon slurmctld -TERM
    slurmctld
    wait_for 30 scontrol ping
}

PATH=$PATH:/usr/sbin:/sbin
shift 2
case $command in
start | stop | restart | processes) "$command" "$@" ;;
kill_node)
    end_daemon "slurmd-$1" -KILL ;;
revive_node)
    # shellcheck source=/dev/null
    . "$folder/env"
    slurmd -N "$1"
    ;;
*) echo "cluster.sh: no command '$command'" >&2; exit 2 ;;
esac
