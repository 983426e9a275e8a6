GPUs of a fake CUDA driver: what is measured, and what is said when something is wrong with them.

  $ fakes=$(dirname "$(command -v wirespeed)")/tests
  $ [ -e "$fakes/libcuda_fake.so" ] || . skip "no fake CUDA driver beside this binary"
  $ export WIRESPEED_CUDA_LIB=$fakes/libcuda_fake.so WIRESPEED_NVML_LIB=$fakes/libnvml_fake.so
  $ cat >show.py <<END
  > import csv, sys
  > for row in csv.DictReader(sys.stdin):
  >     if row["quantity"] in ("bandwidth", "latency") and row["reason"] != "the samples do not yield it":
  >         value = "%.5g" % float(row["value"]) if row["value"] else "-"
  >         print(row["coords"], value, row["status"], row["reason"] or "verified=" + row["verified"])
  > END
  $ run() { wirespeed run --backend cuda --samples 6 --format csv "$@" >out 2>err; code=$?; /usr/bin/python3 show.py <out; cat err; echo "code $code"; }

Without the host's back end there is no host memory, as the user wanted it:

  $ wirespeed list --here --backend cuda | sed -n 's/^host_to_device_memcpy_ce  *//p'
  no: there is no host memory that this process may use, or the options leave none

The GPUs, in PCI order whatever the driver's is:

  $ wirespeed machine --backend cuda | sed -n '/^Places/,/^$/p'
  Places
    cuda0       Fake GPU 0, 1.0 GiB, engines: ce sm tma, SIMULATED
    cuda1       Fake GPU 1, 1.0 GiB, engines: ce sm tma, SIMULATED
  
  $ FAKE_CUDA_ORDER=reverse wirespeed machine --backend cuda | sed -n '/^Places/,/^$/p' | cut -c1-24
  Places
    cuda0       Fake GPU 0
    cuda1       Fake GPU 1
  

Each engine, by the fake's clock:

  $ run --size 64K device_to_device_memcpy_write_ce device_to_device_memcpy_read_sm device_to_device_memcpy_read_tma
  row=cuda0 column=cuda1 26.586 measured verified=yes
  row=cuda1 column=cuda0 26.586 measured verified=yes
  row=cuda0 column=cuda1 41.616 measured verified=yes
  row=cuda1 column=cuda0 41.616 measured verified=yes
  row=cuda0 column=cuda1 41.616 measured verified=yes
  row=cuda1 column=cuda0 41.616 measured verified=yes
  code 0
  $ run --size 64K device_to_device_latency_sm
  row=cuda0 column=cuda1 801.5 measured verified=yes
  row=cuda1 column=cuda0 801.5 measured verified=yes
  code 0

What direct access to another GPU's memory is worth, beside the way by the host, by a clock of whole ns:

  $ h100() { FAKE_CUDA_MACHINE=$TESTDIR/../fake/machines/2gpu.machine run --pair cuda0,cuda1 "$@"; }
  $ h100 --size 1M/4M device_to_device_memcpy_ce
  row=cuda0 column=cuda1 peer=off 55.301 measured verified=yes
  row=cuda0 column=cuda1 peer=on 396.89 measured verified=yes
  code 0
  $ h100 device_to_device_memcpy_latency_ce
  row=cuda0 column=cuda1 peer=off 2.3003 measured verified=yes
  row=cuda0 column=cuda1 peer=on 2.3 measured verified=yes
  code 0
  $ FAKE_CUDA_PEER=0 h100 --size 1M/4M device_to_device_memcpy_ce
  row=cuda0 column=cuda1 peer=off 55.301 measured verified=yes
  row=cuda0 column=cuda1 peer=on - not_applicable no peer access cuda0 -> cuda1
  code 3

Launches and small copies, each timed by itself; the host's clock is no fake's:

  $ wirespeed --backend cuda,host --device cuda0 device_launch_latency_sm '*_to_*_latency_ce' --samples 6 --format csv -o out; echo "code $?"
  code 0
  $ cut -d, -f1,5,6,10,15 out | grep p50
  device_launch_latency_sm,p50,ns,measured,yes
  host_to_device_latency_ce,p50,ns,measured,yes
  device_to_host_latency_ce,p50,ns,measured,yes
  $ echo 'noop cuda0 by cuda0.sm x9' >plan; wirespeed --plan plan --format csv -o out
  [3]
  $ grep -o 'launches that .*"ungated""' out | head -1
  launches that are timed one by one cannot wait behind a gate; the item must say ""ungated""

What the driver is told to show is what there is; other devices are unknown:

  $ CUDA_VISIBLE_DEVICES=1 run --size 64K device_local_copy
  row=cuda0 56.225 measured verified=yes
  code 0
  $ CUDA_VISIBLE_DEVICES=1 run --size 64K device_to_device_memcpy_read_ce
   - not_applicable it takes two devices of a kind; there is one, or the options leave one
  code 3
  $ CUDA_VISIBLE_DEVICES= run --size 64K device_local_copy
   - not_applicable there is no cuda or ocl device
  code 3
  $ CUDA_VISIBLE_DEVICES=GPU-00000000-0000-0000-0000-000000000002,0 run --size 64K --pair cuda0,cuda1 device_to_device_memcpy_read_ce
  row=cuda0 column=cuda1 26.586 measured verified=yes
  code 0
  $ run --size 64K --device cuda99 device_local_copy
  wirespeed: --device: there is no place cuda99 on this machine; did you mean cuda0?; there are cuda0, cuda1
  code 64

One GPU that cannot be used, and no peer access:

  $ FAKE_CUDA_MODE=2 run --size 64K device_local_copy
  row=cuda0 - not_applicable cuda0: its compute mode is "prohibited": nobody may use it
  row=cuda1 56.225 measured verified=yes
  code 3
  $ FAKE_CUDA_PEER=0 run --size 64K device_to_device_memcpy_read_ce
  row=cuda0 column=cuda1 - not_applicable no peer access cuda0 -> cuda1
  row=cuda1 column=cuda0 - not_applicable no peer access cuda1 -> cuda0
  code 3

More memory than there is; a driver too old for the kernels, and one that does not start:

  $ run --size 2G --device cuda0 device_local_copy
  row=cuda0 - failed cuda0: cuMemAlloc of 2048 MiB, with 1023 of 1024 MiB free: 2 CUDA_ERROR_OUT_OF_MEMORY
  code 3
  $ FAKE_CUDA_PTX=222 run --size 64K --device cuda0 device_local_copy
  row=cuda0 - failed cuda0: cuModuleLoadDataEx of module base, ptxas application ptx input, line 1; fatal   : Unsupported .version: 222 CUDA_ERROR_UNSUPPORTED_PTX_VERSION
  code 3
  $ FAKE_CUDA_INIT=803 wirespeed machine --backend cuda | grep '^  cuda'
    cuda        cuInit: 803 CUDA_ERROR_SYSTEM_DRIVER_MISMATCH

Wrong data, by one bit in the last byte; and a copy that never ends:

  $ printf 'with samples=3\ncuda0 -> cuda1 by cuda0.sm 64K x1\n' >plan
  $ wirespeed --plan plan --format csv | /usr/bin/python3 show.py; echo "code ${PIPESTATUS[0]}"
  step=1 41.61 measured verified=yes
  code 0
  $ FAKE_CUDA_CORRUPT=5 wirespeed --plan plan --format csv | /usr/bin/python3 show.py; echo "code ${PIPESTATUS[0]}"
  step=1 41.61 wrong_data wrong data: 1 words differ, the first at byte 65532 of item 1: expected 0x1d4a4179, found 0x1c4a4179
  step=1 - wrong_data wrong data: 1 words differ, the first at byte 65532 of item 1: expected 0x1d4a4179, found 0x1c4a4179
  code 4
  $ FAKE_CUDA_HANG=9 wirespeed --plan plan --timeout 300ms --format csv | /usr/bin/python3 show.py; echo "code ${PIPESTATUS[0]}"
  step=1 41.61 failed 1 of 1 items did not end within 0.3 s; the first of them is item 1, by cuda0.sm
  step=1 - failed 1 of 1 items did not end within 0.3 s; the first of them is item 1, by cuda0.sm
  code 3

Only kernels can make all loops of a sample in one launch:

  $ fused() { { echo "with samples=1 loops=4 lead=1"; echo "a: $1 1M fused"; } | wirespeed --plan - --format csv | python3 show.py; }
  $ fused "cuda0 -> cuda0 by cuda0.sm"
  step=a 552.1 measured verified=yes
  $ fused "host0:pinned -> cuda0 by cuda0.ce"
  step=a - not_applicable only kernels can be fused, not copies by "ce"
  step=a - not_applicable only kernels can be fused, not copies by "ce"
  $ fused "cuda0 -> cuda0 by cuda0.sm marks"
  step=a - not_applicable loops of one launch (fused) cannot be marked one by one
  step=a - not_applicable loops of one launch (fused) cannot be marked one by one
