#!/bin/bash
# The binary is copied to machines that have little: it may need libc, libm and libudev at run time: dynamic_deps.sh BINARY
set -euo pipefail

needed=$(LC_ALL=C readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
grep -qx 'libc\.so\.6' <<<"$needed" || { echo "readelf names no libc for $1: $needed"; exit 1; }
if extra=$(grep -vxE 'libc\.so\.6|libm\.so\.6|libudev\.so\.1|ld-linux[a-z0-9_-]*\.so\.[0-9]+' <<<"$needed"); then
	echo "$1 needs too much: ${extra//$'\n'/ }"
	exit 1
fi
