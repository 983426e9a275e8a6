Every probe that OpenCL's devices can be asked for, on the real thing: PoCL, whose device is this machine's processor.

  $ wirespeed machine --backend opencl | grep -q 'ocl0 .*Portable Computing Language' || . skip "no PoCL here"
  $ run() { wirespeed "$@" --backend host,opencl --device ocl0 --samples 6 --format csv -o out; echo "code $?"; }
  $ show() { /usr/bin/python3 -c 'import csv; [print(s) for s in sorted({" ".join(filter(None, (r["probe"], r["status"], r["value"] and "verified=" + r["verified"], r["reason"]))) for r in csv.DictReader(open("out", newline="")) if r["status"] != "measured" or r["verified"] != "yes"})]'; }

Figures are there and verified, or a reason is:

  $ run copy memory calls kinds --size 64K; show
  code 0
  all_to_host_bidirectional_memcpy_sm not_applicable engine "sm" of an OpenCL device does not offer "<->": OpenCL kernels have no clock to read, so the two ways of one kernel cannot be told apart
  device_map_ce not_applicable a map of ocl0 moves nothing: host and device use the same memory (zero copy)
  device_to_host_bidirectional_memcpy_sm not_applicable engine "sm" of an OpenCL device does not offer "<->": OpenCL kernels have no clock to read, so the two ways of one kernel cannot be told apart
  device_to_host_memcpy_sm_kinds not_applicable kernels of ocl0 do not reach pageable host memory; pinned, mapped and svm they do
  device_unmap_ce not_applicable a map of ocl0 moves nothing: host and device use the same memory (zero copy)
  host_to_all_bidirectional_memcpy_sm not_applicable engine "sm" of an OpenCL device does not offer "<->": OpenCL kernels have no clock to read, so the two ways of one kernel cannot be told apart
  host_to_device_bidirectional_memcpy_sm not_applicable engine "sm" of an OpenCL device does not offer "<->": OpenCL kernels have no clock to read, so the two ways of one kernel cannot be told apart
  host_to_device_memcpy_sm_kinds not_applicable kernels of ocl0 do not reach pageable host memory; pinned, mapped and svm they do
  $ cut -d, -f1 out | sort -u | grep -c 'device\|all'
  36
  $ run sweep --sizes 4K..64K; show
  code 0
  $ cut -d, -f1 out | sort -u | grep -c sweep
  6

A map's time for each call is a figure also where nothing is moved; a rate is none:

  $ echo 'map ocl0 by ocl0.ce 1M ungated marks' | wirespeed --plan - --samples 3 --format csv | cut -d, -f4,5,7,10 | tail -3
  step=1,bandwidth,,measured
  step=1,time,*,measured (glob)
  step=1,latency,*,measured (glob)

The figures say that it is no device of its own:

  $ wirespeed host_to_device_memcpy_ce --device ocl0 --size 64K --samples 6 | sed -n '/^limit/,$p' | tr -s ' \n' ' ' | grep -o 'ocl0 is a processor: host memory through OpenCL'
  ocl0 is a processor: host memory through OpenCL
