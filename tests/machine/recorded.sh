#!/bin/sh
# Usage: recorded.sh PROGRAM MACHINE MACHINES CACHE FILE [FOLDER]
# Runs PROGRAM MACHINE PATH with the path of a recorded machine, or ends with 77 where the recording is absent.
set -eu
program=$1 machine=$2
shift 2
source=$("$(dirname "$0")/unpack.sh" "$@") || exit $?
exec "$program" "$machine" "$source"
