bandwidthTest of the CUDA samples when something is wrong: words, driver, devices, data.

  $ fakes=$(dirname "$(command -v wirespeed)")/tests
  $ [ -e "$fakes/libcuda_fake.so" ] || . skip "no fake CUDA driver beside this binary"
  $ export WIRESPEED_CUDA_LIB=$fakes/libcuda_fake.so WIRESPEED_NVML_LIB=$fakes/libnvml_fake.so
  $ show() { grep -vE '^$|^SIMULATED: cuda is a fake|^NOTE: The CUDA|Starting|^Running on| Device 0: Fake GPU 0'; }
  $ bwt() { wirespeed as bandwidthTest "$@" >out 2>&1; code=$?; show <out; echo "code $code"; }

Values:

  $ bwt --memory=paged
  Invalid memory mode - valid modes are pageable or pinned
  See --help for more information
  Result = FAIL
  code 1
  $ bwt --memory
  Invalid memory mode - valid modes are pageable or pinned
  See --help for more information
  Result = FAIL
  code 1
  $ bwt --memory=Pinned
  Invalid memory mode - valid modes are pageable or pinned
  See --help for more information
  Result = FAIL
  code 1
  $ bwt --mode=slow
  Invalid mode - valid modes are quick, range, or shmoo
  See --help for more information
  Result = FAIL
  code 1
  $ bwt --mode
  Invalid mode - valid modes are quick, range, or shmoo
  See --help for more information
  Result = FAIL
  code 1
  $ bwt --compat=11.0
  Invalid version - valid versions are 12.8 or 7.5
  See --help for more information
  Result = FAIL
  code 1
  $ wirespeed as bandwidthTest@11.0
  wirespeed: bandwidthTest: version "11.0" is not spoken; allowed: 12.8 7.5
  [64]

A number that names no device is refused; the tool would measure device 0 instead:

  $ for device in 99 2 -1 all, ALL 1x "" 4294967296 99999999999999999999; do bwt --device=$device --htod; done
  !!!!!Invalid GPU number 99 given; valid are 0 to 1, or all !!!!!
  Result = FAIL
  code 1
  !!!!!Invalid GPU number 2 given; valid are 0 to 1, or all !!!!!
  Result = FAIL
  code 1
  !!!!!Invalid GPU number -1 given; valid are 0 to 1, or all !!!!!
  Result = FAIL
  code 1
  !!!!!Invalid GPU number all, given; valid are 0 to 1, or all !!!!!
  Result = FAIL
  code 1
  !!!!!Invalid GPU number ALL given; valid are 0 to 1, or all !!!!!
  Result = FAIL
  code 1
  !!!!!Invalid GPU number 1x given; valid are 0 to 1, or all !!!!!
  Result = FAIL
  code 1
  !!!!!Invalid GPU number  given; valid are 0 to 1, or all !!!!!
  Result = FAIL
  code 1
  !!!!!Invalid GPU number 4294967296 given; valid are 0 to 1, or all !!!!!
  Result = FAIL
  code 1
  !!!!!Invalid GPU number 99999999999999999999 given; valid are 0 to 1, or all !!!!!
  Result = FAIL
  code 1

Ranges:

  $ range() { bwt --mode=range "$@" | grep -v ' Range Mode'; }
  $ range
  Must specify a starting size in range mode
  See --help for more information
  Result = FAIL
  code 1
  $ range --start=1
  Must specify an end size in range mode.
  See --help for more information
  Result = FAIL
  code 1
  $ range --start=1 --end=2
  Must specify an increment in user mode
  See --help for more information
  Result = FAIL
  code 1
  $ range --start=2 --end=1 --increment=1
  Illegal argument - start is greater than end
  Result = FAIL
  code 1
  $ range --start=0
  Illegal argument - start must be greater than zero
  Result = FAIL
  code 1
  $ range --start=-5
  Illegal argument - start must be greater than zero
  Result = FAIL
  code 1
  $ range --start
  Illegal argument - start must be greater than zero
  Result = FAIL
  code 1
  $ range --start=many
  Illegal argument - start must be greater than zero
  Result = FAIL
  code 1
  $ range --start=1 --end=0
  Illegal argument - end must be greater than zero
  Result = FAIL
  code 1
  $ range --start=1 --end=2 --increment=0
  Illegal argument - increment must be greater than zero
  Result = FAIL
  code 1
  $ range --start=32M --end=64M --increment=1M
  Illegal argument - start must be a number of bytes, without a unit
  Result = FAIL
  code 1

Sizes have 64 bits. What no memory has room for ends the run, as any driver's error does:

  $ range --start=4294967296 --end=4294967296 --increment=1 --dtod
  device to device, 4294967296 bytes: cuda0: cuMemAlloc of 4096 MiB, with 1023 of 1024 MiB free: 2 CUDA_ERROR_OUT_OF_MEMORY
  code 1
  $ range --start=9223372036854775807 --end=99999999999999999999 --increment=1 --htod | sed 's/: .*/: .../'
  host to device, 9223372036854775807 bytes: ...
  code 1

No driver, one that does not start, none of its GPUs to be seen, one that nobody may use:

  $ WIRESPEED_CUDA_LIB=/none bwt
  cudaGetDeviceProperties returned 35
  -> CUDA driver version is insufficient for CUDA runtime version
  CUDA error: /none: cannot open shared object file: No such file or directory from WIRESPEED_CUDA_LIB
  code 1
  $ WIRESPEED_CUDA_LIB=/none bwt --device=0
  cudaGetDeviceCount returned 35
  -> CUDA driver version is insufficient for CUDA runtime version
  CUDA error: /none: cannot open shared object file: No such file or directory from WIRESPEED_CUDA_LIB
  code 1
  $ FAKE_CUDA_INIT=803 bwt
  cudaGetDeviceProperties returned 803
  -> cuInit: 803 CUDA_ERROR_SYSTEM_DRIVER_MISMATCH
  CUDA error: cuInit: 803 CUDA_ERROR_SYSTEM_DRIVER_MISMATCH
  code 1
  $ CUDA_VISIBLE_DEVICES= bwt --device=all
  cudaGetDeviceCount returned 100
  -> no CUDA-capable device is detected
  CUDA error: cuInit: 100 CUDA_ERROR_NO_DEVICE
  code 1
  $ FAKE_CUDA_MODE=2 bwt
  Error: device is running in <Compute Mode Prohibited>, no threads can use ::cudaSetDevice().
  code 1

Wrong data has no figure; the tool, which never looks, would say PASS. Data is filled by one copy or kernel each at both
ends, then come 4 copies that are not timed and 100 that are: the 106th is the last, whose data stays:

  $ FAKE_CUDA_CORRUPT=106 range --start=65536 --end=65536 --increment=1
  host to device, 65536 bytes: wrong data: 1 words differ, the first at byte 65532 of item 1: expected 0x1d4a4179, found 0x1c4a4179
  Result = FAIL
  code 1

An error of the driver in the middle:

  $ FAKE_CUDA_FAIL=150:719 range --start=65536 --end=65536 --increment=1 --htod | sed 's/bytes: .*719/bytes: ... 719/'
  host to device, 65536 bytes: ... 719 CUDA_ERROR_LAUNCH_FAILED
  code 1
