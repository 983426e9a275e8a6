rblnBandwidthLatencyTest over OpenCL: a fake's devices, and the real thing where there is one.

  $ export WIRESPEED_CUDA_LIB=/none
  $ rbln() { wirespeed as rblnBandwidthLatencyTest --skip_test_env_info --test_size 64K "$@" 2>err; code=$?; grep -v '^SIMULATED: opencl is a fake' err; [ $code = 0 ] || echo "code $code"; }
  $ bare() { rbln "$@" | sed '1,/^P2P/d;/^===/d;/^---/d' | sed '1,/^$/d;/^$/d'; }
  $ fake() { WIRESPEED_OPENCL_LIB=$WS_FAKE_OPENCL FAKE_OPENCL="devices=2 write_gb_s=8 read_gb_s=16" bare "$@"; }

A driver that is there and fails is told, for its devices are missing; one that has no device is none.

  $ cuda() { WIRESPEED_CUDA_LIB=$(dirname "$WS_FAKE_OPENCL")/libcuda_fake.so FAKE_CUDA_INIT=$1 fake --tc 3 | tail -2 | cut -c1-100; }
  $ cuda 999
  [     PASS ] : RBLN_PERF_BANDWIDTH_TEST
  rblnBandwidthLatencyTest: without devices of cuda: cuInit: 999 CUDA_ERROR_UNKNOWN
  $ cuda 100 | tail -1
  [     PASS ] : RBLN_PERF_BANDWIDTH_TEST

OpenCL copies between host and device; what it does not offer has a dash, and a reason for who asks.

  $ fake
  Device Write bandwidth (GB/s)
  S \\ D  HOST  ocl0  ocl1
  HOST   0.00  8.00  8.00
  ocl0  16.00  0.00     -
  ocl1  16.00     -  0.00
  Device P2P sync latency (us)
  ocl0 -> ocl1 - (us)
  ocl1 -> ocl0 - (us)
  [     PASS ] : RBLN_PERF_TEST_ALL
  $ WIRESPEED_NOTES=1 fake --tc 3 --priority 0
  Device bandwidth (GB/s) *Write
  [H2D] HOST -> ocl0 : MAX 8.00, MIN 8.00, AVG 8.00
  [D2D] ocl0 -> ocl1 : MAX -, MIN -, AVG -
  [D2H] ocl1 -> HOST : MAX 16.00, MIN 16.00, AVG 16.00
  [     PASS ] : RBLN_PERF_BANDWIDTH_TEST
  rblnBandwidthLatencyTest: --priority: not used for ocl0, whose queues have none
  wirespeed: note: ocl0 -> ocl1: no direct access from ocl0 to the memory of ocl1
  $ fake --tc 5
  Device bidirectional bandwidth (GB/s) *Write
  [H2D+D2H] HOST <-> ocl0 : MAX 24.00, MIN 24.00, AVG 24.00
  [H2D+D2H] HOST <-> ocl1 : MAX 24.00, MIN 24.00, AVG 24.00
  [D2D] ocl0 <-> ocl1 : MAX -, MIN -, AVG -
  [     PASS ] : RBLN_PERF_BIDIR_BANDWIDTH_TEST
  $ fake --tc 6 --get_perf 1 | grep -v D2D
  Device parallel bandwidth (GB/s) *Write
  [H2D] HOST -> ocl0 : MAX 8.00, MIN 8.00, AVG 8.00
  [PERF] HOST -> ocl0 : average 8.19 (us)
  [H2D] HOST -> ocl1 : MAX 8.00, MIN 8.00, AVG 8.00
  [PERF] HOST -> ocl1 : average 8.19 (us)
  [H2D] TOTAL : MAX 16.00, MIN 16.00, AVG 16.00
  [D2H] ocl0 -> HOST : MAX 16.00, MIN 16.00, AVG 16.00
  [PERF] ocl0 -> HOST : average 4.10 (us)
  [D2H] ocl1 -> HOST : MAX 16.00, MIN 16.00, AVG 16.00
  [PERF] ocl1 -> HOST : average 4.10 (us)
  [D2H] TOTAL : MAX 32.00, MIN 32.00, AVG 32.00
  [     PASS ] : RBLN_PERF_PARALLEL_BANDWIDTH_TEST
  $ fake --tc 4 --npu_id_list 1,0
  Device P2P sync latency (us)
  ocl1 -> ocl0 - (us)
  [     FAIL ] : RBLN_PERF_LATENCY_TEST
  rblnBandwidthLatencyTest: RBLN_PERF_LATENCY_TEST: these NPUs do not reach each other
  code 1

Data that arrives wrong.

  $ WIRESPEED_OPENCL_LIB=$WS_FAKE_OPENCL FAKE_OPENCL="devices=1 wrong=last wrong_at=1" bare --tc 3 --data_pattern 3
  Device bandwidth (GB/s) *Write
  [H2D] HOST -> ocl0 : MAX -, MIN -, AVG -
  [D2H] ocl0 -> HOST : MAX -, MIN -, AVG -
  [     FAIL ] : RBLN_PERF_BANDWIDTH_TEST
  rblnBandwidthLatencyTest: HOST -> ocl0: wrong data: 1 words differ, the first at byte 65532 of item 1: expected 0x3, found 0xff000003
  rblnBandwidthLatencyTest: ocl0 -> HOST: wrong data: 1 words differ, the first at byte 65532 of item 1: expected 0x3, found 0xff000003
  code 1

A real OpenCL device.

  $ wirespeed machine --backend opencl | grep -q '^  ocl0' || . skip "no OpenCL device here"
  $ figures() { sed -E 's/ 0\.00/ zero/g;s/[0-9]+\.[0-9]+/#.##/g;s/ +/ /g'; }
  $ bare --npu_id_list 0 -i 2 --data_pattern 0 | figures
  Device Write bandwidth (GB/s)
  S \\ D HOST ocl0
  HOST zero #.##
  ocl0 #.## zero
  Device P2P sync latency (us)
  [ PASS ] : RBLN_PERF_TEST_ALL
  $ bare --npu_id_list 0 --tc 3 --warmup --numa_node 0 --get_perf 2 | figures
  Device bandwidth (GB/s) *Write
  [H2D] HOST -> ocl0 : MAX #.##, MIN #.##, AVG #.##
  [PERF] HOST -> ocl0 : iteration 0 #.## (us)
  [D2H] ocl0 -> HOST : MAX #.##, MIN #.##, AVG #.##
  [PERF] ocl0 -> HOST : iteration 0 #.## (us)
  [ PASS ] : RBLN_PERF_BANDWIDTH_TEST
  $ bare --npu_id_list 0 --tc 5 | figures
  Device bidirectional bandwidth (GB/s) *Write
  [H2D+D2H] HOST <-> ocl0 : MAX #.##, MIN #.##, AVG #.##
  [ PASS ] : RBLN_PERF_BIDIR_BANDWIDTH_TEST
  $ bare --npu_id_list 0 --tc 6 | figures
  Device parallel bandwidth (GB/s) *Write
  [H2D] HOST -> ocl0 : MAX #.##, MIN #.##, AVG #.##
  [H2D] TOTAL : MAX #.##, MIN #.##, AVG #.##
  [D2H] ocl0 -> HOST : MAX #.##, MIN #.##, AVG #.##
  [D2H] TOTAL : MAX #.##, MIN #.##, AVG #.##
  [ PASS ] : RBLN_PERF_PARALLEL_BANDWIDTH_TEST
