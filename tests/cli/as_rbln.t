rblnBandwidthLatencyTest: every test case, field by field as in the samples of its pages. The figures are a fake's.

  $ fakes=$(dirname "$(command -v wirespeed)")/tests
  $ [ -e "$fakes/libcuda_fake.so" ] || . skip "no fake CUDA driver beside this binary"
  $ export WIRESPEED_CUDA_LIB=$fakes/libcuda_fake.so WIRESPEED_NVML_LIB=$fakes/libnvml_fake.so WIRESPEED_OPENCL_LIB=/none
  $ machines=$TESTDIR/../fake/machines
  $ gpus() { export FAKE_CUDA_MACHINE=$machines/$1gpu.machine; }
  $ rbln() { wirespeed as rblnBandwidthLatencyTest "$@" 2>err; code=$?; grep -v '^SIMULATED: cuda is a fake' err; echo "code $code"; }
  $ bare() { rbln --skip_test_env_info --test_size 64K "$@" | sed '1,/^P2P/d;/^===/d;/^\[ /d;/^code/d' | sed '1,/^$/d'; }
  $ gpus 2

The sample of test case 3; a size has a line in front only if it was given.

  $ rbln --tc 3 --npu_id_list 0,1 --iteration_cnt 1 --test_size 1M --skip_test_env_info
  This test will run with size (0x100000)
  ==============================================================================
  [      Run ] : RBLN_PERF_BANDWIDTH_TEST
  ==============================================================================
  
  [Measure Iteration cnt : 1]
  [Measure Buffer Size : 0x100000]
  
  P2P Connectivity Distance
  cuda0       0   -
  cuda1       -   0
  
  ---------------------------------
  Device bandwidth (GB/s) *Write
  ---------------------------------
  [H2D] HOST -> cuda0 : MAX 49.48, MIN 49.48, AVG 49.48
  [D2D] cuda0 -> cuda1 : MAX 212.18, MIN 212.18, AVG 212.18
  [D2H] cuda1 -> HOST : MAX 49.32, MIN 49.32, AVG 49.32
  
  ==============================================================================
  [     PASS ] : RBLN_PERF_BANDWIDTH_TEST
  ==============================================================================
  code 0

The sample of test case 4.

  $ rbln --tc 4 --npu_id_list 0,1 --skip_test_env_info
  ==============================================================================
  [      Run ] : RBLN_PERF_LATENCY_TEST
  ==============================================================================
  
  [Measure Iteration cnt : 1]
  [Measure Buffer Size : 0x20000000]
  
  P2P Connectivity Distance
  cuda0       0   -
  cuda1       -   0
  
  ---------------------------------
  Device P2P sync latency (us)
  ---------------------------------
  cuda0 -> cuda1 0.78 (us)
  
  ==============================================================================
  [     PASS ] : RBLN_PERF_LATENCY_TEST
  ==============================================================================
  code 0

The sample of the default run, with the machine in front.

  $ rbln -i 2 --test_size=256K --warmup | sed 's/^CPU : .*, Vendor ID : .*/CPU : NAME, Vendor ID : VENDOR/'
  This test will run with size (0x40000)
  CPU : NAME, Vendor ID : VENDOR
  Device :
  00fa:18:00.0 NODE 0, cuda0, NVIDIA H100 80GB HBM3(rev--), pciDevID: -, NUMA: -, IOMMU: -
  00fa:2a:00.0 NODE 1, cuda1, NVIDIA H100 80GB HBM3(rev--), pciDevID: -, NUMA: -, IOMMU: -
  ==============================================================================
  [      Run ] : RBLN_PERF_TEST_ALL
  ==============================================================================
  
  [Measure Iteration cnt : 2]
  [Measure Buffer Size : 0x40000]
  
  P2P Connectivity Distance
  cuda0  0  -
  cuda1  -  0
  
  Device Write bandwidth (GB/s)
  S \\ D  HOST  cuda0  cuda1
  HOST   0.00  37.33  37.33
  cuda0 37.24   0.00  88.56
  cuda1 37.24  88.56   0.00
  
  Device P2P sync latency (us)
  cuda0 -> cuda1 0.78 (us)
  cuda1 -> cuda0 0.78 (us)
  
  ==============================================================================
  [     PASS ] : RBLN_PERF_TEST_ALL
  ==============================================================================
  code 0

Lists need no device, and neither does help.

  $ WIRESPEED_CUDA_LIB=/none rbln --test_list
  List of tests:
  RBLN_PERF_TEST_ALL
  RBLN_PERF_BANDWIDTH_TEST_ALL
  RBLN_PERF_LATENCY_TEST_ALL
  RBLN_PERF_BANDWIDTH_TEST
  RBLN_PERF_LATENCY_TEST
  RBLN_PERF_BIDIR_BANDWIDTH_TEST
  RBLN_PERF_PARALLEL_BANDWIDTH_TEST
  code 0
  $ WIRESPEED_CUDA_LIB=/none rbln -h | grep '^  ' | grep -v -- '--tc <id>' | grep -o -e ' -[a-z],* .*<[a-z]*>' -e ' -[a-z], --[a-z_]*' -e ' --[a-z_0-9]*\( <[a-z]*>\)*' | sort
   --data_pattern <int>
   --get_perf <int>
   --npu_id_list <list>
   --numa_node <int>
   --only_d2d
   --priority <int>
   --skip_test_env_info
   --tc <int>
   --test_env_info
   --test_list
   --test_size <str>
   --warmup
   -f, --flags <int>
   -g <int>
   -h, --help
   -i, --iteration_cnt <int>
   -n, --device_name <int>
   -r, --hdma_read <int>
   -t, --timeout <int>

The machine, with its links; this one's are a fake's, of which the system knows nothing.

  $ rbln --test_env_info | tail -n +2
  Device :
  00fa:18:00.0 NODE 0, cuda0, NVIDIA H100 80GB HBM3(rev--), pciDevID: -, NUMA: -, IOMMU: -
                                     PCIe full bandwidth - GB/s (MAX: -), PCIe Gen - (MAX: -), - lane (MAX: -)
                                     MaxPayload - bytes, MaxReadReq - bytes
  00fa:2a:00.0 NODE 1, cuda1, NVIDIA H100 80GB HBM3(rev--), pciDevID: -, NUMA: -, IOMMU: -
                                     PCIe full bandwidth - GB/s (MAX: -), PCIe Gen - (MAX: -), - lane (MAX: -)
                                     MaxPayload - bytes, MaxReadReq - bytes
  code 0

Bandwidth alone and latency alone; the receiver reads; between devices only.

  $ bare --tc 1
  Device Write bandwidth (GB/s)
  S \\ D  HOST  cuda0  cuda1
  HOST   0.00  18.83  18.83
  cuda0 18.81   0.00  26.59
  cuda1 18.81  26.59   0.00
  
  $ bare --tc 1 -r 1 --only_d2d
  Device Read bandwidth (GB/s)
  S \\ D  cuda0  cuda1
  cuda0   0.00   4.94
  cuda1   4.94   0.00
  
  $ bare --tc 2
  Device P2P sync latency (us)
  cuda0 -> cuda1 0.78 (us)
  cuda1 -> cuda0 0.78 (us)
  
  $ bare --tc 3 -r1
  ---------------------------------
  Device bandwidth (GB/s) *Read
  ---------------------------------
  [H2D] HOST -> cuda0 : MAX 18.83, MIN 18.83, AVG 18.83
  [D2D] cuda0 -> cuda1 : MAX 4.94, MIN 4.94, AVG 4.94
  [D2H] cuda1 -> HOST : MAX 18.81, MIN 18.81, AVG 18.81
  

Both ways at once, and all at once.

  $ bare --tc 5
  ---------------------------------
  Device bidirectional bandwidth (GB/s) *Write
  ---------------------------------
  [H2D+D2H] HOST <-> cuda0 : MAX 36.82, MIN 36.82, AVG 36.82
  [H2D+D2H] HOST <-> cuda1 : MAX 36.82, MIN 36.82, AVG 36.82
  [D2D] cuda0 <-> cuda1 : MAX 53.13, MIN 53.13, AVG 53.13
  
  $ bare --tc 6
  ---------------------------------
  Device parallel bandwidth (GB/s) *Write
  ---------------------------------
  [H2D] HOST -> cuda0 : MAX 18.83, MIN 18.83, AVG 18.83
  [H2D] HOST -> cuda1 : MAX 18.83, MIN 18.83, AVG 18.83
  [H2D] TOTAL : MAX 37.65, MIN 37.65, AVG 37.65
  [D2D] cuda0 -> cuda1 : MAX 26.57, MIN 26.57, AVG 26.57
  [D2D] cuda1 -> cuda0 : MAX 26.57, MIN 26.57, AVG 26.57
  [D2D] TOTAL : MAX 53.13, MIN 53.13, AVG 53.13
  [D2H] cuda0 -> HOST : MAX 18.81, MIN 18.81, AVG 18.81
  [D2H] cuda1 -> HOST : MAX 18.81, MIN 18.81, AVG 18.81
  [D2H] TOTAL : MAX 37.61, MIN 37.61, AVG 37.61
  

One device has no other; what needs two fails, and says so.

  $ gpus 1
  $ bare
  Device Write bandwidth (GB/s)
  S \\ D  HOST  cuda0
  HOST   0.00  18.83
  cuda0 18.81   0.00
  
  Device P2P sync latency (us)
  
  $ bare --tc 3
  ---------------------------------
  Device bandwidth (GB/s) *Write
  ---------------------------------
  [H2D] HOST -> cuda0 : MAX 18.83, MIN 18.83, AVG 18.83
  [D2H] cuda0 -> HOST : MAX 18.81, MIN 18.81, AVG 18.81
  
  $ bare --tc 5
  ---------------------------------
  Device bidirectional bandwidth (GB/s) *Write
  ---------------------------------
  [H2D+D2H] HOST <-> cuda0 : MAX 36.82, MIN 36.82, AVG 36.82
  
  $ bare --tc 6
  ---------------------------------
  Device parallel bandwidth (GB/s) *Write
  ---------------------------------
  [H2D] HOST -> cuda0 : MAX 18.83, MIN 18.83, AVG 18.83
  [H2D] TOTAL : MAX 18.83, MIN 18.83, AVG 18.83
  [D2H] cuda0 -> HOST : MAX 18.81, MIN 18.81, AVG 18.81
  [D2H] TOTAL : MAX 18.81, MIN 18.81, AVG 18.81
  
  $ for tc in 2 4; do rbln --tc $tc --skip_test_env_info | tail -n 5; done
  ==============================================================================
  [     FAIL ] : RBLN_PERF_LATENCY_TEST_ALL
  ==============================================================================
  rblnBandwidthLatencyTest: RBLN_PERF_LATENCY_TEST_ALL: it takes two NPUs, and there is one or the options leave one
  code 1
  ==============================================================================
  [     FAIL ] : RBLN_PERF_LATENCY_TEST
  ==============================================================================
  rblnBandwidthLatencyTest: RBLN_PERF_LATENCY_TEST: it takes two NPUs, and there is one or the options leave one
  code 1

Eight of them: the first one and the others, and each with each. Distances have a row for those that take part, and a column for all.

  $ gpus 8
  $ bare --tc 3 --only_d2d
  ---------------------------------
  Device bandwidth (GB/s) *Write
  ---------------------------------
  [D2D] cuda0 -> cuda1 : MAX 26.59, MIN 26.59, AVG 26.59
  [D2D] cuda0 -> cuda2 : MAX 26.59, MIN 26.59, AVG 26.59
  [D2D] cuda0 -> cuda3 : MAX 26.59, MIN 26.59, AVG 26.59
  [D2D] cuda0 -> cuda4 : MAX 26.59, MIN 26.59, AVG 26.59
  [D2D] cuda0 -> cuda5 : MAX 26.59, MIN 26.59, AVG 26.59
  [D2D] cuda0 -> cuda6 : MAX 26.59, MIN 26.59, AVG 26.59
  [D2D] cuda0 -> cuda7 : MAX 26.59, MIN 26.59, AVG 26.59
  
  $ rbln --tc 4 --npu_id_list 5,2,7 --skip_test_env_info | sed -n '/^P2P/,/^$/p;/ -> /p'
  P2P Connectivity Distance
  cuda5       -   -   -   -   -   0   -   -
  cuda2       -   -   0   -   -   -   -   -
  cuda7       -   -   -   -   -   -   -   0
  
  cuda5 -> cuda2 0.78 (us)
  cuda5 -> cuda7 0.78 (us)
  $ bare --tc 0 | sed '/->/d'
  Device Write bandwidth (GB/s)
  S \\ D  HOST  cuda0  cuda1  cuda2  cuda3  cuda4  cuda5  cuda6  cuda7
  HOST   0.00  18.83  18.83  18.83  18.83  18.83  18.83  18.83  18.83
  cuda0 18.81   0.00  26.59  26.59  26.59  26.59  26.59  26.59  26.59
  cuda1 18.81  26.59   0.00  26.59  26.59  26.59  26.59  26.59  26.59
  cuda2 18.81  26.59  26.59   0.00  26.59  26.59  26.59  26.59  26.59
  cuda3 18.81  26.59  26.59  26.59   0.00  26.59  26.59  26.59  26.59
  cuda4 18.81  26.59  26.59  26.59  26.59   0.00  26.59  26.59  26.59
  cuda5 18.81  26.59  26.59  26.59  26.59  26.59   0.00  26.59  26.59
  cuda6 18.81  26.59  26.59  26.59  26.59  26.59  26.59   0.00  26.59
  cuda7 18.81  26.59  26.59  26.59  26.59  26.59  26.59  26.59   0.00
  
  Device P2P sync latency (us)
  
  $ bare --tc 2 | grep -c '^cuda[0-7] -> cuda[0-7] 0\.78 (us)$'
  56
  $ bare --tc 5 --only_d2d | grep -c '^\[D2D\] cuda[0-7] <-> cuda[0-7] : MAX 53.13, MIN 53.13, AVG 53.13$'
  28
  $ bare --tc 6 | grep -c '^\[...\] .* : MAX [0-9.]*, MIN [0-9.]*, AVG [0-9.]*$'
  27

A link of the program with the tool's name is that tool.

  $ ln -s "$(command -v wirespeed)" rblnBandwidthLatencyTest && ./rblnBandwidthLatencyTest --test_list | head -n 1
  List of tests:
  $ wirespeed as rblnBandwidthLatencyTest@2 --test_list
  wirespeed: rblnBandwidthLatencyTest: version "2" is not spoken; allowed: none
  [64]
