What is wrong with a machine shows: slow directions, wrong and missing data, copies that never end, a GPU that is lost.

  $ fakes=$(dirname "$(command -v wirespeed)")/tests
  $ [ -e "$fakes/libcuda_fake.so" ] || . skip "no fake CUDA driver beside this binary"
  $ export WIRESPEED_CUDA_LIB=$fakes/libcuda_fake.so WIRESPEED_NVML_LIB=$fakes/libnvml_fake.so
  $ on() { export FAKE_CUDA_MACHINE=$WS_FAKE_MACHINES/$1.machine; shift; "$@"; }
  $ run() { wirespeed run --samples 6 --size "${size:-1M}" --format csv "$@" >out 2>err; code=$?; cells out; cat err; echo "code $code"; }

From GPU 0 to the host, and from GPU 1 to GPU 0, at half speed:

  $ on slow_direction run host_to_device_memcpy_ce device_to_host_memcpy_ce device_to_device_memcpy_write_ce
  row=host0 column=cuda0 49.48 measured verified=yes
  row=host0 column=cuda1 49.48 measured verified=yes
  row=host0 column=cuda0 26.07 measured verified=yes
  row=host0 column=cuda1 49.32 measured verified=yes
  row=cuda0 column=cuda1 212.2 measured verified=yes
  row=cuda1 column=cuda0 138.3 measured verified=yes
  code 0

A wrong bit in byte 100, one way; 48 bytes that do not arrive, the other way, whoever copies:

  $ on corrupt run device_to_device_memcpy_write_ce
  row=cuda0 column=cuda1 212.2 wrong_data wrong data: 1 words differ, the first at byte 100 of item 1: expected 0x2d64b6de, found 0x2d64b6df
  row=cuda1 column=cuda0 212.2 measured verified=yes
  code 4
  $ on cut run device_to_device_memcpy_read_ce device_to_device_memcpy_write_sm | sed 's/expected.*/.../'
  row=cuda0 column=cuda1 66.61 wrong_data wrong data: 12 words differ, the first at byte 1048528 of item 1: ...
  row=cuda1 column=cuda0 66.61 measured verified=yes
  row=cuda0 column=cuda1 247.6 measured verified=yes
  row=cuda1 column=cuda0 247.6 wrong_data wrong data: 12 words differ, the first at byte 1048528 of item 1: ...
  code 4

Who does not look does not see, and the report says that nobody looked:

  $ on corrupt run --no-verify device_to_device_memcpy_write_ce --pair cuda0,cuda1
  row=cuda0 column=cuda1 212.2 measured verified=no
  code 0

Half of a buffer that holds gigabytes is found as well:

  $ printf 'include h100.gpu\ngpus 2\nfault cut 0->1 bytes=1G\n' >half.machine; cp "$WS_FAKE_MACHINES/h100.gpu" .
  $ size=2G FAKE_CUDA_MACHINE=half.machine run device_to_device_memcpy_write_ce --pair cuda0,cuda1 | sed 's/expected.*/.../'
  row=cuda0 column=cuda1 396.7 wrong_data wrong data: 268435456 words differ, the first at byte 1073741824 of item 1: ...
  code 4

Of GPUs that are measured together the one that is wrong is named; if there are more, all are suspect:

  $ cp "$WS_FAKE_MACHINES"/4gpu.machine "$WS_FAKE_MACHINES"/h100.gpu .
  $ printf 'include 4gpu.machine\nfault corrupt 1->host\n' >one.machine; (cat one.machine; echo 'fault corrupt 3->host') >two.machine
  $ for machine in one two; do FAKE_CUDA_MACHINE=$machine.machine run all_to_host_memcpy_ce | sed 's/: expected.*//'; done
  row=host0 column=cuda0 26.16 failed measuring ended when the data of another cell (item 2 of the step) was wrong
  row=host0 column=cuda1 26.16 wrong_data wrong data: 1 words differ, the first at byte 1048572 of item 2
  row=host0 column=cuda2 26.16 failed measuring ended when the data of another cell (item 2 of the step) was wrong
  row=host0 column=cuda3 26.16 failed measuring ended when the data of another cell (item 2 of the step) was wrong
  code 4
  row=host0 column=cuda0 26.16 wrong_data wrong data: 2 words differ, the first at byte 1048572 of item 2
  row=host0 column=cuda1 26.16 wrong_data wrong data: 2 words differ, the first at byte 1048572 of item 2
  row=host0 column=cuda2 26.16 wrong_data wrong data: 2 words differ, the first at byte 1048572 of item 2
  row=host0 column=cuda3 26.16 wrong_data wrong data: 2 words differ, the first at byte 1048572 of item 2
  code 4

A copy that never ends takes its GPU along, and nobody else; the program ends all the same:

  $ on hang run --timeout 300ms device_to_device_memcpy_write_ce device_local_copy
  row=cuda0 column=cuda1 - failed 1 of 1 items did not end within 0.3 s; the first of them is item 1, by cuda0.ce
  row=cuda1 column=cuda0 - failed cuda0 does not answer any more since an earlier step
  row=cuda0 - failed cuda0 does not answer any more since an earlier step
  row=cuda1 677.7 measured verified=yes
  code 3

Who has ended beside it is not blamed for it:

  $ printf '%s\n' 'both: cuda0 -> cuda1 by cuda0.ce 1M + cuda1 -> cuda0 by cuda1.ce 1M' '0: read cuda0 by cuda0.sm 1M' '1: read cuda1 by cuda1.sm 1M' >plan
  $ on hang wirespeed --plan plan --samples 6 --timeout 300ms --format csv -o out; echo "code $?"; cells out
  code 3
  step=both - failed 1 of 2 items did not end within 0.3 s; the first of them is item 1, by cuda0.ce
  step=both - failed 1 of 2 items did not end within 0.3 s; the first of them is item 1, by cuda0.ce
  step=0 - failed cuda0 does not answer any more since an earlier step
  step=0 - failed cuda0 does not answer any more since an earlier step
  step=1 599.3 measured verified=yes

A GPU that falls off the bus:

  $ on lost run --timeout 300ms device_to_device_memcpy_write_ce
  row=cuda0 column=cuda1 212.2 measured verified=yes
  row=cuda0 column=cuda2 212.2 measured verified=yes
  row=cuda0 column=cuda3 212.2 measured verified=yes
  row=cuda1 column=cuda0 212.2 measured verified=yes
  row=cuda1 column=cuda2 - failed cuda1: work of a queue (cuStreamQuery): 719 CUDA_ERROR_LAUNCH_FAILED
  row=cuda1 column=cuda3 - failed cuda1 is of no use to this process since work of a queue (cuStreamQuery) answered 719 CUDA_ERROR_LAUNCH_FAILED
  row=cuda2 column=cuda0 212.2 measured verified=yes
  row=cuda2 column=cuda1 - failed cuda1 is of no use to this process since work of a queue (cuStreamQuery) answered 719 CUDA_ERROR_LAUNCH_FAILED
  row=cuda2 column=cuda3 212.2 measured verified=yes
  row=cuda3 column=cuda0 212.2 measured verified=yes
  row=cuda3 column=cuda1 - failed cuda1 is of no use to this process since work of a queue (cuStreamQuery) answered 719 CUDA_ERROR_LAUNCH_FAILED
  row=cuda3 column=cuda2 212.2 measured verified=yes
  code 3

Others have all memory of GPU 1 but 3 MiB:

  $ size=64M on full run device_to_device_memcpy_write_ce device_local_copy
  row=cuda0 column=cuda1 - failed cuda1: cuMemAlloc of 64 MiB, with 2 of 81559 MiB free: 2 CUDA_ERROR_OUT_OF_MEMORY
  row=cuda1 column=cuda0 - failed cuda1: cuMemAlloc of 64 MiB, with 2 of 81559 MiB free: 2 CUDA_ERROR_OUT_OF_MEMORY
  row=cuda0 2526 measured verified=yes
  row=cuda1 - failed cuda1: cuMemAlloc of 64 MiB, with 2 of 81559 MiB free: 2 CUDA_ERROR_OUT_OF_MEMORY
  code 3

Noise, the same in every run: half a percent of each copy's time, so half of that of four copies together.

  $ printf 'with samples=40 lead=1\ncuda0 -> cuda1 by cuda0.ce 1M x4\n' >plan
  $ on noisy wirespeed --plan plan | grep -e '^1  ' -e '^spread'
  1         212.3  4.940     -[1]
  spread: 95 % interval within this run +-0.14 %; 40 samples
