#!/bin/bash
# Holds a source tree to the layers: includes point down only, seam/ is headers, files stay short: layers.sh SOURCE-FOLDER
set -euo pipefail

cd "$1"
find . -type f \( -name '*.c' -o -name '*.h' -o -name '*.def' -o -name '*.S' \) -printf '%P\n' | sort | awk '
function complain(text) {
	print text
	faults++
}
BEGIN {
	layers = split("base|kernel|ranks|backend|machine|activity collective remote|measure|plan|probe|judge|report|" \
		       "cli dialect|main", row, "|")
	for (i = 1; i <= layers; i++) {
		count = split(row[i], name, " ")
		for (j = 1; j <= count; j++)
			height[name[j]] = i
	}
	height["seam"] = 0
}
{
	path = $0
	files++
	layer = path == "main.c" ? "main" : path
	sub(/\/.*/, "", layer)
	if (!(layer in height)) {
		complain(path ":1: belongs to no layer")
		next
	}
	if (layer == "seam" && path !~ /\.h$/)
		complain(path ":1: seam/ holds headers only")
	for (line = 1; (getline text < path) > 0; line++) {
		if (text !~ /^[ \t]*#[ \t]*include[ \t]*"/)
			continue
		target = text
		sub(/^[^"]*"/, "", target)
		sub(/".*/, "", target)
		if (target == "wirespeed.h")
			continue
		into = target
		sub(/\/.*/, "", into)
		if (target !~ /\// || !(into in height))
			complain(path ":" line ": \"" target "\" does not name a layer: layer/file.h")
		else if (layer == "seam" && into != "seam" && into != "base")
			complain(path ":" line ": seam/ may include seam/ and base/ only, not \"" target "\"")
		else if (height[into] > height[layer] && layer != "seam")
			complain(path ":" line ": layer " layer " includes \"" target "\" from above")
	}
	close(path)
	if (line - 1 > 600)
		complain(path ":" line - 1 ": more than 600 lines")
}
END {
	if (!files)
		complain("no sources in this folder")
	exit faults > 0
}'
