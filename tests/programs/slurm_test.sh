#!/usr/bin/env bash
# slurm_test.sh PLUMBLINE SCENARIOS: a sweep as a real Slurm array gives the report of a local one.
#
# Starts munge, slurmctld and slurmd of Debian on this machine alone: loopback, a folder and ports of
# their own, ended by their own process ids. The whole takes at most three minutes. Exit status: 0 it
# does, 1 it does not, 77 it cannot be tried here.
set -uo pipefail

plumbline=$(readlink -f "$1")
scenarios=$(readlink -f "$2")
readonly seeds=1..700 shards=7 seconds_max=200
readonly ctld_port=${PLUMBLINE_SLURM_PORT:-26817} slurmd_port=$((${PLUMBLINE_SLURM_PORT:-26817} + 1))

skip() { echo "skipped: $*"; exit 77; }
fail() {
  echo "failed: $*"
  local log
  for log in "$folder"/*.log "$folder"/jobs/*.out; do
    [ -s "$log" ] && echo "== $log" && tail -n 20 "$log"
  done
  exit 1
}

[ "$(id -u)" = 0 ] || skip "Slurm's daemons run jobs as root only"
for program in munged slurmctld slurmd sbatch squeue; do
  command -v "$program" >/dev/null ||
    skip "no $program; install slurmctld slurmd slurm-client munge"
done

folder=$(mktemp -d /tmp/plumbline-slurm.XXXXXX)
pids=()
end() {
  local pid
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null; done
  for pid in "${pids[@]}"; do wait "$pid" 2>/dev/null; done
  rm -rf "$folder"
}
trap end EXIT

# wait_for WHAT COMMAND...: until it succeeds, at most 20 seconds.
wait_for() {
  local what=$1 tries
  shift
  for ((tries = 0; tries < 100; ++tries)); do
    "$@" >/dev/null 2>&1 && return 0
    sleep 0.2
  done
  fail "$what did not come up"
}

start_munge() {
  chmod 755 "$folder"
  mkdir -m 755 "$folder/munge" "$folder/munge-run"
  mkdir -m 700 "$folder/munge-key"
  head -c 1024 /dev/urandom >"$folder/munge-key/key"
  chmod 400 "$folder/munge-key/key"
  munged --foreground --force --socket="$folder/munge-run/socket" --key-file="$folder/munge-key/key" \
    --pid-file="$folder/munge-run/pid" --log-file="$folder/munge/munged.log" \
    --seed-file="$folder/munge-key/seed" --num-threads=2 >"$folder/munged.log" 2>&1 &
  pids+=($!)
  wait_for munged test -S "$folder/munge-run/socket"
}

configure_slurm() {
  mkdir "$folder/state" "$folder/spool" "$folder/jobs"
  local host
  host=$(hostname -s)
  cat >"$folder/slurm.conf" <<CONF
ClusterName=plumbline
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge-run/socket
CredType=cred/munge
SlurmctldPort=$ctld_port
SlurmdPort=$slurmd_port
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/builtin
MpiDefault=none
SwitchType=switch/none
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
  export SLURM_CONF=$folder/slurm.conf
}

start_slurm() {
  slurmctld -D -f "$SLURM_CONF" >"$folder/slurmctld.out.log" 2>&1 &
  pids+=($!)
  slurmd -D -f "$SLURM_CONF" -N "$(hostname -s)" >"$folder/slurmd.out.log" 2>&1 &
  pids+=($!)
  wait_for slurmctld scontrol ping
  wait_for "the node" node_is_idle
}

node_is_idle() { sinfo --noheader --format=%T | grep -q idle; }

# As docs/slurm.md has it.
sweep_as_array() {
  cat >"$folder/sweep.sbatch" <<JOB
#!/bin/bash
#SBATCH --array=1-$shards
#SBATCH --ntasks=1
#SBATCH --output=$folder/jobs/%a.out
"$plumbline" sweep "$scenarios" --seeds $seeds --check-determinism --quiet \\
  --shard "\$SLURM_ARRAY_TASK_ID/\$SLURM_ARRAY_TASK_COUNT" \\
  --report "json=$folder/jobs/\$SLURM_ARRAY_TASK_ID.json"
JOB
  timeout "$seconds_max" sbatch --wait "$folder/sweep.sbatch" >"$folder/sbatch.log" 2>&1
}

cd "$folder" || exit 1  # Failures are written below it.
start_munge
configure_slurm
start_slurm
"$plumbline" sweep "$scenarios" --seeds $seeds --check-determinism --quiet \
  --report "json=$folder/local.json" >"$folder/local.log" 2>&1
local_status=$?
sweep_as_array
array_status=$?
"$plumbline" report merge "$folder"/jobs/*.json --out "$folder/array-merged.json" --quiet \
  >"$folder/merge.log" 2>&1
merge_status=$?
"$plumbline" report merge "$folder/local.json" --out "$folder/local-merged.json" --quiet \
  >>"$folder/merge.log" 2>&1
[ -s "$folder/local-merged.json" ] || fail "no local report"
[ -s "$folder/array-merged.json" ] || fail "the array left no report (sbatch ended with $array_status)"
cmp "$folder/array-merged.json" "$folder/local-merged.json" || fail "the reports differ"
[ "$merge_status" = "$local_status" ] || fail "merge ended with $merge_status, the sweep with $local_status"
[ "$array_status" = 0 ] || [ "$local_status" != 0 ] || fail "sbatch ended with $array_status"
echo "an array of $shards jobs and a local sweep: $(grep -o '"worlds": [0-9]*' "$folder/array-merged.json" |
  head -n 1 | tr -dc 0-9) worlds, the same $(stat -c %s "$folder/array-merged.json") bytes"
