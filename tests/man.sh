#!/bin/bash
# The manual page has the options of the binary and is clean mdoc: man.sh options|lint BINARY PAGE
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
case $1 in
options)
	# A page without the section, or a binary without options, would agree with anything.
	grep -q '^\.Sh OPTIONS$' "$3"
	"$2" help --mdoc | grep -q '^\.It Fl -size Ar'
	diff -u "$3" <("$root/scripts/update-man" "$2" "$3") || {
		echo "scripts/update-man BINARY PAGE prints the page as it should be"
		exit 1
	}
	;;
lint)
	command -v mandoc >/dev/null || { echo "SKIP: no mandoc here"; exit 77; }
	mandoc -T lint -W warning "$3"
	;;
esac
