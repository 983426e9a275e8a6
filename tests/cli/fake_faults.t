Faults of a fake OpenCL's devices: each is reported by the cell it befell, and the others are measured.

  $ export WIRESPEED_OPENCL_LIB=$WS_FAKE_OPENCL
  $ show() { /usr/bin/python3 -c 'import csv; [print(*filter(None, (r["column"] or r["coords"], r["status"], r["value"], r["reason"].split(": expected")[0]))) for r in csv.DictReader(open("out", newline="")) if r["quantity"] == "bandwidth"]'; }
  $ run() { export FAKE_OPENCL="write_gb_s=8 read_gb_s=16 $1"; shift; wirespeed --format csv -o out "$@"; echo "code $?"; show; }
  $ plain() { sed 's/; [0-9.e-]* s$/; TIME/' | awk '/^limit:/ { cut = 1; next } cut && /^  / { next } { cut = 0; print }'; }
  $ there="host_to_device_memcpy_ce --samples 6 --size 64K" back=device_to_host_memcpy_ce

Wrong data: one byte, the last byte, nothing moved, all of it four bytes further on.

  $ run "devices=2 1:wrong=byte" $there $back
  code 4
  ocl0 measured 8
  ocl1 wrong_data 8 wrong data: 1 words differ, the first at byte 32768 of item 1
  ocl0 measured 16
  ocl1 wrong_data 16 wrong data: 1 words differ, the first at byte 32768 of item 1
  $ for wrong in last nothing offset; do run "devices=2 1:wrong=$wrong" $there; done
  code 4
  ocl0 measured 8
  ocl1 wrong_data 8 wrong data: 1 words differ, the first at byte 65532 of item 1
  code 4
  ocl0 measured 8
  ocl1 wrong_data 8 wrong data: 16384 words differ, the first at byte 0 of item 1
  code 4
  ocl0 measured 8
  ocl1 wrong_data 8 wrong data: 16383 words differ, the first at byte 4 of item 1
  $ run "devices=1 wrong=last" host_to_device_memcpy_ce --samples 6 --size 1000/3001
  code 4
  ocl0 wrong_data 8.004 wrong data: 2 words differ, the first at byte 996 of item 1
  $ FAKE_OPENCL="devices=2 wrong=last" wirespeed $there | grep -a 'WRONG\|^\[' | plain
  host0  WRONG[1]  WRONG[2]
  host0  WRONG[1]  WRONG[2]
  [1] WRONG DATA: 1 words differ, the first at byte 65532 of item 1: expected
  [2] WRONG DATA: 1 words differ, the first at byte 65532 of item 1: expected
  2 cells: 0 measured (0 verified), 2 with WRONG DATA; TIME

What goes wrong only in the sixth sample shows in the check at the end, and without one it does not:

  $ printf '%s\n' 'with samples=6 loops=1 lead=1' 'host0:pinned -> ocl0 by ocl0.ce 64K' >plan
  $ run "devices=1 wrong=byte wrong_at=12" --plan plan
  code 4
  step=1 wrong_data 8 wrong data: 1 words differ, the first at byte 32768 of item 1
  $ run "devices=1 wrong=byte wrong_at=12" --plan plan --no-verify
  code 0
  step=1 measured 8

Too little memory on one device, and a size that the driver refuses:

  $ run "devices=2 1:memory=60000" $there
  code 3
  ocl0 measured 8
  ocl1 failed clCreateBuffer: error -4 (memory object allocation failure)
  $ run "devices=2 1:most=60000" $there
  code 3
  ocl0 measured 8
  ocl1 failed 65536 bytes are more than the 60000 that OpenCL gives in one buffer

A copy in the middle of a sample that ends with an error, and a device that the driver says is not available:

  $ run "devices=2 1:break=3" $there
  code 3
  ocl0 measured 8
  ocl1 failed a queued command: error -5 (out of resources)
  $ run "devices=2 1:available=0" $there
  code 3
  ocl0 measured 8
  ocl1 not_applicable ocl1: the OpenCL runtime says that the device is not available

A driver that is there and does not open is no fact like one that is not there:

  $ run "fail=clGetDeviceIDs:1" $there
  code 3
  not_applicable there is no cuda or ocl device: clGetDeviceIDs: error -5 (out of resources)
  $ run "devices=0" $there
  code 3
  not_applicable there is no cuda or ocl device

A device that does not finish: found within the deadline, left alone from then on; the program ends all the same.

  $ hang() { start=$(date +%s%N); run "$@" --timeout 1s; took=$(( ($(date +%s%N) - start) / 1000000 )); [ $took -ge 1000 ] && [ $took -lt 8000 ] || echo "$took ms"; }
  $ hang "devices=2 0:hang=4" $there $back
  code 3
  ocl0 failed 1 of 1 items did not end within 1 s; the first of them is item 1, by ocl0.ce
  ocl1 measured 8
  ocl0 failed ocl0 does not answer any more since an earlier step
  ocl1 measured 16
  $ hang "devices=2 0:hang_other=1" $there
  code 3
  ocl0 failed ocl0: clEnqueueWriteBuffer, filling its memory, did not end within 1 s; it is not used any more
  ocl1 measured 8
  $ hang "devices=2 0:hang_other=2" $there
  code 3
  ocl0 failed ocl0: clEnqueueWriteBuffer, filling its memory, did not end within 1 s; it is not used any more
  ocl1 measured 8
  $ hang "devices=2 0:hang_map=1" $there
  code 3
  ocl0 failed ocl0: clEnqueueMapBuffer, getting host memory, did not end within 1 s; it is not used any more
  ocl1 measured 8
  $ FAKE_OPENCL="devices=2 0:hang=1" wirespeed $there --timeout 500ms --format json -o out; echo "code $?"
  code 3
  $ /usr/bin/python3 -c 'import json; d = json.load(open("out")); print(d["simulated"], [(s["ending"], s["status"]) for s in d["steps"]])'
  True [('failed', 'timeout'), ('count', 'ok')]
  $ FAKE_OPENCL="devices=2 0:hang=1" wirespeed $there --timeout 500ms | tail -n +8 | plain
  bandwidth in GB/s
         ocl0      ocl1
  host0  FAIL[1]  9.999
  
  fixed_cost in us
         ocl0     ocl1
  host0  FAIL[1]  -[2]
  
  spread: not known; 6 samples
  [1] failed: 1 of 1 items did not end within 0.5 s; the first of them is item 1,
      by ocl0.ce
  [2] the samples do not yield it
  
  2 cells: 1 measured (1 verified), 1 failed; TIME

Nor is a device waited for without end while an item is prepared, filled anew or compared, or between its timed calls.
What is found by the sample's end may be found by the wait for the call, whichever ends first:

  $ one() { echo "$2" >plan; start=$(date +%s%N); run "devices=2 $1" --plan plan --timeout 300ms | sed "s/1 of 1 items did not end .*/the sample, or a call, did not end/; s/ocl[01]: [a-z A-Z]*, an item's work, did not end .*/the sample, or a call, did not end/"; took=$(( ($(date +%s%N) - start) / 1000000 )); [ $took -ge 300 ] && [ $took -lt ${3:-3000} ] || echo "$took ms"; }
  $ for fault in hang_map={1,2,4}; do one 0:$fault "map ocl0 by ocl0.ce 64K ungated"; done
  code 3
  step=1 failed the sample, or a call, did not end
  code 3
  step=1 failed the sample, or a call, did not end
  code 3
  step=1 failed the sample, or a call, did not end
  $ for fault in hang_map={1,3,4}; do one 0:$fault "unmap ocl0 by ocl0.ce 64K ungated"; done
  code 3
  step=1 failed the sample, or a call, did not end
  code 3
  step=1 failed the sample, or a call, did not end
  code 3
  step=1 failed the sample, or a call, did not end
  $ for fault in hang_kernel={1,2,3}; do one 0:$fault "write ocl0 by ocl0.sm 64K"; done
  code 3
  step=1 failed the sample, or a call, did not end
  code 3
  step=1 failed the sample, or a call, did not end
  code 3
  step=1 failed the sample, or a call, did not end
  $ one 0:hang_kernel=1 "noop ocl0 by ocl0.sm ungated"
  code 3
  step=1 failed the sample, or a call, did not end
  $ for fault in hang={1,2}; do one 0:$fault "host0:pinned -> ocl0 by ocl0.sm 64K"; done
  code 3
  step=1 failed the sample, or a call, did not end
  code 3
  step=1 failed the sample, or a call, did not end
  $ for fault in hang_other={3,4}; do one 0:$fault "host0 -> ocl0 by ocl0.ce 64K ungated"; done
  code 3
  step=1 failed the sample, or a call, did not end
  code 3
  step=1 failed the sample, or a call, did not end
  $ for fault in 0:hang_other={2,3} {0,1}:hang=1; do one $fault "ocl0 -> ocl1 by ocl${fault:0:1}.ce 64K ungated"; done
  code 3
  step=1 failed the sample, or a call, did not end
  code 3
  step=1 failed the sample, or a call, did not end
  code 3
  step=1 failed the sample, or a call, did not end
  code 3
  step=1 failed the sample, or a call, did not end

A call that is timed as a whole keeps its thread, which is left behind:

  $ one 0:hang_map=3 "map ocl0 by ocl0.ce 64K ungated" 8000
  code 3
  step=1 failed the sample, or a call, did not end

What hangs only when it is given back has been measured:

  $ run "devices=2 0:hang_map=2" $there --timeout 500ms
  code 0
  ocl0 measured 8
  ocl1 measured 8
