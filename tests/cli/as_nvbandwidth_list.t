What nvbandwidth says without measuring. Its 0.10 is spoken unless another version is asked for.

  $ wirespeed as --help | sed -n '/^Tools/,$p' | grep -A1 '^  nvbandwidth ' | tr -s ' '
   nvbandwidth bandwidth between GPUs and host, and latency
   (versions 0.10 0.9)
  $ nvbandwidth() { wirespeed as nvbandwidth "$@"; }
  $ nvbandwidth --version | sed 's/wirespeed-.*/wirespeed-VERSION/'
  nvbandwidth Version: v0.10.0
  Built from Git version: wirespeed-VERSION
  
  $ wirespeed as nvbandwidth@0.8 -l
  wirespeed: nvbandwidth: version "0.8" is not spoken; allowed: 0.10 0.9
  [64]

The tests: a number, a name, and lines that begin with two tabs.

  $ nvbandwidth -l | sed 's/wirespeed-.*/wirespeed-VERSION/' | head -7 | cat -A
  nvbandwidth Version: v0.10.0$
  Built from Git version: wirespeed-VERSION$
  $
  Index, Name:$
  ^IDescription$
  0, host_to_device_memcpy_ce:$
  ^I^Ia device's copy engine copies from host memory to its own$
  $ nvbandwidth --list | grep -c '^'
  95
  $ nvbandwidth --list | sed -n '4,$s/^\([0-9]\{1,\}, .*\):$/\1/p'
  0, host_to_device_memcpy_ce
  1, device_to_host_memcpy_ce
  2, host_to_device_bidirectional_memcpy_ce
  3, device_to_host_bidirectional_memcpy_ce
  4, device_to_device_memcpy_read_ce
  5, device_to_device_memcpy_write_ce
  6, device_to_device_bidirectional_memcpy_read_ce
  7, device_to_device_bidirectional_memcpy_write_ce
  8, all_to_host_memcpy_ce
  9, all_to_host_bidirectional_memcpy_ce
  10, host_to_all_memcpy_ce
  11, host_to_all_bidirectional_memcpy_ce
  12, all_to_one_write_ce
  13, all_to_one_read_ce
  14, one_to_all_write_ce
  15, one_to_all_read_ce
  16, host_to_device_memcpy_sm
  17, device_to_host_memcpy_sm
  18, host_to_device_bidirectional_memcpy_sm
  19, device_to_host_bidirectional_memcpy_sm
  20, device_to_device_memcpy_read_sm
  21, device_to_device_memcpy_write_sm
  22, device_to_device_bidirectional_memcpy_read_sm
  23, device_to_device_bidirectional_memcpy_write_sm
  24, all_to_host_memcpy_sm
  25, all_to_host_bidirectional_memcpy_sm
  26, host_to_all_memcpy_sm
  27, host_to_all_bidirectional_memcpy_sm
  28, all_to_one_write_sm
  29, all_to_one_read_sm
  30, one_to_all_write_sm
  31, one_to_all_read_sm
  32, host_device_latency_sm
  33, device_to_device_latency_sm
  34, device_to_device_memcpy_read_tma
  35, device_to_device_memcpy_write_tma
  36, device_to_device_bidirectional_memcpy_read_tma
  37, device_to_device_bidirectional_memcpy_write_tma
  38, device_local_copy
  39, device_local_copy_sm
  40, device_local_read_sm
  41, device_local_write_sm
  42, device_to_device_latency_tma
  43, device_local_copy_tma

The older one has 35 of them, and no version above the list.

  $ nvbandwidth() { wirespeed as nvbandwidth@0.9 "$@"; }
  $ nvbandwidth -l | head -3 | cat -A
  Index, Name:$
  ^IDescription$
  0, host_to_device_memcpy_ce:$
  $ nvbandwidth -l | grep -c '^[0-9]*, .*:$'
  35
  $ nvbandwidth -l | tail -2
  34, device_local_copy:
  		a device's copy engine copies inside its memory

Help names every option, and is no error; with JSON asked for, the original says nothing, and neither does this.

  $ nvbandwidth -h | sed -n 's/^  \(-[a-zA-Z], --[a-zA-Z]*\).*/\1/p'
  -h, --help
  -b, --bufferSize
  -l, --list
  -t, --testcase
  -p, --testcasePrefixes
  -v, --verbose
  -s, --skipVerification
  -d, --disableAffinity
  -i, --testSamples
  -P, --targetNumPairs
  -m, --useMean
  -H, --useHugePages
  -j, --json
  $ wirespeed as nvbandwidth --help | sed -n 's/^  \(-[a-zA-Z],\)\{0,1\} *\(--[a-zA-Z]*\).*/\1 \2/p' | tr -s ' \n' ' '
  -h, --help --version -b, --bufferSize -l, --list -t, --testcase -p, --testcasePrefixes -v, --verbose -s, --skipVerification -d, --disableAffinity -i, --testSamples -P, --targetNumPairs -m, --useMean -H, --useHugePages -F, --format --pair  (no-eol)
  $ nvbandwidth -h -j
  $ wirespeed as nvbandwidth --list --format json
