What a plan says is what the driver is called with.

  $ export WIRESPEED_OPENCL_LIB=$WS_FAKE_OPENCL FAKE_OPENCL=devices=2 FAKE_OPENCL_LOG=$PWD/calls
  $ keys() { /usr/bin/python3 -c 'import json, sys; print(*sorted(json.dumps([t["probe"], sorted(c["coords"].items()), c["plan"]]) for t in json.load(open(sys.argv[1]))["tables"] for c in t["cells"]), sep="\n")' "$1"; }
  $ wish="--size 64K/128K --samples 6 --host-node 0"
  $ wirespeed host_to_device_memcpy_ce device_to_host_memcpy_ce $wish --dry-run | tee plan
  with samples=6 verify=ends statistic=median precision=0.005 time-limit=1s timeout=30s seed=1
  host_to_device_memcpy_ce[row=host0 column=ocl0]: host0:pinned -> ocl0 by ocl0.ce 64K/128K
  host_to_device_memcpy_ce[row=host0 column=ocl1]: host0:pinned -> ocl1 by ocl1.ce 64K/128K
  device_to_host_memcpy_ce[row=host0 column=ocl0]: ocl0 -> host0:pinned by ocl0.ce 64K/128K
  device_to_host_memcpy_ce[row=host0 column=ocl1]: ocl1 -> host0:pinned by ocl1.ce 64K/128K

A replay has the same cells with the same plan:

  $ wirespeed host_to_device_memcpy_ce device_to_host_memcpy_ce $wish --format json -o first.json
  $ wirespeed --plan plan --format json -o second.json
  $ keys first.json >first; keys second.json | cmp - first; wc -l <first
  4

The driver's own calls, from a plan of one copy, and from that with another size, engine, direction and number of loops:

  $ calls() { rm -f calls; { echo "with samples=2 verify=none lead=1"; echo "$1"; } | wirespeed --plan - >/dev/null; grep -v 'clGet\|Event\|Flush\|Context\|CommandQueue' calls | uniq -c | sed 's/^ *//'; }
  $ calls "a: host0:pinned -> ocl0 by ocl0.ce 64K x3"
  1 clCreateBuffer ocl0 65536
  1 clEnqueueMapBuffer ocl0 65536
  1 clCreateBuffer ocl0 65536
  1 clEnqueueWriteBuffer ocl0 65536
  1 clEnqueueMarkerWithWaitList ocl0 0
  4 clEnqueueWriteBuffer ocl0 65536
  1 clEnqueueMarkerWithWaitList ocl0 0
  4 clEnqueueWriteBuffer ocl0 65536
  1 clReleaseMemObject ocl0 65536
  1 clEnqueueUnmapMemObject ocl0 65536
  1 clReleaseMemObject ocl0 65536
  $ calls "a: host0:pinned -> ocl0 by ocl0.ce 96K x3"
  1 clCreateBuffer ocl0 98304
  1 clEnqueueMapBuffer ocl0 98304
  1 clCreateBuffer ocl0 98304
  1 clEnqueueWriteBuffer ocl0 98304
  1 clEnqueueMarkerWithWaitList ocl0 0
  4 clEnqueueWriteBuffer ocl0 98304
  1 clEnqueueMarkerWithWaitList ocl0 0
  4 clEnqueueWriteBuffer ocl0 98304
  1 clReleaseMemObject ocl0 98304
  1 clEnqueueUnmapMemObject ocl0 98304
  1 clReleaseMemObject ocl0 98304
  $ calls "a: host0:pinned -> ocl1 by ocl1.ce 64K x3"
  1 clCreateBuffer ocl1 65536
  1 clEnqueueMapBuffer ocl1 65536
  1 clCreateBuffer ocl1 65536
  1 clEnqueueWriteBuffer ocl1 65536
  1 clEnqueueMarkerWithWaitList ocl1 0
  4 clEnqueueWriteBuffer ocl1 65536
  1 clEnqueueMarkerWithWaitList ocl1 0
  4 clEnqueueWriteBuffer ocl1 65536
  1 clReleaseMemObject ocl1 65536
  1 clEnqueueUnmapMemObject ocl1 65536
  1 clReleaseMemObject ocl1 65536
  $ calls "a: ocl0 -> host0:pinned by ocl0.ce 64K x3"
  2 clCreateBuffer ocl0 65536
  1 clEnqueueMapBuffer ocl0 65536
  1 clEnqueueWriteBuffer ocl0 65536
  1 clEnqueueMarkerWithWaitList ocl0 0
  4 clEnqueueReadBuffer ocl0 65536
  1 clEnqueueMarkerWithWaitList ocl0 0
  4 clEnqueueReadBuffer ocl0 65536
  1 clEnqueueUnmapMemObject ocl0 65536
  2 clReleaseMemObject ocl0 65536
  $ calls "a: host0:pinned -> ocl0 by ocl0.ce 64K x5"
  1 clCreateBuffer ocl0 65536
  1 clEnqueueMapBuffer ocl0 65536
  1 clCreateBuffer ocl0 65536
  1 clEnqueueWriteBuffer ocl0 65536
  1 clEnqueueMarkerWithWaitList ocl0 0
  6 clEnqueueWriteBuffer ocl0 65536
  1 clEnqueueMarkerWithWaitList ocl0 0
  6 clEnqueueWriteBuffer ocl0 65536
  1 clReleaseMemObject ocl0 65536
  1 clEnqueueUnmapMemObject ocl0 65536
  1 clReleaseMemObject ocl0 65536
