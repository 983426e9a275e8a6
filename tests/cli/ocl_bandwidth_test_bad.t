oclBandwidthTest of NVIDIA's OpenCL SDK when something is wrong: words, runtime, devices, data.

  $ export WIRESPEED_OPENCL_LIB=$WS_FAKE_OPENCL WIRESPEED_CUDA_LIB=/nonexistent
  $ [ -e "$WS_FAKE_OPENCL" ] || . skip "no fake OpenCL beside this binary"
  $ show() { grep -vE '^$|^SIMULATED: opencl is a fake|[sS]tarting\.\.\.|^Running on|^Made-up|test results'; }
  $ machine() { export FAKE_OPENCL="nvidia=1 $*"; }
  $ ocl() { wirespeed as oclBandwidthTest --noprompt "$@" >out 2>&1; code=$?; show <out; echo "code $code"; }
  $ machine devices=2

Values; a name has one case and one or two dashes here:

  $ ocl --memory=paged
  Invalid memory mode - valid modes are pageable or pinned
  See --help for more information
  FAILED
  code 1
  $ ocl --memory
  Invalid memory mode - valid modes are pageable or pinned
  See --help for more information
  FAILED
  code 1
  $ ocl --access=none
  Invalid access mode - valid modes are direct or mapped
  See --help for more information
  FAILED
  code 1
  $ ocl --mode=slow
  Invalid mode - valid modes are quick, range, or shmoo
  See --help for more information
  FAILED
  code 1
  $ ocl --MODE=slow ---mode=slow --mode=range
  Range Mode
  Must specify a starting size in range mode
  See --help for more information
  FAILED
  code 1

A word without a dash ends the options:

  $ ocl --mode=range word --start=5
  Error when parsing command line argument string.
  Range Mode
  Must specify a starting size in range mode
  See --help for more information
  FAILED
  code 1

A number that names no device is refused; the tool would measure device 0 instead:

  $ for device in =99 =-1 =all, =x "" =; do ocl --device$device; done
  !!!Invalid GPU number 99 given; valid are 0 to 1, or all !!!
  FAILED
  code 1
  !!!Invalid GPU number -1 given; valid are 0 to 1, or all !!!
  FAILED
  code 1
  !!!Invalid GPU number all, given; valid are 0 to 1, or all !!!
  FAILED
  code 1
  !!!Invalid GPU number x given; valid are 0 to 1, or all !!!
  FAILED
  code 1
  !!!Invalid GPU number  given; valid are 0 to 1, or all !!!
  FAILED
  code 1
  !!!Invalid GPU number  given; valid are 0 to 1, or all !!!
  FAILED
  code 1

Ranges. What is no number is as if it were not there:

  $ range() { ocl --mode=range "$@" | grep -v 'Range Mode'; }
  $ range --start=1
  Must specify an end size in range mode.
  See --help for more information
  FAILED
  code 1
  $ range --start=1 --end=2
  Must specify an increment in user mode
  See --help for more information
  FAILED
  code 1
  $ range --start=2 --end=1 --increment=1
  Illegal argument - start is greater than end
  FAILED
  code 1
  $ range --start=0
  Illegal argument - start must be greater than zero
  FAILED
  code 1
  $ range --start=-1
  Illegal argument - start must be greater than zero
  FAILED
  code 1
  $ range --start=
  Illegal argument - start must be greater than zero
  FAILED
  code 1
  $ for start in =many =32M ""; do range --start$start; done
  Must specify a starting size in range mode
  See --help for more information
  FAILED
  code 1
  Must specify a starting size in range mode
  See --help for more information
  FAILED
  code 1
  Must specify a starting size in range mode
  See --help for more information
  FAILED
  code 1
  $ range --start=1 --end=1 --increment=0
  Illegal argument - increment must be greater than zero
  FAILED
  code 1

More than the device's largest buffer:

  $ machine most=1000000
  $ range --start=1000001 --end=1000001 --increment=1 --dtod
  device to device, 1000001 bytes: 1000001 bytes are more than the 1000000 that OpenCL gives in one buffer
  FAILED
  code 1

No OpenCL, no driver for it, no device, one that is not to be had:

  $ WIRESPEED_OPENCL_LIB=/none ocl
   Error -1001 in clGetPlatformIDs Call !!!
  OpenCL error: /none: cannot open shared object file: No such file or directory from WIRESPEED_OPENCL_LIB
  FAILED
  code 1
  $ machine platforms=0; ocl 2>&1 | sed 's/: .*libopencl_fake.so/: .../'
   Error -1001 in clGetPlatformIDs Call !!!
  OpenCL error: ... finds no platform: no OpenCL driver is installed
  FAILED
  code 1
  $ machine devices=0; ocl 2>&1 | sed 's/: .*libopencl_fake.so/: .../'
   Error -1001 in clGetPlatformIDs Call !!!
  OpenCL error: ... finds no device
  FAILED
  code 1
  $ machine available=0; ocl
  OpenCL error: device 0: the OpenCL runtime says that the device is not available
  FAILED
  code 1

Wrong data has no figure; the tool, which never looks, would say PASSED. And an error of the runtime in the middle:

  $ machine wrong=last; range --start=65536 --end=65536 --increment=1 --memory=pinned | sed 's/expected.*/.../'
  host to device, 65536 bytes: wrong data: 1 words differ, the first at byte 65532 of item 1: ...
  FAILED
  code 1
  $ machine break=50; range --start=65536 --end=65536 --increment=1 --memory=pinned | sed 's/bytes: .*/bytes: .../'
  host to device, 65536 bytes: ...
  FAILED
  code 1
