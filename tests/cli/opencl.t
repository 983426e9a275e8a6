OpenCL in full on a fake: kinds of host memory, kernels, maps, and what a device cannot do.

  $ export WIRESPEED_OPENCL_LIB=$WS_FAKE_OPENCL WIRESPEED_CUDA_LIB=/nonexistent
  $ show() { /usr/bin/python3 -c 'import csv; [print(*filter(str.strip, (r["coords"], r["status"], r["value"], r["verified"] if r["value"] else "", r["reason"]))) for r in csv.DictReader(open("out", newline="")) if r["quantity"] == "bandwidth"]'; }
  $ run() { export FAKE_OPENCL="$1"; shift; wirespeed --samples 6 --format csv -o out "$@"; echo "code $?"; show; }

Every kind of host memory that OpenCL knows; what pageable memory takes is the host's own time:

  $ run "svm=1 write_gb_s=8" host_to_device_memcpy_ce_kinds --size 64K | sed '/pageable/s/measured [0-9.]*/measured X/'
  code 0
  memory=pageable:4k column=ocl0 row=host0 measured X yes
  memory=pageable:thp column=ocl0 row=host0 measured X yes
  memory=pinned column=ocl0 row=host0 measured 8 yes
  memory=mapped:4k column=ocl0 row=host0 measured 8 yes
  memory=mapped:thp column=ocl0 row=host0 measured 8 yes
  memory=svm column=ocl0 row=host0 measured 8 yes
  $ run "read_gb_s=4" device_to_host_memcpy_sm_kinds --size 64K
  code 3
  memory=pageable:4k column=ocl0 row=host0 not_applicable kernels of ocl0 do not reach pageable host memory; pinned, mapped and svm they do
  memory=pageable:thp column=ocl0 row=host0 not_applicable kernels of ocl0 do not reach pageable host memory; pinned, mapped and svm they do
  memory=pinned column=ocl0 row=host0 measured 4 yes
  memory=mapped:4k column=ocl0 row=host0 measured 4 yes
  memory=mapped:thp column=ocl0 row=host0 measured 4 yes
  memory=svm column=ocl0 row=host0 not_applicable ocl0 offers no shared virtual memory
  $ run "" host_to_device_memcpy_ce --memory wc --size 64K
  code 3
  row=host0 column=ocl0 not_applicable OpenCL offers no host memory of kind wc

Devices measured together go on until the others are, too, and that is in no figure:

  $ run "devices=2 read_gb_s=8 1:read_gb_s=4" all_to_host_memcpy_ce --size 256K
  code 0
  row=host0 column=ocl0 measured 8 yes
  row=host0 column=ocl1 measured 4 yes

Both ways at once, and a device's own memory:

  $ run "write_gb_s=8 read_gb_s=4" host_to_device_bidirectional_memcpy_ce host_to_device_memcpy_sm_sweep --size 64K/256K --sizes 64K..128K
  code 0
  row=host0 column=ocl0 measured 8 yes
  size=64K column=ocl0 row=host0 measured 8 yes
  size=128K column=ocl0 row=host0 measured 8 yes
  $ run "local_gb_s=50" device_local_copy device_local_copy_sm device_local_read_sm device_local_write_sm --size 1000000
  code 0
  row=ocl0 measured 100 yes
  row=ocl0 measured 100 yes
  row=ocl0 measured 50 yes
  row=ocl0 measured 50 yes

A map of memory that host and device share moves nothing, and has a cost for each call but no bandwidth:

  $ run "" device_map_ce device_unmap_ce --size 64K | sed 's/measured [0-9.]*/measured X/'
  code 0
  row=ocl0 measured X yes
  row=ocl0 measured X yes
  $ run "zero_copy=1" device_map_ce device_unmap_ce --size 64K
  code 3
  row=ocl0 not_applicable a map of ocl0 moves nothing: host and device use the same memory (zero copy)
  row=ocl0 not_applicable a map of ocl0 moves nothing: host and device use the same memory (zero copy)
  $ for maps in 0 1; do FAKE_OPENCL="zero_copy=$maps" wirespeed '*_latency_ce' device_launch_latency_sm --samples 6 --format csv -o out; echo "code $?"; cut -d, -f1,5,6,10,15 out | grep p50; done
  code 0
  device_launch_latency_sm,p50,ns,measured,yes
  host_to_device_latency_ce,p50,ns,measured,yes
  device_to_host_latency_ce,p50,ns,measured,yes
  device_map_latency_ce,p50,ns,measured,yes
  device_unmap_latency_ce,p50,ns,measured,yes
  code 0
  device_launch_latency_sm,p50,ns,measured,yes
  host_to_device_latency_ce,p50,ns,measured,yes
  device_to_host_latency_ce,p50,ns,measured,yes
  device_map_latency_ce,p50,ns,measured,yes
  device_unmap_latency_ce,p50,ns,measured,yes

A runtime that works on a copy of the host's memory would copy inside the device; what takes the memory's address is
not concerned:

  $ run "copies_host=1 svm=1" host_to_device_memcpy_ce_kinds --size 64K | sed '/pageable/s/measured [0-9.]*/measured X/'
  code 3
  memory=pageable:4k column=ocl0 row=host0 measured X yes
  memory=pageable:thp column=ocl0 row=host0 measured X yes
  memory=pinned column=ocl0 row=host0 measured 9.99938968568813 yes
  memory=mapped:4k column=ocl0 row=host0 not_applicable of mapped memory the runtime keeps a copy on ocl0, and works on that
  memory=mapped:thp column=ocl0 row=host0 not_applicable of mapped memory the runtime keeps a copy on ocl0, and works on that
  memory=svm column=ocl0 row=host0 not_applicable of svm memory the runtime keeps a copy on ocl0, and works on that
  $ run "copies_host=1" host_to_device_memcpy_sm --size 64K
  code 3
  row=host0 column=ocl0 not_applicable of pinned memory the runtime keeps a copy on ocl0, and works on that

A runtime that cannot compile a kernel, one that says so beforehand, and what no kernel of OpenCL can do:

  $ run "no_build=1" device_local_read_sm --size 64K
  code 3
  row=ocl0 failed ocl0: clBuildProgram: error -11: the runtime cannot compile a kernel: made up:1: error: this compiler compiles nothing
  $ run "compiler=0" device_local_read_sm --size 64K
  code 3
  not_applicable ocl0 has no engine sm
  $ FAKE_OPENCL="" wirespeed host_to_device_bidirectional_memcpy_sm host_device_latency_sm device_local_copy_tma host_device_pingpong_sm device_to_device_memcpy_read_sm --format csv | cut -d, -f1,10- | grep -v fixed_cost | grep -o '[^,]*,not_applicable,.*' | sed 's/,0,0,,no,.*$//' | sort -u
  device_local_copy_tma,not_applicable,there is no cuda device; OpenCL cannot do it: it offers no bulk-copy unit
  device_to_device_memcpy_read_sm,not_applicable,there is no cuda device; OpenCL cannot do it: its devices do not reach each other's memory by themselves
  host_device_latency_sm,not_applicable,there is no cuda device; OpenCL cannot do it: its kernels have no clock
  host_device_pingpong_sm,not_applicable,there is no cuda device; OpenCL cannot do it: its kernels do not see what others store while they run
  host_to_device_bidirectional_memcpy_sm,not_applicable,"engine ""sm"" of an OpenCL device does not offer ""<->"": OpenCL kernels have no clock to read, so the two ways of one kernel cannot be told apart"

A device that is not there, and more than it gives in one buffer:

  $ FAKE_OPENCL="" wirespeed host_to_device_memcpy_ce --device ocl99 2>&1 | cut -d';' -f1; echo "code ${PIPESTATUS[0]}"
  wirespeed: --device: there is no place ocl99 on this machine
  code 64
  $ run "most=1000000" host_to_device_memcpy_ce --size 1M
  code 3
  row=host0 column=ocl0 failed 1048576 bytes are more than the 1000000 that OpenCL gives in one buffer

Figures of a processor say what they are:

  $ FAKE_OPENCL="processor=1" wirespeed device_local_read_sm --size 64K --samples 6 | grep -A1 '^limit'
  limit: not known (ocl0 is a processor: host memory through OpenCL, which tells
         no speed)

One device under two platforms, by either extension's PCI address or by UUID, is measured once:

  $ machine() { FAKE_OPENCL="$1" wirespeed machine | grep '  ocl'; }
  $ machine "devices=3 platforms=2 bus=1 1:bus=0 1:nv_bus=1 1:platform=1 2:bus=2"
    ocl0        Made-up device (Made up), 16.0 GiB, engines: ce sm, SIMULATED
    ocl1        Made-up device (Made up), 16.0 GiB, engines: ce sm, SIMULATED
    ocl2        Made-up device (Made up, too), 16.0 GiB, engines: ce sm, same as ocl0, SIMULATED
  $ machine "devices=2 platforms=2 uuid=7 1:platform=1"
    ocl0        Made-up device (Made up), 16.0 GiB, engines: ce sm, SIMULATED
    ocl1        Made-up device (Made up, too), 16.0 GiB, engines: ce sm, same as ocl0, SIMULATED
  $ machine "devices=2 bus=3 uuid=7 1:uuid=8"
    ocl0        Made-up device (Made up), 16.0 GiB, engines: ce sm, SIMULATED
    ocl1        Made-up device (Made up), 16.0 GiB, engines: ce sm, SIMULATED
  $ run "devices=2 platforms=2 uuid=7 1:platform=1" host_to_device_memcpy_ce --size 100000
  code 0
  row=host0 column=ocl0 measured 10 yes
  $ run "devices=2 uuid=7 1:uuid=8" host_to_device_memcpy_ce --size 100000 --device GPU-08080808-0808
  code 0
  row=host0 column=ocl1 measured 10 yes
  $ run "devices=2 platforms=2 uuid=7 1:platform=1" host_to_device_memcpy_ce --size 100000 --device ocl1
  code 0
  row=host0 column=ocl1 measured 10 yes

Between two devices of a platform the runtime goes a way of its own, which is timed by the host's clock:

  $ run "devices=2" device_to_device_memcpy_read_ce device_to_device_bidirectional_memcpy_write_ce --size 64K | sed 's/measured [0-9.]*/measured X/'
  code 0
  row=ocl0 column=ocl1 measured X yes
  row=ocl1 column=ocl0 measured X yes
  $ FAKE_OPENCL="devices=2" wirespeed device_to_device_memcpy_write_ce --size 64K --samples 6 | grep '^limit'
  limit: not known (path unknown: the OpenCL runtime chooses it)
  $ run "devices=2 platforms=2 1:platform=1" device_to_device_memcpy_read_ce --size 64K
  code 3
  row=ocl0 column=ocl1 not_applicable ocl1 and ocl0 are of two platforms, and share no context
  row=ocl1 column=ocl0 not_applicable ocl0 and ocl1 are of two platforms, and share no context
  $ echo 'ocl0 -> ocl1 by ocl0.ce 64K ungated' >plan; run "devices=2 platforms=2 1:platform=1" --plan plan
  code 3
  step=1 not_applicable ocl0 and ocl1 are of two platforms, and share no context
  $ echo 'ocl0 -> ocl1 by ocl1.ce 64K' >plan; run "devices=2" --plan plan
  code 3
  step=1 not_applicable what is timed call by call cannot wait behind a gate; the item must say "ungated"
  $ echo 'ocl0 -> ocl1 by ocl2.ce 64K ungated' >plan; run "devices=3" --plan plan
  code 3
  step=1 not_applicable ocl2 copies from or to its own memory only

A default size is one that every buffer can have:

  $ FAKE_OPENCL="most=5000000" wirespeed host_to_device_memcpy_ce --dry-run | tail -1
  host_to_device_memcpy_ce[row=host0 column=ocl0]: host0:pinned -> ocl0 by ocl0.ce 1M/4M
