nvbandwidth's text, for 1, 2, 4 and 8 GPUs: banner, matrices, sums, footer. The figures are those of
machines that tests/fake/machines describes: a copy of 1 MiB by 55.5 GB/s that has 2.3 us for itself is 49.48 GB/s.

  $ fakes=$(dirname "$(command -v wirespeed)")/tests
  $ [ -e "$fakes/libcuda_fake.so" ] || . skip "no fake CUDA driver beside this binary"
  $ export WIRESPEED_CUDA_LIB=$fakes/libcuda_fake.so WIRESPEED_NVML_LIB=$fakes/libnvml_fake.so
  $ machines=$TESTDIR/../fake/machines
  $ export FAKE_CUDA_MACHINE=$machines/2gpu.machine
  $ names() { sed "s/wirespeed-.*/wirespeed-VERSION/; s/^$(hostname)\$/HOST/"; }
  $ small='NOTE: You have chosen a buffer size that is smaller than the default buffer size.'
  $ nvbandwidth() { wirespeed as nvbandwidth "$@" 2>err | grep -v "^$small" | names; grep -v '^SIMULATED: ' err; :; }
  $ results() { nvbandwidth -b 1 "$@" | sed '1,/^Driver/d' | sed '/^NOTE: The/,$d'; }

One GPU is listed, and what needs two is waived with the reason.

  $ FAKE_CUDA_MACHINE=$machines/1gpu.machine nvbandwidth -b 1 -t host_to_device_memcpy_ce device_to_device_memcpy_read_ce
  nvbandwidth Version: v0.10.0
  Built from Git version: wirespeed-VERSION
  
  CUDA Runtime Version: 13.0 (13000)
  CUDA Driver Version (API): 13.0 (13000)
  Driver Version: 580.95.05
  
  HOST
  Device 0: NVIDIA H100 80GB HBM3 (000000fa:18:00)
  
  Running host_to_device_memcpy_ce.
  memcpy CE CPU(row) -> GPU(column) bandwidth (GB/s)
             0
   0     49.48
  
  SUM host_to_device_memcpy_ce 49.48
  COEFFICIENT_OF_VARIATION host_to_device_memcpy_ce 0.00
  
  Waived: device_to_device_memcpy_read_ce: it takes two devices of a kind; there is one, or the options leave one
  NOTE: The reported results may not reflect the full capabilities of the platform.
  Performance can vary with software drivers, hardware clocks, and system topology.
  

The usual buffer has no line of its own.

  $ FAKE_CUDA_MACHINE=$machines/1gpu.machine wirespeed as nvbandwidth@0.9 -t 4 2>/dev/null | names | sed -n '1p;$p' | cat -A
  nvbandwidth Version: v0.9$
  $

From 0.10 on several are not. A small buffer has its line before all others.

  $ wirespeed as nvbandwidth -b 1 -t 38 2>/dev/null | names
  NOTE: You have chosen a buffer size that is smaller than the default buffer size. It is suggested to use the default buffer size (512MB) to achieve maximal peak bandwidth.
  nvbandwidth Version: v0.10.0
  Built from Git version: wirespeed-VERSION
  
  CUDA Runtime Version: 13.0 (13000)
  CUDA Driver Version (API): 13.0 (13000)
  Driver Version: 580.95.05
  
  Running device_local_copy.
  memcpy local GPU(column) bandwidth (GB/s)
             0         1
   0    338.87    338.87
  
  SUM device_local_copy 677.73
  COEFFICIENT_OF_VARIATION device_local_copy 0.00
  
  NOTE: The reported results may not reflect the full capabilities of the platform.
  Performance can vary with software drivers, hardware clocks, and system topology.
  
  $ wirespeed as nvbandwidth -b 1 -t 38 2>&1 >/dev/null
  SIMULATED: cuda is a fake, no figure of it is real

Two-way copies between GPUs have three matrices, and one coefficient of variation; a latency has none.

  $ FAKE_CUDA_MACHINE=$machines/4gpu.machine results -i 2 -s -t device_to_device_bidirectional_memcpy_read_ce device_to_device_latency_sm
  
  Running device_to_device_bidirectional_memcpy_read_ce.
  memcpy CE GPU(row) <-> GPU(column) Read1 bandwidth (GB/s)
             0         1         2         3
   0       N/A     66.46     66.46     66.46
   1     66.46       N/A     66.46     66.46
   2     66.46     66.46       N/A     66.46
   3     66.46     66.46     66.46       N/A
  
  SUM device_to_device_bidirectional_memcpy_read_ce_read1 797.48
  
  memcpy CE GPU(row) <-> GPU(column) Read2 bandwidth (GB/s)
             0         1         2         3
   0       N/A     66.46     66.46     66.46
   1     66.46       N/A     66.46     66.46
   2     66.46     66.46       N/A     66.46
   3     66.46     66.46     66.46       N/A
  
  SUM device_to_device_bidirectional_memcpy_read_ce_read2 797.48
  
  memcpy CE GPU(row) <-> GPU(column) Total bandwidth (GB/s)
             0         1         2         3
   0       N/A    132.91    132.91    132.91
   1    132.91       N/A    132.91    132.91
   2    132.91    132.91       N/A    132.91
   3    132.91    132.91    132.91       N/A
  
  SUM device_to_device_bidirectional_memcpy_read_ce_total 1594.96
  COEFFICIENT_OF_VARIATION device_to_device_bidirectional_memcpy_read_ce_total 0.00
  
  Running device_to_device_latency_sm.
  Device to Device Latency SM GPU(row) <-> GPU(column) (ns)
             0         1         2         3
   0       N/A    891.50    891.50    891.50
   1    891.50       N/A    891.50    891.50
   2    891.50    891.50       N/A    891.50
   3    891.50    891.50    891.50       N/A
  
  SUM device_to_device_latency_sm 10698.00
  

Eight GPUs.

  $ FAKE_CUDA_MACHINE=$machines/8gpu.machine results -i 2 -s -t 5 8
  
  Running device_to_device_memcpy_write_ce.
  memcpy CE GPU(row) <- GPU(column) bandwidth (GB/s)
             0         1         2         3         4         5         6         7
   0       N/A    212.18    212.18    212.18    212.18    212.18    212.18    212.18
   1    212.18       N/A    212.18    212.18    212.18    212.18    212.18    212.18
   2    212.18    212.18       N/A    212.18    212.18    212.18    212.18    212.18
   3    212.18    212.18    212.18       N/A    212.18    212.18    212.18    212.18
   4    212.18    212.18    212.18    212.18       N/A    212.18    212.18    212.18
   5    212.18    212.18    212.18    212.18    212.18       N/A    212.18    212.18
   6    212.18    212.18    212.18    212.18    212.18    212.18       N/A    212.18
   7    212.18    212.18    212.18    212.18    212.18    212.18    212.18       N/A
  
  SUM device_to_device_memcpy_write_ce 11882.03
  COEFFICIENT_OF_VARIATION device_to_device_memcpy_write_ce 0.00
  
  Running all_to_host_memcpy_ce.
  memcpy CE CPU(row) <- GPU(column) bandwidth (GB/s)
             0         1         2         3         4         5         6         7
   0     45.27     45.27     45.27     45.27     45.27     45.27     45.27     45.27
  
  SUM all_to_host_memcpy_ce 362.13
  COEFFICIENT_OF_VARIATION all_to_host_memcpy_ce 0.00
  

One sample varies with nothing.

  $ results -i 1 -t 0 | tail -3
  
  SUM host_to_device_memcpy_ce 98.95
  

--pair leaves the row of the first GPU and its way to the second; tests that are not of pairs are as ever.

  $ uuid=GPU-6a1f0c53-9d0e-4e6b-8000-00000000000
  $ FAKE_CUDA_MACHINE=$machines/4gpu.machine results --pair ${uuid}0 ${uuid}3 -t 20 22 33 0 | grep -v -e COEFF -e '^$'
  Running device_to_device_memcpy_read_sm.
  memcpy SM GPU(row) -> GPU(column) bandwidth (GB/s)
             0         1         2         3
   0       N/A       N/A       N/A    250.42
  SUM device_to_device_memcpy_read_sm 250.42
  Running device_to_device_bidirectional_memcpy_read_sm.
  memcpy SM GPU(row) <-> GPU(column) Read1 bandwidth (GB/s)
             0         1         2         3
   0       N/A       N/A       N/A    248.14
  SUM device_to_device_bidirectional_memcpy_read_sm_read1 248.14
  memcpy SM GPU(row) <-> GPU(column) Read2 bandwidth (GB/s)
             0         1         2         3
   0       N/A       N/A       N/A    248.14
  SUM device_to_device_bidirectional_memcpy_read_sm_read2 248.14
  memcpy SM GPU(row) <-> GPU(column) Total bandwidth (GB/s)
             0         1         2         3
   0       N/A       N/A       N/A    496.28
  SUM device_to_device_bidirectional_memcpy_read_sm_total 496.28
  Running device_to_device_latency_sm.
  Device to Device Latency SM GPU(row) <-> GPU(column) (ns)
             0         1         2         3
   0       N/A       N/A       N/A    891.50
  SUM device_to_device_latency_sm 891.50
  Running host_to_device_memcpy_ce.
  memcpy CE CPU(row) -> GPU(column) bandwidth (GB/s)
             0         1         2         3
   0     49.48     49.48     49.48     49.48
  SUM host_to_device_memcpy_ce 197.91
  $ FAKE_CUDA_MACHINE=$machines/4gpu.machine results --pair ${uuid}3 ${uuid}1 -t 21 | sed -n '4,5p'
             0         1         2         3
   3       N/A    247.61       N/A       N/A

-v tells each sample, and least, greatest and mean.

  $ results -v -i 2 -t host_to_device_bidirectional_memcpy_ce one_to_all_write_ce
  
  Running host_to_device_bidirectional_memcpy_ce.
  \tSample 0: Host -> Device 0: 46.82 GB/s (esc)
  \tSample 0: Device 0 -> Host: 50.36 GB/s (esc)
  \tSample 1: Host -> Device 0: 46.82 GB/s (esc)
  \tSample 1: Device 0 -> Host: 50.36 GB/s (esc)
  \tSample 0: Host -> Device 1: 46.82 GB/s (esc)
  \tSample 0: Device 1 -> Host: 50.36 GB/s (esc)
  \tSample 1: Host -> Device 1: 46.82 GB/s (esc)
  \tSample 1: Device 1 -> Host: 50.36 GB/s (esc)
  memcpy CE CPU(row) <-> GPU(column) bandwidth (GB/s)
             0         1
   0     46.82     46.82
  
  SUM host_to_device_bidirectional_memcpy_ce 93.63
  COEFFICIENT_OF_VARIATION host_to_device_bidirectional_memcpy_ce 0.00
  MIN host_to_device_bidirectional_memcpy_ce 46.82
  MAX host_to_device_bidirectional_memcpy_ce 46.82
  AVG host_to_device_bidirectional_memcpy_ce 46.82
  
  Running one_to_all_write_ce.
  \tSample 0: Device 0 -> Device 1: 212.18 GB/s (esc)
  \tSample 0: Total Bandwidth : 212.18 GB/s (esc)
  \tSample 1: Device 0 -> Device 1: 212.18 GB/s (esc)
  \tSample 1: Total Bandwidth : 212.18 GB/s (esc)
  \tSample 0: Device 1 -> Device 0: 212.18 GB/s (esc)
  \tSample 0: Total Bandwidth : 212.18 GB/s (esc)
  \tSample 1: Device 1 -> Device 0: 212.18 GB/s (esc)
  \tSample 1: Total Bandwidth : 212.18 GB/s (esc)
  memcpy CE GPU(row) -> GPU(column) bandwidth (GB/s)
             0         1
   0    212.18    212.18
  
  SUM one_to_all_write_ce 424.36
  COEFFICIENT_OF_VARIATION one_to_all_write_ce 0.00
  MIN one_to_all_write_ce 212.18
  MAX one_to_all_write_ce 212.18
  AVG one_to_all_write_ce 212.18
  

Lines for performance trackers.

  $ results -F perf -t 38 33 | grep PERF
  &&&& PERF device_local_copy 677.73 +GB/s
  &&&& PERF device_to_device_latency_sm 1783.00 -ns

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

  $ nvbandwidth9() { wirespeed as nvbandwidth@0.9 "$@" 2>/dev/null | names; }
  $ nvbandwidth9 -b 1 -v -t device_local_copy | grep -v -e Sample -e "^$small"
  nvbandwidth Version: v0.9
  Built from Git version: wirespeed-VERSION
  
  CUDA Runtime Version: 13000
  CUDA Driver Version: 13000
  Driver Version: 580.95.05
  
  HOST
  Device 0: NVIDIA H100 80GB HBM3 (000000fa:18:00)
  Device 1: NVIDIA H100 80GB HBM3 (000000fa:2a:00)
  
  Running device_local_copy.
  memcpy local GPU(column) bandwidth (GB/s)
             0         1
   0    338.87    338.87
  
  SUM device_local_copy 677.73
  COEFFICIENT_OF_VARIATION device_local_copy 0.00
  MIN device_local_copy 338.87
  MAX device_local_copy 338.87
  AVG device_local_copy 338.87
  
  NOTE: The reported results may not reflect the full capabilities of the platform.
  Performance can vary with software drivers, hardware clocks, and system topology.
  
  $ nvbandwidth9 -b 1 -v -t 7 33 | grep -o -e '^COEFF[A-Z_]*' -e 'MIN .*'
  COEFFICIENT_OF_VARIATION
  MIN device_to_device_bidirectional_memcpy_write_ce_write1 0.00
  COEFFICIENT_OF_VARIATION
  MIN device_to_device_bidirectional_memcpy_write_ce_write2 0.00
  COEFFICIENT_OF_VARIATION
  MIN device_to_device_bidirectional_memcpy_write_ce_total 0.00
  COEFFICIENT_OF_VARIATION
  MIN device_to_device_latency_sm 0.00
  $ FAKE_CUDA_MACHINE=$machines/1gpu.machine nvbandwidth9 -b 1 -t 4 | grep Waived | cat -A
  Waived: $
  $ nvbandwidth9 -b 1 --perfFormatter -t 34 | grep PERF
  &&&& PERF device_local_copy 677.73 +GB/s

Which way is slow: to the host from GPU 0, and from GPU 1 to GPU 0. A read is in the row of the GPU where it ends, a write
in that of the GPU where it begins.

  $ FAKE_CUDA_MACHINE=$machines/slow_direction.machine results -t 0 1 4 5 -i 1 | grep -e '^ [01]'
   0     49.48     49.48
   0     26.07     49.32
   0       N/A     57.04
   1     66.61       N/A
   0       N/A    212.18
   1    138.27       N/A

The coefficient of variation is that of the sums of samples from 0.10 on, and of the cells before; medians or means of the
samples are the figures. Python makes the same of the samples.

  $ cp "$machines"/h100.gpu "$machines"/2gpu.machine .
  $ printf 'include 2gpu.machine\nnoise seed=4 percent=20\ngpu 1 pcie_width 8\ngpu 1 up 0\n' >noisy.machine
  $ cat >again.py <<END
  > import re, statistics, sys
  > version, figure = sys.argv[1], getattr(statistics, sys.argv[2])
  > samples, lines = {}, sys.stdin.read().splitlines()
  > for line in lines:
  >     match = re.match(r"\tSample (\d+): Host -> Device (\d+): (\S+) GB/s", line)
  >     if match:
  >         samples.setdefault(int(match[2]), []).append(float(match[3]))
  > cells = [figure(samples[gpu]) for gpu in sorted(samples)]
  > sums = [sum(values) for values in zip(*samples.values())]
  > runs, spread = statistics.stdev(sums) / statistics.mean(sums), statistics.pstdev(cells) / statistics.mean(cells)
  > def near(name, value, within):
  >     found = [float(line.split()[-1]) for line in lines if line.startswith(name + " ")][0]
  >     print(name, "as python" if abs(found - value) <= within else (found, value))
  > near("SUM", sum(cells), 0.0151)
  > near("COEFFICIENT_OF_VARIATION", runs if version == "0.10" else spread, 0.0055)
  > print("they differ" if abs(runs - spread) > 0.1 else (runs, spread))
  > END
  $ export FAKE_CUDA_MACHINE=$PWD/noisy.machine
  $ for version in 0.10 0.9; do
  >   wirespeed as nvbandwidth@$version -b 1 -v -i 5 -t 0 2>/dev/null | /usr/bin/python3 again.py $version median
  >   wirespeed as nvbandwidth@$version -b 1 -v -i 5 -t 0 -m 2>/dev/null | /usr/bin/python3 again.py $version mean
  > done | sort | uniq -c
        4 COEFFICIENT_OF_VARIATION as python
        4 SUM as python
        4 they differ
  $ FAKE_CUDA_MACHINE=$machines/2gpu.machine

The driver's order of GPUs, which is not that of the bus.

  $ FAKE_CUDA_ORDER=reverse nvbandwidth9 -b 1 -t 34 | grep Device
  Device 0: NVIDIA H100 80GB HBM3 (000000fa:2a:00)
  Device 1: NVIDIA H100 80GB HBM3 (000000fa:18:00)

With huge pages, -v says where they are:

  $ results -v -H -t 0 2 | grep -a -A1 '^Allocated' | sed 's/0x[0-9a-f]*/ADDRESS/g' | head -5
  Allocated THP memory [ADDRESS, ADDRESS) size 1048576
  \tSample 0: Host -> Device 0: 49.48 GB/s (esc)
  --
  Allocated THP memory [ADDRESS, ADDRESS) size 1048576
  \tSample 0: Host -> Device 1: 49.48 GB/s (esc)
  $ results -v -t 0 | grep -c '^Allocated'
  0
  [1]
  $ results -H -t 0 | grep -c '^Allocated'
  0
  [1]
