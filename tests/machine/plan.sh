#!/bin/sh
# Usage: plan.sh PROGRAM EXPECTED MACHINES CACHE FILE [FOLDER]
# Compares the plan of two probes for a recorded machine, or the refusal, with a file; ends with 77 where there is no
# recording.
set -eu
program=$1 expected=$2
shift 2
source=$("$(dirname "$0")/unpack.sh" "$@") || exit $?
{ HWLOC_HIDE_ERRORS=2 "$program" host_memory_read host_to_host_memcpy_cpu --dry-run --machine "$source" 2>&1 || echo "exit code $?"; } |
	sed "s|$source|MACHINE|" | diff -u "$expected" -
