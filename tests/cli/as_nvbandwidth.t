nvbandwidth's text, for 1, 2, 4 and 8 GPUs: banner, matrices, sums, footer. The figures themselves are a fake's.

  $ fakes=$(dirname "$(command -v wirespeed)")/tests
  $ [ -e "$fakes/libcuda_fake.so" ] || . skip "no fake CUDA driver beside this binary"
  $ export WIRESPEED_CUDA_LIB=$fakes/libcuda_fake.so WIRESPEED_NVML_LIB=$fakes/libnvml_fake.so
  $ figures() { sed -E "s/wirespeed-.*/wirespeed-VERSION/; s/^$(hostname)\$/HOST/; /^(nvbandwidth|CUDA|Driver|COEFF)/!{:a;s/([0-9])([0-9]*\.[0-9]{2})( |\$)/#\2\3/;ta;s/#\.[0-9]{2}/#.##/g}"; }
  $ small='NOTE: You have chosen a buffer size that is smaller than the default buffer size.'
  $ nvbandwidth() { wirespeed as nvbandwidth "$@" 2>err | grep -v "^$small" | figures; grep -v '^SIMULATED: ' err; :; }
  $ results() { nvbandwidth -b 1 "$@" | sed '1,/^Driver/d' | sed '/^NOTE: The/,$d'; }

One GPU is listed, and what needs two is waived with the reason.

  $ FAKE_CUDA_GPUS=1 nvbandwidth -b 1 -t host_to_device_memcpy_ce device_to_device_memcpy_read_ce
  nvbandwidth Version: v0.10.0
  Built from Git version: wirespeed-VERSION
  
  CUDA Runtime Version: 13.0 (13000)
  CUDA Driver Version (API): 13.0 (13000)
  Driver Version: 580.0.0
  
  HOST
  Device 0: Fake GPU 0 (00000000:10:00)
  
  Running host_to_device_memcpy_ce.
  memcpy CE CPU(row) -> GPU(column) bandwidth (GB/s)
             0
   0     ##.##
  
  SUM host_to_device_memcpy_ce ##.##
  COEFFICIENT_OF_VARIATION host_to_device_memcpy_ce 0.00
  
  Waived: device_to_device_memcpy_read_ce: it takes two devices of a kind; there is one, or the options leave one
  NOTE: The reported results may not reflect the full capabilities of the platform.
  Performance can vary with software drivers, hardware clocks, and system topology.
  

The usual buffer has no line of its own.

  $ FAKE_CUDA_GPUS=1 wirespeed as nvbandwidth@0.9 -t 4 2>/dev/null | figures | sed -n '1p;$p' | cat -A
  nvbandwidth Version: v0.9$
  $

From 0.10 on several are not. A small buffer has its line before all others.

  $ wirespeed as nvbandwidth -b 1 -t 38 2>/dev/null | figures
  NOTE: You have chosen a buffer size that is smaller than the default buffer size. It is suggested to use the default buffer size (512MB) to achieve maximal peak bandwidth.
  nvbandwidth Version: v0.10.0
  Built from Git version: wirespeed-VERSION
  
  CUDA Runtime Version: 13.0 (13000)
  CUDA Driver Version (API): 13.0 (13000)
  Driver Version: 580.0.0
  
  Running device_local_copy.
  memcpy local GPU(column) bandwidth (GB/s)
             0         1
   0    ###.##    ###.##
  
  SUM device_local_copy ###.##
  COEFFICIENT_OF_VARIATION device_local_copy 0.00
  
  NOTE: The reported results may not reflect the full capabilities of the platform.
  Performance can vary with software drivers, hardware clocks, and system topology.
  
  $ wirespeed as nvbandwidth -b 1 -t 38 2>&1 >/dev/null
  SIMULATED: cuda is a fake, no figure of it is real

Two-way copies between GPUs have three matrices, and one coefficient of variation; a latency has none.

  $ FAKE_CUDA_GPUS=4 results -i 2 -s -t device_to_device_bidirectional_memcpy_read_ce device_to_device_latency_sm
  
  Running device_to_device_bidirectional_memcpy_read_ce.
  memcpy CE GPU(row) <-> GPU(column) Read1 bandwidth (GB/s)
             0         1         2         3
   0       N/A    ###.##    ###.##    ###.##
   1    ###.##       N/A    ###.##    ###.##
   2    ###.##    ###.##       N/A    ###.##
   3    ###.##    ###.##    ###.##       N/A
  
  SUM device_to_device_bidirectional_memcpy_read_ce_read1 ####.##
  
  memcpy CE GPU(row) <-> GPU(column) Read2 bandwidth (GB/s)
             0         1         2         3
   0       N/A    ###.##    ###.##    ###.##
   1    ###.##       N/A    ###.##    ###.##
   2    ###.##    ###.##       N/A    ###.##
   3    ###.##    ###.##    ###.##       N/A
  
  SUM device_to_device_bidirectional_memcpy_read_ce_read2 ####.##
  
  memcpy CE GPU(row) <-> GPU(column) Total bandwidth (GB/s)
             0         1         2         3
   0       N/A    ###.##    ###.##    ###.##
   1    ###.##       N/A    ###.##    ###.##
   2    ###.##    ###.##       N/A    ###.##
   3    ###.##    ###.##    ###.##       N/A
  
  SUM device_to_device_bidirectional_memcpy_read_ce_total ####.##
  COEFFICIENT_OF_VARIATION device_to_device_bidirectional_memcpy_read_ce_total 0.00
  
  Running device_to_device_latency_sm.
  Device to Device Latency SM GPU(row) <-> GPU(column) (ns)
             0         1         2         3
   0       N/A    ###.##    ###.##    ###.##
   1    ###.##       N/A    ###.##    ###.##
   2    ###.##    ###.##       N/A    ###.##
   3    ###.##    ###.##    ###.##       N/A
  
  SUM device_to_device_latency_sm ####.##
  

Eight GPUs.

  $ FAKE_CUDA_GPUS=8 results -i 2 -s -t 5 8
  
  Running device_to_device_memcpy_write_ce.
  memcpy CE GPU(row) <- GPU(column) bandwidth (GB/s)
             0         1         2         3         4         5         6         7
   0       N/A    ###.##    ###.##    ###.##    ###.##    ###.##    ###.##    ###.##
   1    ###.##       N/A    ###.##    ###.##    ###.##    ###.##    ###.##    ###.##
   2    ###.##    ###.##       N/A    ###.##    ###.##    ###.##    ###.##    ###.##
   3    ###.##    ###.##    ###.##       N/A    ###.##    ###.##    ###.##    ###.##
   4    ###.##    ###.##    ###.##    ###.##       N/A    ###.##    ###.##    ###.##
   5    ###.##    ###.##    ###.##    ###.##    ###.##       N/A    ###.##    ###.##
   6    ###.##    ###.##    ###.##    ###.##    ###.##    ###.##       N/A    ###.##
   7    ###.##    ###.##    ###.##    ###.##    ###.##    ###.##    ###.##       N/A
  
  SUM device_to_device_memcpy_write_ce #####.##
  COEFFICIENT_OF_VARIATION device_to_device_memcpy_write_ce 0.00
  
  Running all_to_host_memcpy_ce.
  memcpy CE CPU(row) <- GPU(column) bandwidth (GB/s)
             0         1         2         3         4         5         6         7
   0     ##.##     ##.##     ##.##     ##.##     ##.##     ##.##     ##.##     ##.##
  
  SUM all_to_host_memcpy_ce ###.##
  COEFFICIENT_OF_VARIATION all_to_host_memcpy_ce 0.00
  

One sample varies with nothing.

  $ results -i 1 -t 0 | tail -3
  
  SUM host_to_device_memcpy_ce ##.##
  

--pair leaves the row of the first GPU and its way to the second; tests that are not of pairs are as ever.

  $ one=GPU-00000000-0000-0000-0000-000000000001 two=GPU-00000000-0000-0000-0000-000000000002 four=gpu-
  $ four=GPU-00000000-0000-0000-0000-000000000004
  $ FAKE_CUDA_GPUS=4 results --pair $one $four -t 20 22 33 0 | grep -v -e COEFF -e '^$'
  Running device_to_device_memcpy_read_sm.
  memcpy SM GPU(row) -> GPU(column) bandwidth (GB/s)
             0         1         2         3
   0       N/A       N/A       N/A    ###.##
  SUM device_to_device_memcpy_read_sm ###.##
  Running device_to_device_bidirectional_memcpy_read_sm.
  memcpy SM GPU(row) <-> GPU(column) Read1 bandwidth (GB/s)
             0         1         2         3
   0       N/A       N/A       N/A    ###.##
  SUM device_to_device_bidirectional_memcpy_read_sm_read1 ###.##
  memcpy SM GPU(row) <-> GPU(column) Read2 bandwidth (GB/s)
             0         1         2         3
   0       N/A       N/A       N/A    ###.##
  SUM device_to_device_bidirectional_memcpy_read_sm_read2 ###.##
  memcpy SM GPU(row) <-> GPU(column) Total bandwidth (GB/s)
             0         1         2         3
   0       N/A       N/A       N/A    ###.##
  SUM device_to_device_bidirectional_memcpy_read_sm_total ###.##
  Running device_to_device_latency_sm.
  Device to Device Latency SM GPU(row) <-> GPU(column) (ns)
             0         1         2         3
   0       N/A       N/A       N/A    ###.##
  SUM device_to_device_latency_sm ###.##
  Running host_to_device_memcpy_ce.
  memcpy CE CPU(row) -> GPU(column) bandwidth (GB/s)
             0         1         2         3
   0     ##.##     ##.##     ##.##     ##.##
  SUM host_to_device_memcpy_ce ###.##
  $ FAKE_CUDA_GPUS=4 results --pair $four $two -t 21 | sed -n '4,5p'
             0         1         2         3
   3       N/A    ###.##       N/A       N/A

-v tells each sample, and least, greatest and mean.

  $ FAKE_CUDA_GPUS=2 results -v -i 2 -t host_to_device_bidirectional_memcpy_ce one_to_all_write_ce
  
  Running host_to_device_bidirectional_memcpy_ce.
  \tSample 0: Host -> Device 0: ##.## GB/s (esc)
  \tSample 0: Device 0 -> Host: ##.## GB/s (esc)
  \tSample 1: Host -> Device 0: ##.## GB/s (esc)
  \tSample 1: Device 0 -> Host: ##.## GB/s (esc)
  \tSample 0: Host -> Device 1: ##.## GB/s (esc)
  \tSample 0: Device 1 -> Host: ##.## GB/s (esc)
  \tSample 1: Host -> Device 1: ##.## GB/s (esc)
  \tSample 1: Device 1 -> Host: ##.## GB/s (esc)
  memcpy CE CPU(row) <-> GPU(column) bandwidth (GB/s)
             0         1
   0     ##.##     ##.##
  
  SUM host_to_device_bidirectional_memcpy_ce ##.##
  COEFFICIENT_OF_VARIATION host_to_device_bidirectional_memcpy_ce 0.00
  MIN host_to_device_bidirectional_memcpy_ce ##.##
  MAX host_to_device_bidirectional_memcpy_ce ##.##
  AVG host_to_device_bidirectional_memcpy_ce ##.##
  
  Running one_to_all_write_ce.
  \tSample 0: Device 0 -> Device 1: ###.## GB/s (esc)
  \tSample 0: Total Bandwidth : ###.## GB/s (esc)
  \tSample 1: Device 0 -> Device 1: ###.## GB/s (esc)
  \tSample 1: Total Bandwidth : ###.## GB/s (esc)
  \tSample 0: Device 1 -> Device 0: ###.## GB/s (esc)
  \tSample 0: Total Bandwidth : ###.## GB/s (esc)
  \tSample 1: Device 1 -> Device 0: ###.## GB/s (esc)
  \tSample 1: Total Bandwidth : ###.## GB/s (esc)
  memcpy CE GPU(row) -> GPU(column) bandwidth (GB/s)
             0         1
   0    ###.##    ###.##
  
  SUM one_to_all_write_ce ###.##
  COEFFICIENT_OF_VARIATION one_to_all_write_ce 0.00
  MIN one_to_all_write_ce ###.##
  MAX one_to_all_write_ce ###.##
  AVG one_to_all_write_ce ###.##
  

Lines for performance trackers.

  $ results -F perf -t 38 33 | grep PERF
  &&&& PERF device_local_copy ###.## +GB/s
  &&&& PERF device_to_device_latency_sm ####.## -ns

A test by name, number, twice, and one that is not there, as all multinode tests on one node.

  $ results -t 38 -t host_to_device_memcpy_ce 38 44 -t multinode_device_to_device_memcpy_read_ce | grep -e Running -e ERROR
  Running device_local_copy.
  Running host_to_device_memcpy_ce.
  Running device_local_copy.
  ERROR: Testcase index 44 out of bound!
  ERROR: Testcase multinode_device_to_device_memcpy_read_ce not found!
  $ results -p device_local host_device | grep Running
  Running host_device_latency_sm.
  Running device_local_copy.
  Running device_local_copy_sm.
  Running device_local_read_sm.
  Running device_local_write_sm.
  Running device_local_copy_tma.

What 0.9 does otherwise: versions as numbers, all GPUs, three coefficients over the cells, a least figure with what was
not measured as 0, no reason for a waiver.

  $ nvbandwidth9() { wirespeed as nvbandwidth@0.9 "$@" 2>/dev/null | figures; }
  $ nvbandwidth9 -b 1 -v -t device_local_copy | grep -v -e Sample -e "^$small"
  nvbandwidth Version: v0.9
  Built from Git version: wirespeed-VERSION
  
  CUDA Runtime Version: 13000
  CUDA Driver Version: 13000
  Driver Version: 580.0.0
  
  HOST
  Device 0: Fake GPU 0 (00000000:10:00)
  Device 1: Fake GPU 1 (00000000:11:00)
  
  Running device_local_copy.
  memcpy local GPU(column) bandwidth (GB/s)
             0         1
   0    ###.##    ###.##
  
  SUM device_local_copy ###.##
  COEFFICIENT_OF_VARIATION device_local_copy 0.00
  MIN device_local_copy ###.##
  MAX device_local_copy ###.##
  AVG device_local_copy ###.##
  
  NOTE: The reported results may not reflect the full capabilities of the platform.
  Performance can vary with software drivers, hardware clocks, and system topology.
  
  $ nvbandwidth9 -b 1 -v -t 7 33 | grep -o -e '^COEFF[A-Z_]*' -e 'MIN .*'
  COEFFICIENT_OF_VARIATION
  MIN device_to_device_bidirectional_memcpy_write_ce_write1 #.##
  COEFFICIENT_OF_VARIATION
  MIN device_to_device_bidirectional_memcpy_write_ce_write2 #.##
  COEFFICIENT_OF_VARIATION
  MIN device_to_device_bidirectional_memcpy_write_ce_total #.##
  COEFFICIENT_OF_VARIATION
  MIN device_to_device_latency_sm #.##
  $ FAKE_CUDA_GPUS=1 nvbandwidth9 -b 1 -t 4 | grep Waived | cat -A
  Waived: $
  $ nvbandwidth9 -b 1 --perfFormatter -t 34 | grep PERF
  &&&& PERF device_local_copy ###.## +GB/s

The driver's order of GPUs, which is not that of the bus.

  $ FAKE_CUDA_ORDER=reverse nvbandwidth9 -b 1 -t 34 | grep Device
  Device 0: Fake GPU 1 (00000000:11:00)
  Device 1: Fake GPU 0 (00000000:10:00)
