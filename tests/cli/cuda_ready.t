Contexts of GPUs are made before the first step of a plan, of those that the plan uses, all at once.

  $ fakes=$(dirname "$(command -v wirespeed)")/tests
  $ [ -e "$fakes/libcuda_fake.so" ] || . skip "no fake CUDA driver beside this binary"
  $ export WIRESPEED_CUDA_LIB=$fakes/libcuda_fake.so WIRESPEED_NVML_LIB=$fakes/libnvml_fake.so FAKE_CUDA_LOG=log

Which GPUs get a context, and which of them only after something was allocated for a measurement:

  $ contexts() {
  >   rm -f log; "$@" >out 2>err; echo "code $?"; touch log
  >   awk '/^cuDevicePrimaryCtxRetain/ { print "cuda" $2 (late ? " late" : "") } /^cuMemcpyAsync|^cuLaunchKernel/ { late = 1 }' log | sort
  > }
  $ run() { contexts wirespeed run --samples 2 --size 64K "$@"; }
  $ FAKE_CUDA_GPUS=4 run device_to_device_memcpy_write_ce
  code 0
  cuda0
  cuda1
  cuda2
  cuda3
  $ FAKE_CUDA_GPUS=4 run --pair cuda3,cuda1 device_to_device_memcpy_write_ce
  code 0
  cuda1
  cuda3
  $ run --device cuda1 device_local_copy
  code 0
  cuda1
  $ printf 'with samples=1\nread host0 by host0.cpu 64K\nread cuda1 by cuda1.sm 64K\ncuda0 -> cuda0 by cuda0.ce 64K\n' >plan
  $ contexts wirespeed --plan plan
  code 0
  cuda0
  cuda1
  $ contexts wirespeed as nvbandwidth -b 1 -i 1 -t device_to_device_memcpy_write_ce host_to_device_memcpy_ce
  code 0
  cuda0
  cuda1

Every rank makes its own before any of them begins:

  $ contexts wirespeed launch -n 2 -- run --backend cuda --device cuda1 --samples 2 --size 64K device_local_copy
  code 0
  cuda1
  cuda1

Without a GPU in the plan the driver is not even asked for one:

  $ run --backend host,cuda host_memory_read --device host0
  code 0
  $ wc -c <log
  0
  $ printf 'with samples=1\nread host0 by host0.cpu 64K\n' >plan; contexts wirespeed --plan plan
  code 0
  $ wc -c <log
  0
  $ run --dry-run device_local_copy
  code 0

A GPU that others use exclusively is tried once, and the others are measured:

  $ printf 'with samples=1\ncuda0 -> cuda0 by cuda0.ce 64K\ncuda1 -> cuda1 by cuda1.ce 64K\ncuda1 -> cuda0 by cuda0.ce 64K\n' >plan
  $ FAKE_CUDA_FAIL=cuDevicePrimaryCtxRetain@1#1:46 contexts wirespeed --plan plan --format csv
  code 3
  cuda0
  cuda1
  $ /usr/bin/python3 -c 'import csv; [print(row["status"], row["reason"] or "-") for row in csv.DictReader(open("out")) if row["quantity"] == "bandwidth"]'
  measured -
  failed cuda1: cuDevicePrimaryCtxRetain: 46 CUDA_ERROR_DEVICE_UNAVAILABLE
  failed cuda1: cuDevicePrimaryCtxRetain: 46 CUDA_ERROR_DEVICE_UNAVAILABLE
