Standard output of a dialect that cannot be written: the cause is said, and nothing more is measured.

  $ fakes=$(dirname "$(command -v wirespeed)")/tests
  $ [ -e "$fakes/libcuda_fake.so" ] || . skip "no fake CUDA driver beside this binary"
  $ export WIRESPEED_CUDA_LIB=$fakes/libcuda_fake.so WIRESPEED_NVML_LIB=$fakes/libnvml_fake.so WIRESPEED_OPENCL_LIB=/none
  $ as() { timeout 20 wirespeed as "$@" 2>err; code=$?; grep -v SIMULATED err >&2; echo "code $code" >&2; }
  $ as nvbandwidth -l >/dev/full
  wirespeed: cannot write to standard output: No space left on device
  code 74
  $ as nvbandwidth -F json -b 1 -i 1 -t 38 >&-
  wirespeed: cannot write to standard output: Bad file descriptor
  code 74
  $ (ulimit -f 1; as nvbandwidth -l >list)
  wirespeed: cannot write to standard output: File too large
  code 74

Runs that would take minutes end when nobody reads them any more (124: too late):

  $ { sleep 0.5; as nvbandwidth -b 1 -i 20000; } | true
  ERROR: host_to_device_memcpy_ce, column 0: interrupted
  ERROR: host_to_device_memcpy_ce, column 1: interrupted
  wirespeed: cannot write to standard output: Broken pipe
  code 1
  $ { sleep 0.5; as rblnBandwidthLatencyTest --test_size 4K -i 100000; } | true
  wirespeed: cannot write to standard output: Broken pipe
  code 1
  $ { sleep 0.5; as p2pBandwidthLatencyTest --numElems=4000; } | true
  wirespeed: cannot write to standard output: Broken pipe
  code 1
  $ { sleep 0.5; as bandwidthTest --mode=shmoo --dtod; } | true
  wirespeed: cannot write to standard output: Broken pipe
  code 1

What is wrong with the command line keeps its own code:

  $ as nvbandwidth -b 0 >/dev/full
  nvbandwidth: --bufferSize: "0" is no value for it; allowed: 1 to 16777216
  wirespeed: cannot write to standard output: No space left on device
  code 1
