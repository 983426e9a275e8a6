Plan files that are no plans: one line, exit code 64, in a time that does not depend on their size.

  $ try() { wirespeed --dry-run --plan "$@" >out 2>err; code=$?; cat err; [ -s out ] && echo "printed something"; [ "$code" = 64 ] || echo "code $code"; }

Not there, no file, not readable:

  $ try nowhere.plan
  wirespeed: --plan: cannot read "nowhere.plan": No such file or directory
  $ try .
  wirespeed: --plan: cannot read ".": Is a directory
  $ bound() { if [ "$(id -u)" = 0 ]; then setpriv --bounding-set=-dac_override,-dac_read_search "$@"; else "$@"; fi; }
  $ touch shut; chmod 0 shut; bound wirespeed --dry-run --plan shut
  wirespeed: --plan: cannot read "shut": Permission denied
  [64]

Empty, only comments:

  $ : >empty; try empty
  wirespeed: --plan: "empty": the plan has no steps
  $ try - </dev/null
  wirespeed: --plan: standard input: the plan has no steps
  $ echo '# nothing' | try -
  wirespeed: --plan: standard input: the plan has no steps

Binary:

  $ head -c 4096 /dev/zero >zeros; try zeros
  wirespeed: --plan: "zeros": line 1, column 1: byte 0x00: a plan is printable ASCII text
  $ head -c 4096 "$(command -v wirespeed)" >elf; try elf
  wirespeed: --plan: "elf": line 1, column 1: byte 0x7f: a plan is printable ASCII text
  $ printf 'read host0 by host0.cpu 1M\0\n' | try -
  wirespeed: --plan: standard input: line 1, column 27: byte 0x00: a plan is printable ASCII text
  $ printf '\xff\xfe\n' | try - 2>&1 | tr -d '\376\377'
  wirespeed: --plan: standard input: line 1, column 1: byte 0xff: a plan is printable ASCII text

Too large, as a file, from a pipe, and without end:

  $ truncate -s 100M large; try large
  wirespeed: --plan: "large" is larger than the 32 MiB allowed
  $ yes 'read host0 by host0.cpu 1M' | head -c 100000000 | try -
  wirespeed: --plan: standard input is larger than the 32 MiB allowed
  $ try /dev/zero
  wirespeed: --plan: "/dev/zero" is larger than the 32 MiB allowed

Steps that fill the same cell, where the last one's figure would replace the others; members of a group apart:

  $ printf 'a: read host0 by host0.cpu 1M\na: read host0 by host0.cpu 2M\n' | try -
  wirespeed: --plan: standard input: steps 1 and 2 fill the same cell: custom[step=a]
  $ printf 'read host0 by host0.cpu 1M group=1\nread host0 by host0.cpu 1M\nread host0 by host0.cpu 1M group=1\n' | try -
  wirespeed: --plan: standard input: steps 1 and 3 are both of group 1, but others stand between them

Large but allowed, with the error at its end:

  $ { yes 'read host0 by host0.cpu 1M' | head -90000; echo 'rad host0 by host0.cpu 1M'; } >long; try long
  wirespeed: --plan: "long": line 90001, column 1: "rad" is neither a place nor a verb (read, write, triad, mix, chase, pingpong, noop, map, unmap, collective, put, get, store, load); did you mean "read"?
  $ { yes 'read host0 by host0.cpu 1M' | head -200000; } | try -
  wirespeed: --plan: standard input: line 100001, column 1: a plan has at most 100000 steps

One line of 10 MB:

  $ head -c 10000000 /dev/zero | tr '\0' x | try -
  wirespeed: --plan: standard input: line 1, column 1: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx..." has 10000000 characters, and no word has more than 255
