rblnBandwidthLatencyTest: what its options do, what is wrong with them, and what is wrong with devices.

  $ fakes=$(dirname "$(command -v wirespeed)")/tests
  $ [ -e "$fakes/libcuda_fake.so" ] || . skip "no fake CUDA driver beside this binary"
  $ export WIRESPEED_CUDA_LIB=$fakes/libcuda_fake.so WIRESPEED_NVML_LIB=$fakes/libnvml_fake.so WIRESPEED_OPENCL_LIB=/none
  $ export FAKE_CUDA_MACHINE=$TESTDIR/../fake/machines/4gpu.machine
  $ rbln() { wirespeed as rblnBandwidthLatencyTest "$@" 2>err; code=$?; grep -v '^SIMULATED: cuda is a fake' err; [ $code = 0 ] || echo "code $code"; }
  $ bare() { rbln --skip_test_env_info --test_size 64K "$@" | sed '1,/^P2P/d;/^===/d;/^---/d' | sed '1,/^$/d;/^$/d'; }

Arguments by what may be wrong with them.

  $ wrong() { rbln "$@" | sed 's/^rblnBandwidthLatencyTest: //'; }
  $ for word in '' 0 -1 5x 1.5 86401 99999999999999999999; do wrong -t "$word"; done
  --timeout: "" is not allowed; allowed are whole numbers from 1 to 86400
  code 2
  --timeout: "0" is not allowed; allowed are whole numbers from 1 to 86400
  code 2
  --timeout: "-1" is not allowed; allowed are whole numbers from 1 to 86400
  code 2
  --timeout: "5x" is not allowed; allowed are whole numbers from 1 to 86400
  code 2
  --timeout: "1.5" is not allowed; allowed are whole numbers from 1 to 86400
  code 2
  --timeout: "86401" is not allowed; allowed are whole numbers from 1 to 86400
  code 2
  --timeout: "99999999999999999999" is not allowed; allowed are whole numbers from 1 to 86400
  code 2
  $ for option in '-i 0' '-i x' '--iteration_cnt=100001' '--tc 7' '--tc -1' '--tc all' '-n -1' '-n cuda0' '--get_perf 3' '--get_perf 0' '--priority 5' '-r 2' '--numa_node -2' '--data_pattern 0x' '--data_pattern 4294967296' '--data_pattern z' '-f x' '-g x'; do wrong $option; done | grep -v '^code 2$'
  --iteration_cnt: "0" is not allowed; allowed are whole numbers from 1 to 100000
  --iteration_cnt: "x" is not allowed; allowed are whole numbers from 1 to 100000
  --iteration_cnt: "100001" is not allowed; allowed are whole numbers from 1 to 100000
  --tc: "7" is not allowed; allowed are whole numbers from 0 to 6
  --tc: "-1" is not allowed; allowed are whole numbers from 0 to 6
  --tc: "all" is not allowed; allowed are whole numbers from 0 to 6
  --device_name: "-1" is not allowed; allowed are whole numbers from 0 to 63
  --device_name: "cuda0" is not allowed; allowed are whole numbers from 0 to 63
  --get_perf: "3" is not allowed; allowed are whole numbers from 1 to 2
  --get_perf: "0" is not allowed; allowed are whole numbers from 1 to 2
  --priority: "5" is not allowed; allowed are whole numbers from 0 to 4
  --hdma_read: "2" is not allowed; allowed are whole numbers from 0 to 1
  --numa_node: "-2" is not allowed; allowed are whole numbers from -1 to 2147483647
  --data_pattern: "0x" is not allowed; allowed are whole numbers from -2147483648 to 4294967295
  --data_pattern: "4294967296" is not allowed; allowed are whole numbers from -2147483648 to 4294967295
  --data_pattern: "z" is not allowed; allowed are whole numbers from -2147483648 to 4294967295
  --flags: "x" is not allowed; allowed are whole numbers from -2147483648 to 4294967295
  -g: "x" is not allowed; allowed are whole numbers from -2147483648 to 2147483647
  $ for size in 0 -4K 4X 1.5M '' 4P 2048T 99999999999T; do wrong --test_size "$size"; done | grep -v '^code 2$'
  --test_size: "0" is not allowed; allowed are sizes from 1 to 1024T, such as 4K, 128M or 1G
  --test_size: "-4K" is not allowed; allowed are sizes from 1 to 1024T, such as 4K, 128M or 1G
  --test_size: "4X" is not allowed; allowed are sizes from 1 to 1024T, such as 4K, 128M or 1G
  --test_size: "1.5M" is not allowed; allowed are sizes from 1 to 1024T, such as 4K, 128M or 1G
  --test_size: "" is not allowed; allowed are sizes from 1 to 1024T, such as 4K, 128M or 1G
  --test_size: "4P" is not allowed; allowed are sizes from 1 to 1024T, such as 4K, 128M or 1G
  --test_size: "2048T" is not allowed; allowed are sizes from 1 to 1024T, such as 4K, 128M or 1G
  --test_size: "99999999999T" is not allowed; allowed are sizes from 1 to 1024T, such as 4K, 128M or 1G
  $ for list in '' , 0, ,1 0,,1 0,0 0-3 cuda0 64 0,99999999; do wrong --npu_id_list "$list"; done | grep -v '^code 2$'
  --npu_id_list: "" is not allowed; allowed are numbers of NPUs, each once, such as 0,1,2
  --npu_id_list: "," is not allowed; allowed are numbers of NPUs, each once, such as 0,1,2
  --npu_id_list: "0," is not allowed; allowed are numbers of NPUs, each once, such as 0,1,2
  --npu_id_list: ",1" is not allowed; allowed are numbers of NPUs, each once, such as 0,1,2
  --npu_id_list: "0,,1" is not allowed; allowed are numbers of NPUs, each once, such as 0,1,2
  --npu_id_list: "0,0" is not allowed; allowed are numbers of NPUs, each once, such as 0,1,2
  --npu_id_list: "0-3" is not allowed; allowed are numbers of NPUs, each once, such as 0,1,2
  --npu_id_list: "cuda0" is not allowed; allowed are numbers of NPUs, each once, such as 0,1,2
  --npu_id_list: "64" is not allowed; allowed are numbers of NPUs, each once, such as 0,1,2
  --npu_id_list: "0,99999999" is not allowed; allowed are numbers of NPUs, each once, such as 0,1,2

Words that are no option, options without their value, and values that an option does not take.

  $ wrong --test_siez 4K
  unknown option "--test_siez"; did you mean "test_size"?; see: rblnBandwidthLatencyTest --help
  code 2
  $ wrong -x
  unknown option "-x"; see: rblnBandwidthLatencyTest --help
  code 2
  $ wrong 4K
  no argument is allowed here: "4K"; see: rblnBandwidthLatencyTest --help
  code 2
  $ wrong --tc
  --tc needs a value: <int>
  code 2
  $ wrong --warmup=yes
  --warmup takes no value, not "yes"
  code 2

What contradicts.

  $ wrong --test_env_info --skip_test_env_info
  --test_env_info and --skip_test_env_info contradict each other
  code 2
  $ wrong --only_d2d --numa_node 0
  --numa_node says where host memory is, and --only_d2d leaves it out
  code 2
  $ wrong -n 2 --npu_id_list 0,1
  --device_name: NPU 2 is not in --npu_id_list
  code 2

What this machine does not have: the device, the node, so much memory, any device at all.

  $ wrong --npu_id_list 0,4
  --npu_id_list: there is no NPU 4; allowed are 0 to 3
  code 2
  $ wrong -n 9
  --device_name: there is no NPU 9; allowed are 0 to 3
  code 2
  $ wrong --numa_node 4711 | sed 's/are -1, .*/are -1, .../'
  --numa_node: node 4711 is not there or not to be used; allowed are -1, ...
  code 2
  $ wrong --test_size 90G
  --test_size: 90G is too much for cuda0, which has 81559 MiB for 1 buffer of it
  code 2
  $ wrong --tc 6 --test_size 60G
  --test_size: 60G is too much for cuda0, which has 81559 MiB for 2 buffers of it
  code 2
  $ wrong --tc 6 -n 1 --test_size 30G
  --test_size: 30G is too much for cuda1, which has 81559 MiB for 3 buffers of it
  code 2
  $ WIRESPEED_CUDA_LIB=/none wrong
  there is no NPU; cuda: /none: cannot open shared object file: No such file or directory from WIRESPEED_CUDA_LIB; opencl: /none: cannot open shared object file: No such file or directory from WIRESPEED_OPENCL_LIB
  code 1

The last of an option given twice counts; a value may follow its letter or an equals sign.

  $ bare --tc=2 -i9 -i 1 --iteration_cnt=2 -n1 -n 0 --npu_id_list=0,1 --tc 4
  Device P2P sync latency (us)
  cuda0 -> cuda1 0.78 (us)
  [     PASS ] : RBLN_PERF_LATENCY_TEST

A named source: it is the first, the only row beside the host, and what sends to all others at once.

  $ bare --tc 3 -n 2 --npu_id_list 1,2,3
  Device bandwidth (GB/s) *Write
  [H2D] HOST -> cuda2 : MAX 18.83, MIN 18.83, AVG 18.83
  [D2D] cuda2 -> cuda1 : MAX 26.59, MIN 26.59, AVG 26.59
  [D2D] cuda2 -> cuda3 : MAX 26.59, MIN 26.59, AVG 26.59
  [D2H] cuda1 -> HOST : MAX 18.81, MIN 18.81, AVG 18.81
  [D2H] cuda3 -> HOST : MAX 18.81, MIN 18.81, AVG 18.81
  [     PASS ] : RBLN_PERF_BANDWIDTH_TEST
  $ bare -n 3 --npu_id_list 1,2,3 | grep -v '^\[ '
  Device Write bandwidth (GB/s)
  S \\ D  HOST  cuda3  cuda1  cuda2
  HOST   0.00  18.83  18.83  18.83
  cuda3 18.81   0.00  26.59  26.59
  Device P2P sync latency (us)
  cuda3 -> cuda1 0.78 (us)
  cuda3 -> cuda2 0.78 (us)
  $ bare --tc 5 -n 3 --only_d2d --npu_id_list 3,2,1 | grep -c '<->'
  2
  $ bare --tc 6 -n 3 --only_d2d --npu_id_list 1,2,3
  Device parallel bandwidth (GB/s) *Write
  [D2D] cuda3 -> cuda1 : MAX 24.92, MIN 24.92, AVG 24.92
  [D2D] cuda3 -> cuda2 : MAX 24.92, MIN 24.92, AVG 24.92
  [D2D] TOTAL : MAX 49.84, MIN 49.84, AVG 49.84
  [     PASS ] : RBLN_PERF_PARALLEL_BANDWIDTH_TEST

Times: the average, and of each iteration.

  $ bare --tc 3 -i 3 --npu_id_list 0,1 --only_d2d --get_perf 1
  Device bandwidth (GB/s) *Write
  [D2D] cuda0 -> cuda1 : MAX 26.59, MIN 26.59, AVG 26.59
  [PERF] cuda0 -> cuda1 : average 2.46 (us)
  [     PASS ] : RBLN_PERF_BANDWIDTH_TEST
  $ bare -i 2 --npu_id_list 0,1 --only_d2d --get_perf 2 -n 1 | grep PERF
  [PERF] cuda1 -> cuda0 : iteration 0 2.46 (us)
  [PERF] cuda1 -> cuda0 : iteration 1 2.46 (us)
  [PERF] cuda1 -> cuda0 : iteration 0 0.78 (us)
  [PERF] cuda1 -> cuda0 : iteration 1 0.78 (us)
  [     PASS ] : RBLN_PERF_TEST_ALL

What no device here has is said once, and the test goes on.

  $ rbln --tc 4 --npu_id_list 0,1 --skip_test_env_info -f 3 -g 2 --priority 4 | tail -n 5
  [     PASS ] : RBLN_PERF_LATENCY_TEST
  ==============================================================================
  rblnBandwidthLatencyTest: --flags: not used, for no device here has contexts with such flags
  rblnBandwidthLatencyTest: -g: not used, for no device here has execution groups
  rblnBandwidthLatencyTest: --priority: 4 is taken as 2, beyond which no device here goes
  $ rbln --tc 3 --skip_test_env_info --test_size 4K --priority 0 --numa_node 0 --npu_id_list 0,1 | tail -n 2
  [     PASS ] : RBLN_PERF_BANDWIDTH_TEST
  ==============================================================================

The pattern is in the buffers: what was expected of a byte that is wrong.

  $ cp $TESTDIR/../fake/machines/*.gpu .; broken() { printf 'include h100.gpu\ngpus 4\nfault %s\n' "$1" >broken.machine; shift; FAKE_CUDA_MACHINE=$PWD/broken.machine bare "$@"; }
  $ broken 'corrupt 0->1' --tc 3 --only_d2d --npu_id_list 0,1 --data_pattern 0xa5c3f00f
  Device bandwidth (GB/s) *Write
  [D2D] cuda0 -> cuda1 : MAX -, MIN -, AVG -
  [     FAIL ] : RBLN_PERF_BANDWIDTH_TEST
  rblnBandwidthLatencyTest: cuda0 -> cuda1: wrong data: 1 words differ, the first at byte 65532 of item 1: expected 0xa5c3f00f, found 0xa4c3f00f
  code 1

Devices that do not reach each other, with the reason only for who asks; a device that nobody may use.

  $ FAKE_CUDA_PEER=0 bare --npu_id_list 0,1
  Device Write bandwidth (GB/s)
  S \\ D  HOST  cuda0  cuda1
  HOST   0.00  18.83  18.83
  cuda0 18.81   0.00      -
  cuda1 18.81      -   0.00
  Device P2P sync latency (us)
  cuda0 -> cuda1 - (us)
  cuda1 -> cuda0 - (us)
  [     PASS ] : RBLN_PERF_TEST_ALL
  $ FAKE_CUDA_PEER=0 WIRESPEED_NOTES=1 bare --npu_id_list 0,1 --tc 6 --only_d2d
  Device parallel bandwidth (GB/s) *Write
  [D2D] cuda0 -> cuda1 : MAX -, MIN -, AVG -
  [D2D] cuda1 -> cuda0 : MAX -, MIN -, AVG -
  [D2D] TOTAL : MAX -, MIN -, AVG -
  [     FAIL ] : RBLN_PERF_PARALLEL_BANDWIDTH_TEST
  wirespeed: note: cuda0 -> cuda1: no direct access from cuda0 to the memory of cuda1
  wirespeed: note: cuda1 -> cuda0: no direct access from cuda1 to the memory of cuda0
  rblnBandwidthLatencyTest: RBLN_PERF_PARALLEL_BANDWIDTH_TEST: these NPUs do not reach each other
  code 1
  $ FAKE_CUDA_MODE=2 bare --npu_id_list 0,1 --tc 3 --only_d2d
  Device bandwidth (GB/s) *Write
  [D2D] cuda0 -> cuda1 : MAX -, MIN -, AVG -
  [     FAIL ] : RBLN_PERF_BANDWIDTH_TEST
  rblnBandwidthLatencyTest: cuda0 -> cuda1: cuda0 cannot be used: its compute mode is "prohibited": nobody may use it
  code 1

A copy that never ends, and a test that takes too long: nothing more is measured.

  $ broken 'hang 0->1 copy=3' --tc 3 --only_d2d -t 1 -i 10 | sed 's/within [0-9.]* s/within N s/'
  Device bandwidth (GB/s) *Write
  [D2D] cuda0 -> cuda1 : MAX -, MIN -, AVG -
  [     FAIL ] : RBLN_PERF_BANDWIDTH_TEST
  rblnBandwidthLatencyTest: cuda0 -> cuda1: 1 of 1 items did not end within N s; the first of them is item 1, by cuda0.ce
  code 1
  $ bare --tc 2 -i 100000 -t 1 | grep -v '^cuda. -> '
  Device P2P sync latency (us)
  [     FAIL ] : RBLN_PERF_LATENCY_TEST_ALL
  rblnBandwidthLatencyTest: not done within 1 s: see --timeout
  code 1

Who interrupts it gets what there is, and the signal's exit code.

  $ wirespeed as rblnBandwidthLatencyTest --tc 2 -i 100000 --skip_test_env_info >out 2>err &
  $ while ! grep -qs '^Device P2P' out; do sleep 0.1; done; kill -TERM $!; wait $!; echo "code $?"
  code 143
  $ tail -n 3 out; grep -v ^SIMULATED err
  ==============================================================================
  [     FAIL ] : RBLN_PERF_LATENCY_TEST_ALL
  ==============================================================================
  [1]
