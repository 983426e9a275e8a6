p2pBandwidthLatencyTest: its command line, and what becomes of it when something is wrong.

  $ fakes=$(dirname "$(command -v wirespeed)")/tests machines=$TESTDIR/../fake/machines
  $ [ -e "$fakes/libcuda_fake.so" ] || . skip "no fake CUDA driver beside this binary"
  $ export WIRESPEED_CUDA_LIB=$fakes/libcuda_fake.so WIRESPEED_NVML_LIB=$fakes/libnvml_fake.so
  $ export FAKE_CUDA_MACHINE=$machines/2gpu.machine
  $ p2p() { wirespeed as p2pBandwidthLatencyTest "$@" 2>err; code=$?; grep -v '^SIMULATED: ' err; return $code; }
  $ first() { p2p "$@" | sed -n '/^Unidirectional P2P=Disabled/,/^     1/p'; }
  $ reads() { p2p --numElems=1000 "$@" | grep -c Reads; }

The tool is listed, and has no versions:

  $ wirespeed as --help | grep -o '^  p2pBandwidthLatencyTest '
    p2pBandwidthLatencyTest 
  $ wirespeed as p2pBandwidthLatencyTest@1 --help
  wirespeed: p2pBandwidthLatencyTest: version "1" is not spoken; allowed: none
  [64]

Help comes before all else, needs no GPU, and names each option:

  $ WIRESPEED_CUDA_LIB=/none p2p --numElems=9 -HELP | grep -oE '^(Usage: .*|--[^ ]*)'
  Usage:  p2pBandwidthLatencyTest [OPTION]...
  --help
  --p2p_read
  --sm_copy
  --numElems=<NUM_OF_INT_ELEMS>

A link by the tool's name is the tool:

  $ ln -s "$(command -v wirespeed)" p2pBandwidthLatencyTest
  $ ./p2pBandwidthLatencyTest --help | head -1
  Usage:  p2pBandwidthLatencyTest [OPTION]...

Any number of dashes, any case, and a value where none belongs; words without a meaning have none:

  $ reads --p2p_read
  2
  $ reads -P2P_READ
  2
  $ reads p2p_read=no
  2
  $ reads --p2p_reads ---read --device=7 x
  0
  [1]

The number of elements counts behind an "=", the last one given; what is no number is 0, and nothing takes no time:

  $ first --numElems=50000
  Unidirectional P2P=Disabled Bandwidth Matrix (GB/s)
     D\D     0      1 
       0 163.16  33.80 
       1  33.80 163.16 
  $ first numelems=1 --NUMELEMS=50000
  Unidirectional P2P=Disabled Bandwidth Matrix (GB/s)
     D\D     0      1 
       0 163.16  33.80 
       1  33.80 163.16 
  $ first --numElems=many
  Unidirectional P2P=Disabled Bandwidth Matrix (GB/s)
     D\D     0      1 
       0   0.00   0.00 
       1   0.00   0.00 
  $ first --numElems
  Unidirectional P2P=Disabled Bandwidth Matrix (GB/s)
     D\D     0      1 
       0   0.00   0.00 
       1   0.00   0.00 

A unit, which the tool would pass over, and numbers below 0 and beyond all memory are refused:

  $ p2p --numElems=16M
  wirespeed: --numElems=16M: allowed are whole numbers of 4-byte elements, without a unit, from 0 to 281474976710656
  [1]
  $ p2p --numElems=-1
  wirespeed: --numElems=-1: allowed are whole numbers of 4-byte elements, without a unit, from 0 to 281474976710656
  [1]
  $ p2p --numElems=99999999999999999999
  wirespeed: --numElems=99999999999999999999: allowed are whole numbers of 4-byte elements, without a unit, from 0 to 281474976710656
  [1]

More than a GPU has leaves cells without a figure:

  $ wirespeed as p2pBandwidthLatencyTest --numElems=100000000000 >out 2>err
  [1]
  $ grep -c N/A out
  8
  $ grep -c 'cuMemAlloc of 381469 MiB, with .* MiB free' err
  16

Bytes that are no whole number of 16 are copied and compared to the last one:

  $ p2p --numElems=4099 --sm_copy | grep -c N/A
  0
  [1]

The driver's own order of GPUs is the tool's:

  $ FAKE_CUDA_ORDER=reverse p2p --numElems=0 | grep ^Device:
  Device: 0, NVIDIA H100 80GB HBM3, pciBusID: 2a, pciDeviceID: 0, pciDomainID:fa
  Device: 1, NVIDIA H100 80GB HBM3, pciBusID: 18, pciDeviceID: 0, pciDomainID:fa

Without a driver or a GPU there is one line, on standard output:

  $ WIRESPEED_CUDA_LIB=/none p2p
  Cuda failure p2pBandwidthLatencyTest: '/none: cannot open shared object file: No such file or directory from WIRESPEED_CUDA_LIB'
  [1]
  $ CUDA_VISIBLE_DEVICES= p2p | grep -c '^Cuda failure p2pBandwidthLatencyTest: .*CUDA_ERROR_NO_DEVICE'
  1

A cell that fails is said on standard error, and does not end the run:

  $ cp "$machines/h100.gpu" .
  $ cat >corrupt.machine <<END
  > include h100.gpu
  > gpus 2
  > fault corrupt 0->1
  > END
  $ FAKE_CUDA_MACHINE=corrupt.machine wirespeed as p2pBandwidthLatencyTest --numElems=50000 >out 2>err
  [1]
  $ sed -n '/^Unidirectional P2P=Enabled/,/^     1/p' out
  Unidirectional P2P=Enabled Bandwidth (P2P Writes) Matrix (GB/s)
     D\D     0      1 
       0 163.16    N/A 
       1  71.33 163.16 
  $ grep -c N/A out
  10
  $ grep 'Bandwidth (P2P Writes)' err | sed 's/expected.*//'
  wirespeed: Unidirectional P2P=Enabled Bandwidth (P2P Writes) Matrix (GB/s), 0 to 1: wrong data: 1 words differ, the first at byte 199996 of item 1: 
  $ tail -1 out
  NOTE: The CUDA Samples are not meant for performance measurements. Results may vary when GPU Boost is enabled.
  $ FAKE_CUDA_MODE=2 p2p --numElems=50000 | grep -c '   N/A'
  16

What is done otherwise than by the tool is said only if asked for:

  $ p2p --numElems=0 >out
  $ WIRESPEED_NOTES=1 p2p --numElems=0 | grep -c '^wirespeed: note: '
  4
