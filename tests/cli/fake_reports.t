Devices of a fake OpenCL, whose figures follow from its description (tests/fake/opencl_machine.h): all of this is exact.

  $ export WIRESPEED_OPENCL_LIB=$WS_FAKE_OPENCL
  $ copies="wirespeed host_to_device_memcpy_ce --samples 6 --size 64K/256K --host-node 0"
  $ plain() { sed 's/; [0-9.e-]* s$/; TIME/' | awk '/^limit:/ { cut = 1; next } cut && /^  / { next } { cut = 0; print }'; }
  $ text() { FAKE_OPENCL="$*" $copies | plain; }

Text, and what is not real is said:

  $ text devices=1 write_gb_s=8 fixed_ns=1500
  host_to_device_memcpy_ce: a device's copy engine copies from host memory to its
                            own
    SIMULATED: these figures come from a stand-in for a driver
    bandwidth in GB/s (each byte once), higher is better
    fixed_cost in us, lower is better
    slope between 64K and 256K, by ce
  
  column=ocl0
         bandwidth  fixed_cost
              GB/s          us
  host0      8.000       1.500
  
  spread: not known; 12 samples
  
  1 cell: 1 measured (1 verified); TIME
  $ text devices=2 write_gb_s=8 1:write_gb_s=4
  host_to_device_memcpy_ce: a device's copy engine copies from host memory to its
                            own
    SIMULATED: these figures come from a stand-in for a driver
    bandwidth in GB/s (each byte once), higher is better
    fixed_cost in us, lower is better
    slope between 64K and 256K, by ce
  
  bandwidth in GB/s
          ocl0   ocl1
  host0  8.000  4.000
  
  fixed_cost in us
         ocl0  ocl1
  host0     0     0
  
  spread: not known; 12 samples a cell
  
  2 cells: 2 measured (2 verified); TIME
  $ text devices=8 write_gb_s=16 5:write_gb_s=8 5:fixed_ns=800
  host_to_device_memcpy_ce: a device's copy engine copies from host memory to its
                            own
    SIMULATED: these figures come from a stand-in for a driver
    bandwidth in GB/s (each byte once), higher is better
    fixed_cost in us, lower is better
    slope between 64K and 256K, by ce
  
  bandwidth in GB/s
          ocl0   ocl1   ocl2   ocl3   ocl4   ocl5   ocl6   ocl7
  host0  16.00  16.00  16.00  16.00  16.00  8.000  16.00  16.00
  
  fixed_cost in us
         ocl0  ocl1  ocl2  ocl3  ocl4    ocl5  ocl6  ocl7
  host0     0     0     0     0     0  0.8000     0     0
  
  spread: not known; 12 samples a cell
  
  8 cells: 8 measured (8 verified); TIME

No line is wider than a terminal, with as many devices as one likes:

  $ for devices in 1 2 8 9 64; do FAKE_OPENCL="devices=$devices 3:write_gb_s=4" $copies | awk -v n=$devices 'length > 80 { print n, $0 }'; done

Places, libraries and versions:

  $ FAKE_OPENCL="devices=2 memory=8589934592 1:available=0" wirespeed machine | grep -A1 'ocl[0-9]'
    ocl0        Made-up device (Made up), 8.0 GiB, engines: ce sm, SIMULATED
    ocl1        Made-up device (Made up), 8.0 GiB, engines: ce sm, SIMULATED
                cannot be used: the OpenCL runtime says that the device is not available
  $ wirespeed machine | grep '^  opencl' | sed "s|$WS_FAKE_OPENCL|LIBRARY|"
    opencl      open, version OpenCL 1.2 made up, LIBRARY, SIMULATED
  $ wirespeed list --here | grep '^host_to_device_memcpy_ce '
  host_to_device_memcpy_ce                         yes

JSON: the device's own clock, and figures from it:

  $ cat >show.py <<'PY'
  > import json
  > d = json.load(open("out"))
  > print(d["simulated"], [p["simulated"] for p in d["machine"]["places"] if p["place"] == "ocl1"],
  >       [b["simulated"] for b in d["machine"]["backends"] if b["name"] == "opencl"])
  > for cell in d["tables"][0]["cells"]:
  >     print(cell["coords"], cell["status"], cell["method"], cell["verified"], cell["kept"],
  >           {name: figure["value"] for name, figure in cell["quantities"].items()})
  > for step in d["steps"]:
  >     lanes = step["lanes"]
  >     times = sorted({(b, e - s) for b, s, e in zip(lanes["bytes"], lanes["start_ns"], lanes["end_ns"])})
  >     print(set(lanes["clock"]), set(lanes["gated"]), times)
  > PY
  $ FAKE_OPENCL="devices=2 write_gb_s=8 fixed_ns=1000 1:write_gb_s=32" $copies --format json -o out; /usr/bin/python3 show.py
  True [True] [True]
  {'row': 'host0', 'column': 'ocl0'} measured slope True 12 {'bandwidth': 8.0, 'fixed_cost': 1.0}
  {'row': 'host0', 'column': 'ocl1'} measured slope True 12 {'bandwidth': 32.0, 'fixed_cost': 1.0}
  {'ocl0:event'} {True} [(65536, 9192), (262144, 33768)]
  {'ocl1:event'} {True} [(65536, 3048), (262144, 9192)]

CSV, one row a cell and quantity:

  $ FAKE_OPENCL="devices=2 write_gb_s=8 read_gb_s=16 1:read_gb_s=4" $copies device_to_host_memcpy_ce --format csv | tr -d '\r'
  probe,row,column,coords,quantity,unit,value,low,high,status,reason,samples,discarded,flags,verified,method,limit,ratio,simulated,wire_bytes,wire_share
  host_to_device_memcpy_ce,host0,ocl0,row=host0 column=ocl0,bandwidth,GB/s,8,,,measured,,12,0,,yes,slope,,,yes,,
  host_to_device_memcpy_ce,host0,ocl0,row=host0 column=ocl0,fixed_cost,us,0,,,measured,,12,0,,yes,slope,,,yes,,
  host_to_device_memcpy_ce,host0,ocl1,row=host0 column=ocl1,bandwidth,GB/s,8,,,measured,,12,0,,yes,slope,,,yes,,
  host_to_device_memcpy_ce,host0,ocl1,row=host0 column=ocl1,fixed_cost,us,0,,,measured,,12,0,,yes,slope,,,yes,,
  device_to_host_memcpy_ce,host0,ocl0,row=host0 column=ocl0,bandwidth,GB/s,16,,,measured,,12,0,,yes,slope,,,yes,,
  device_to_host_memcpy_ce,host0,ocl0,row=host0 column=ocl0,fixed_cost,us,0,,,measured,,12,0,,yes,slope,,,yes,,
  device_to_host_memcpy_ce,host0,ocl1,row=host0 column=ocl1,bandwidth,GB/s,4,,,measured,,12,0,,yes,slope,,,yes,,
  device_to_host_memcpy_ce,host0,ocl1,row=host0 column=ocl1,fixed_cost,us,0,,,measured,,12,0,,yes,slope,,,yes,,

A library without a driver behind it, without a device, and one whose second platform fails:

  $ opencl() { FAKE_OPENCL=$1 wirespeed machine | grep '^  opencl' | sed "s|$WS_FAKE_OPENCL|LIBRARY|g"; }
  $ opencl platforms=0
    opencl      LIBRARY finds no platform: no OpenCL driver is installed
  $ opencl devices=0
    opencl      LIBRARY finds no device
  $ opencl fail=clGetDeviceIDs:1
    opencl      clGetDeviceIDs: error -5 (out of resources)
  $ opencl "platforms=2 fail=clGetDeviceIDs:2"
    opencl      open, version unknown, as a platform fails: clGetDeviceIDs: error -5 (out of resources), LIBRARY, SIMULATED
  $ opencl "platforms=2 fail=clGetDeviceIDs:1"
    opencl      clGetDeviceIDs: error -5 (out of resources)
