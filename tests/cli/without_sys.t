Without /sys, and with file systems that have no room or may not be written.

  $ unshare -m mount -t tmpfs none /sys 2>/dev/null || . skip "no mounts in a namespace of one's own here"
  $ without() { unshare -m sh -c 'mount -t tmpfs none /sys && exec "$@"' - "$@"; }
  $ without wirespeed list | cmp - <(wirespeed list)
  $ without wirespeed host_latency --samples 6 --size 1M --format csv >out; echo "code $?"
  code 0
  $ cut -d, -f1,4,10 out
  probe,coords,status
  host_latency,row=host0 column=host0,measured

Nothing is left of a report that does not fit, or may not be written:

  $ mkdir small
  $ unshare -m sh -c 'mount -t tmpfs -o size=4k none small && cp /dev/null small/old && wirespeed host_latency --samples 40 --size 1M --format json -o small/report; echo "code $?"; ls small'
  wirespeed: cannot write small/report: No space left on device
  code 74
  old
  $ unshare -m sh -c 'mount -t tmpfs -o ro none small && wirespeed host_latency --samples 6 --size 1M --format json -o small/report; echo "code $?"; ls small'
  wirespeed: cannot write small/report: Read-only file system
  code 74

/tmp is not needed (the binary itself may lie there: it is opened before):

  $ unshare -m sh -c 'exec 9<"$(command -v wirespeed)"; mount -t tmpfs -o ro none /tmp && /proc/self/fd/9 host_latency --samples 6 --size 1M --format csv | cut -d, -f1,10'
  probe,status
  host_latency,measured

An OpenCL driver, which might end the program there, is not asked:

  $ without wirespeed machine --backend opencl | grep '^  opencl'
    opencl      not asked: without /sys/devices/system/cpu an OpenCL driver may end the program
