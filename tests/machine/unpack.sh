#!/bin/sh
# Usage: unpack.sh MACHINES CACHE FILE [FOLDER]
# Prints the path to open for a recorded machine. An archive is unpacked once into CACHE, which takes seconds; FOLDER is
# its top folder. Ends with 77, which means skipped, where the recording is absent.
set -eu
machines=$1 cache=$2 file=$3 folder=${4-}

if [ ! -r "$machines/$file" ]; then
	echo "skipped: no recorded machine $machines/$file" >&2
	exit 77
fi
if [ -z "$folder" ]; then
	echo "$machines/$file"
	exit 0
fi
if [ ! -d "$cache/$folder" ]; then
	mkdir -p "$cache"
	part=$(mktemp -d "$cache/part.XXXXXX")
	trap 'rm -rf "$part"' EXIT
	# The standard library reads bzip2 even where no bzip2 program is installed.
	/usr/bin/python3 -m tarfile -e "$machines/$file" "$part" >&2
	# Renamed when complete. A test beside this one may have been faster: then its copy stays.
	mv -T "$part/$folder" "$cache/$folder" 2>/dev/null || [ -d "$cache/$folder" ]
fi
echo "$cache/$folder"
