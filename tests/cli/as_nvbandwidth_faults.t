What goes wrong ends neither nvbandwidth's run nor its JSON: the cell is N/A, the reason is told, the exit code is 1.

  $ fakes=$(dirname "$(command -v wirespeed)")/tests
  $ [ -e "$fakes/libcuda_fake.so" ] || . skip "no fake CUDA driver beside this binary"
  $ export WIRESPEED_CUDA_LIB=$fakes/libcuda_fake.so WIRESPEED_NVML_LIB=$fakes/libnvml_fake.so
  $ cp "$TESTDIR"/../fake/machines/h100.gpu "$TESTDIR"/../fake/machines/2gpu.machine .
  $ export FAKE_CUDA_MACHINE=$PWD/faulty.machine
  $ faulty() { printf 'include 2gpu.machine\n%s\n' "$@" >faulty.machine; }
  $ run() { wirespeed as nvbandwidth -b 1 "$@" 2>err | sed '1,/^Driver/d;/^NOTE: The/,$d' | grep -v -e '^$' -e COEFF; echo "exit ${PIPESTATUS[0]}"; grep -v SIMULATED err; :; }
  $ json() { wirespeed as nvbandwidth -F json -b 1 "$@" 2>err | /usr/bin/python3 -c 'if True:
  >   import json, sys
  >   for test in json.load(sys.stdin)["nvbandwidth"]["testcases"]:
  >       print(test["name"], test["status"], test.get("bandwidth_matrix"), test.get("error"))'; grep -v SIMULATED err; :; }

Wrong data on the way from GPU 1 to GPU 0: the last copy of the second sample.

  $ faulty 'fault corrupt 1->0 copy=41 byte=100'
  $ run -t device_to_device_memcpy_read_ce device_local_copy
  Running device_to_device_memcpy_read_ce.
  memcpy CE GPU(row) -> GPU(column) bandwidth (GB/s)
             0         1
   0       N/A       N/A
   1     66.61       N/A
  SUM device_to_device_memcpy_read_ce 66.61
  Running device_local_copy.
  memcpy local GPU(column) bandwidth (GB/s)
             0         1
   0    338.87    338.87
  SUM device_local_copy 677.73
  exit 1
  ERROR: device_to_device_memcpy_read_ce, row 0, column 1: Invalid value when checking the pattern: wrong data: 1 words differ, the first at byte 100 of item 1: expected 0x*, found 0x* (glob)
  $ json -t device_to_device_memcpy_read_ce device_local_copy
  device_to_device_memcpy_read_ce Error [['N/A', 'N/A'], ['66.6104', 'N/A']] device_to_device_memcpy_read_ce, row 0, column 1: Invalid value when checking the pattern: wrong data: 1 words differ, the first at byte 100 of item 1: expected 0x*, found 0x* (glob)
  device_local_copy Passed [['338.865', '338.865']] None
  $ wirespeed as nvbandwidth -b 1 -t 4 >/dev/null 2>&1
  [1]

With -s nobody looks.

  $ run -s -t device_to_device_memcpy_read_ce
  Running device_to_device_memcpy_read_ce.
  memcpy CE GPU(row) -> GPU(column) bandwidth (GB/s)
             0         1
   0       N/A     66.61
   1     66.61       N/A
  SUM device_to_device_memcpy_read_ce 133.22
  exit 0

A GPU that is lost on the way: what needs it fails, the rest is measured.

  $ faulty 'fault lost 0->host copy=22 code=719'
  $ run -t 1 0 | sed 's/N\/A .*/N\/A .../'
  Running device_to_host_memcpy_ce.
  memcpy CE CPU(row) <- GPU(column) bandwidth (GB/s)
             0         1
   0       N/A ...
  SUM device_to_host_memcpy_ce 49.32
  Running host_to_device_memcpy_ce.
  memcpy CE CPU(row) -> GPU(column) bandwidth (GB/s)
             0         1
   0       N/A ...
  SUM host_to_device_memcpy_ce 49.48
  exit 1
  ERROR: device_to_host_memcpy_ce, column 0: cuda0: * (glob)
  ERROR: host_to_device_memcpy_ce, column 0: cuda0* (glob)

A GPU that nobody may use, and two that do not reach each other.

  $ faulty 'gpu 0 mode 2'
  $ json -t 38 4 | cut -c 1-120
  device_local_copy Error [['N/A', '338.865']] device_local_copy, column 0: cuda0: its compute mode is "prohibited": nobod
  device_to_device_memcpy_read_ce Error [['N/A', 'N/A'], ['N/A', 'N/A']] device_to_device_memcpy_read_ce, row 0, column 1:
  $ faulty ''
  $ FAKE_CUDA_PEER=0 run -t 4 12 33
  Waived: device_to_device_memcpy_read_ce: no peer access cuda0 -> cuda1
  Waived: all_to_one_write_ce: * (glob)
  Waived: device_to_device_latency_sm: no peer access cuda0 -> cuda1
  exit 0

More copies than a driver can hold back.

  $ run --loopCount 600 -t 38
  Running device_local_copy.
  memcpy local GPU(column) bandwidth (GB/s)
             0         1
   0       N/A       N/A
  SUM device_local_copy 0.00
  exit 1
  ERROR: device_local_copy, column 0: item 1 has 600 loops, and at most 512 of it can be queued in this step
  ERROR: device_local_copy, column 1: item 1 has 600 loops, and at most 512 of it can be queued in this step

No GPU, no driver, and one that does not start.

  $ CUDA_VISIBLE_DEVICES= wirespeed as nvbandwidth
  [CUDA_ERROR_NO_DEVICE] no CUDA-capable device is detected in expression cuInit(0)
  [1]
  $ WIRESPEED_CUDA_LIB=libnone.so.1 wirespeed as nvbandwidth
  nvbandwidth: error while loading shared libraries: libnone.so.1: cannot open shared object file: No such file or directory from WIRESPEED_CUDA_LIB
  [1]
  $ FAKE_CUDA_INIT=803 wirespeed as nvbandwidth@0.9 -j
  {
  	"nvbandwidth" : 
  	{
  		"error" : "[CUDA_ERROR_SYSTEM_DRIVER_MISMATCH] system has unsupported display driver / cuda driver combination in expression cuInit(0)"
  	}
  }
  
  [1]

Without NVML there is no driver version; all else goes on, which the original would not.

  $ WIRESPEED_NVML_LIB=libnone.so.1 wirespeed as nvbandwidth -b 1 -t 38 2>/dev/null | grep -e ^Driver -e ^SUM
  Driver Version: * (glob)
  SUM device_local_copy 677.73

An interrupted run prints what it has.

  $ cat >interrupt.py <<END
  > import json, signal, subprocess, sys, time
  > run = subprocess.Popen(["wirespeed", "as", "nvbandwidth", *sys.argv[1:]], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
  > time.sleep(1)
  > run.send_signal(signal.SIGINT)
  > text = run.communicate()[0]
  > tests = json.loads(text)["nvbandwidth"]["testcases"]
  > print(run.returncode, {test["status"] for test in tests} <= {"Passed", "Error"}, "Running" not in text)
  > END
  $ /usr/bin/python3 interrupt.py -F json -b 4 -i 50
  130 True True

Each test's text is there when the test is over.

  $ cat >meanwhile.py <<END
  > import subprocess
  > run = subprocess.Popen("wirespeed as nvbandwidth -b 1 -i 1000 -t 38 6 7".split(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
  > seen = [line.split()[0] for line in iter(run.stdout.readline, "Running device_to_device_bidirectional_memcpy_read_ce.\n") if line.strip()]
  > print(run.poll(), seen[-2:])
  > run.kill()
  > END
  $ /usr/bin/python3 meanwhile.py
  None ['SUM', 'COEFFICIENT_OF_VARIATION']

Where this does better than the original is told on standard error, if asked for.

  $ WIRESPEED_NOTES=1 wirespeed as nvbandwidth -b 1 -i 1 -t 29 2>&1 >/dev/null | grep ^wirespeed
  wirespeed: note: all_to_one_read_sm: the kernels read, as the name says; nvbandwidth's push
