A machine that does not describe itself: neither /sys nor /proc.

  $ unshare -m mount -t tmpfs none /sys 2>/dev/null || . skip "no mounts in a namespace of one's own here"
  $ without() { unshare -m sh -c 'mount -t tmpfs none /sys && mount -t tmpfs none /proc && exec "$@"' - "$@"; }
  $ (ulimit -v 1000000; wirespeed --version >/dev/null 2>&1) || . skip "an instrumented build: its leak checker needs /proc"
  $ without wirespeed list | cmp - <(wirespeed list)
  $ without wirespeed host_latency --samples 6 --size 1M --format csv >out; echo "code $?"
  code 0
  $ cut -d, -f1,4,10 out
  probe,coords,status
  host_latency,row=host0 column=host0,measured
  $ without wirespeed --dry-run host_latency | tail -1
  host_latency[row=host0 column=host0]: chase host0:4k by host0.cpu 256M
  $ without wirespeed machine --backend host --json | /usr/bin/python3 -c 'import json, sys; print([p["place"] for p in json.load(sys.stdin)["machine"]["places"]])'
  ['host0']
