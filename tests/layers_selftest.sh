#!/bin/bash
# Proves that layers.sh can fail: each kind of fault in a small tree of its own, with the expected complaint.
set -euo pipefail

layers=$(dirname "$0")/layers.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
faults=0

# Starts from a tree without a fault.
fresh() {
	rm -rf "${tree:?}"/*
	mkdir "$tree"/{base,seam,plan,cli,dialect,measure,collective}
	echo '/* leaf */' >"$tree/base/error.h"
	echo '#include "base/error.h"' >"$tree/seam/place.h"
	printf '#include <stdio.h>\n#include "seam/place.h"\n#include "base/error.h"\n' >"$tree/plan/plan.c"
	printf '#include "cli/option.h"\n#include "measure/run.h"\n#include "wirespeed.h"\n' >"$tree/main.c"
}

# expect STATUS TEXT: what layers.sh has to answer on the tree as it is
expect() {
	local status=0 answer
	answer=$("$layers" "$tree") || status=$?
	if [ "$status" != "$1" ] || [ "$answer" != "$2" ]; then
		printf 'expected %s: %s\n   found %s: %s\n' "$1" "$2" "$status" "$answer"
		faults=$((faults + 1))
	fi
}

fresh
expect 0 ''
printf '/* up */\n#include "cli/option.h"\n' >"$tree/measure/run.c"
expect 1 'measure/run.c:2: layer measure includes "cli/option.h" from above'
fresh
echo '  #  include "plan/plan.h"' >"$tree/base/error.h"
expect 1 'base/error.h:1: layer base includes "plan/plan.h" from above'
fresh
echo '#include "measure/run.h"' >"$tree/collective/host.c"
expect 1 'collective/host.c:1: layer collective includes "measure/run.h" from above'
fresh
echo '#include "plan/plan.h"' >"$tree/seam/place.h"
expect 1 'seam/place.h:1: seam/ may include seam/ and base/ only, not "plan/plan.h"'
fresh
echo '/* code */' >"$tree/seam/place.c"
expect 1 'seam/place.c:1: seam/ holds headers only'
fresh
echo '#include "error.h"' >"$tree/base/error.c"
expect 1 'base/error.c:1: "error.h" does not name a layer: layer/file.h'
fresh
echo '#include "../cli/option.h"' >"$tree/base/error.c"
expect 1 'base/error.c:1: "../cli/option.h" does not name a layer: layer/file.h'
fresh
mkdir "$tree/misc"
echo '/* odd */' >"$tree/misc/odd.c"
expect 1 'misc/odd.c:1: belongs to no layer'
fresh
printf '\n%.0s' {1..600} >"$tree/plan/plan.c"
expect 0 ''
echo >>"$tree/plan/plan.c"
expect 1 'plan/plan.c:601: more than 600 lines'
rm -rf "${tree:?}"/*
expect 1 'no sources in this folder'
exit $((faults > 0))
