oclBandwidthTest of NVIDIA's OpenCL SDK 4.2: its command line in and its text out, on devices of a fake OpenCL. What is below
was written from the tool's own text.

  $ export WIRESPEED_OPENCL_LIB=$WS_FAKE_OPENCL WIRESPEED_CUDA_LIB=/nonexistent
  $ [ -e "$WS_FAKE_OPENCL" ] || . skip "no fake OpenCL beside this binary"
  $ ln -s "$(command -v wirespeed)" oclBandwidthTest
  $ ocl() { export FAKE_OPENCL="nvidia=1 $1"; shift; ./oclBandwidthTest "$@" 2>err; code=$?; grep -v '^SIMULATED: opencl is a fake' err; echo "code $code"; }
  $ range() { machine=$1; size=$2; shift 2; ocl "$machine" --noprompt --mode=range --start=$size --end=$size --increment=1 "$@"; }

Pinned memory; 8 GB/s are 8e9 / 2^20 MB/s, and a copy inside a device counts twice. The program waits 3 seconds at its end:

  $ ocl "write_gb_s=8 read_gb_s=4 local_gb_s=50" --memory=pinned | sed 's/^> exit/: exit/'
  [oclBandwidthTest] starting...
  
  ./oclBandwidthTest Starting...
  
  Running on...
  
  Made-up device
  
  Quick Mode
  
  Host to Device Bandwidth, 1 Device(s), Pinned memory, direct access
     Transfer Size (Bytes)\tBandwidth(MB/s) (esc)
     33554432\t\t\t7629.4 (esc)
  
  Device to Host Bandwidth, 1 Device(s), Pinned memory, direct access
     Transfer Size (Bytes)\tBandwidth(MB/s) (esc)
     33554432\t\t\t3814.7 (esc)
  
  Device to Device Bandwidth, 1 Device(s)
     Transfer Size (Bytes)\tBandwidth(MB/s) (esc)
     33554432\t\t\t95367.4 (esc)
  
  [oclBandwidthTest] test results...
  PASSED
  
  : exiting in 3 seconds: 3...2...1...done!
  
  code 0
  $ cat err
  SIMULATED: opencl is a fake, no figure of it is real

The log has what the samples' own functions print, without what their test harness does:

  $ cat oclBandwidthTest.txt
  ./oclBandwidthTest Starting...
  
  Running on...
  
  Made-up device
  
  Quick Mode
  
  Host to Device Bandwidth, 1 Device(s), Pinned memory, direct access
     Transfer Size (Bytes)\tBandwidth(MB/s) (esc)
     33554432\t\t\t7629.4 (esc)
  
  Device to Host Bandwidth, 1 Device(s), Pinned memory, direct access
     Transfer Size (Bytes)\tBandwidth(MB/s) (esc)
     33554432\t\t\t3814.7 (esc)
  
  Device to Device Bandwidth, 1 Device(s)
     Transfer Size (Bytes)\tBandwidth(MB/s) (esc)
     33554432\t\t\t95367.4 (esc)
  

Pageable memory is the default. What it takes is the host's own time:

  $ ocl "" --noprompt | sed 's/\t[0-9.]*$/\tN/'
  [oclBandwidthTest] starting...
  
  ./oclBandwidthTest Starting...
  
  Running on...
  
  Made-up device
  
  Quick Mode
  
  Host to Device Bandwidth, 1 Device(s), Paged memory, direct access
     Transfer Size (Bytes)\tBandwidth(MB/s) (esc)
     33554432\t\t\tN (esc)
  
  Device to Host Bandwidth, 1 Device(s), Paged memory, direct access
     Transfer Size (Bytes)\tBandwidth(MB/s) (esc)
     33554432\t\t\tN (esc)
  
  Device to Device Bandwidth, 1 Device(s)
     Transfer Size (Bytes)\tBandwidth(MB/s) (esc)
     33554432\t\t\tN (esc)
  
  [oclBandwidthTest] test results...
  PASSED
  
  code 0

A range of sizes, here of two:

  $ ocl "write_gb_s=8" --noprompt --mode=range --start=4000 --end=13000 --increment=8000 --memory=pinned --htod | sed -n '/Range/,/^$/p;/Host/,/^$/p'
  Range Mode
  
  Host to Device Bandwidth, 1 Device(s), Pinned memory, direct access
     Transfer Size (Bytes)\tBandwidth(MB/s) (esc)
     4000\t\t\t\t7629.4 (esc)
     12000\t\t\t7629.4 (esc)
  

Lines of keys and values, which also go to a table of all samples; every kind of memory and access:

  $ rm -f SdkMasterLog.csv
  $ range "write_gb_s=8 read_gb_s=4 local_gb_s=50" 8000000 --csv --memory=pinned | grep ^ocl
  oclBandwidthTest-H2D-Pinned-Direct, Bandwidth = 7629.4 MB/s, Time = 0.00100 s, Size = 8000000 Bytes, NumDevsUsed = 1
  oclBandwidthTest-D2H-Pinned-Direct, Bandwidth = 3814.7 MB/s, Time = 0.00200 s, Size = 8000000 Bytes, NumDevsUsed = 1
  oclBandwidthTest-D2D, Bandwidth = 95367.4 MB/s, Time = 0.00008 s, Size = 8000000 Bytes, NumDevsUsed = 1
  $ cat SdkMasterLog.csv
  oclBandwidthTest-H2D-Pinned-Direct, Bandwidth = 7629.4 MB/s, Time = 0.00100 s, Size = 8000000 Bytes, NumDevsUsed = 1
  oclBandwidthTest-D2H-Pinned-Direct, Bandwidth = 3814.7 MB/s, Time = 0.00200 s, Size = 8000000 Bytes, NumDevsUsed = 1
  oclBandwidthTest-D2D, Bandwidth = 95367.4 MB/s, Time = 0.00008 s, Size = 8000000 Bytes, NumDevsUsed = 1
  $ tail -3 oclBandwidthTest.txt | cut -d, -f1
  oclBandwidthTest-H2D-Pinned-Direct
  oclBandwidthTest-D2H-Pinned-Direct
  oclBandwidthTest-D2D
  $ for memory in pageable pinned; do for access in direct mapped; do range "" 65536 --csv --memory=$memory --access=$access | grep '^ocl.*2[HD]-' | sed 's/, Band.*Size/, ... Size/'; done; done
  oclBandwidthTest-H2D-Paged-Direct, ... Size = 65536 Bytes, NumDevsUsed = 1
  oclBandwidthTest-D2H-Paged-Direct, ... Size = 65536 Bytes, NumDevsUsed = 1
  oclBandwidthTest-H2D-Paged-Mapped, ... Size = 65536 Bytes, NumDevsUsed = 1
  oclBandwidthTest-D2H-Paged-Mapped, ... Size = 65536 Bytes, NumDevsUsed = 1
  oclBandwidthTest-H2D-Pinned-Direct, ... Size = 65536 Bytes, NumDevsUsed = 1
  oclBandwidthTest-D2H-Pinned-Direct, ... Size = 65536 Bytes, NumDevsUsed = 1
  oclBandwidthTest-H2D-Pinned-Mapped, ... Size = 65536 Bytes, NumDevsUsed = 1
  oclBandwidthTest-D2H-Pinned-Mapped, ... Size = 65536 Bytes, NumDevsUsed = 1
  $ head -c 50001 /dev/zero >SdkMasterLog.csv; range "" 65536 --csv --memory=pinned --dtod >out; cut -d, -f1 SdkMasterLog.csv
  oclBandwidthTest-D2D

A mapped copy is mapped and unmapped each time: 4 untimed and 100 timed copies, and nothing else maps a device's memory:

  $ export FAKE_OPENCL_LOG=$PWD/calls
  $ range "" 65536 --htod --access=mapped >out; grep -c clEnqueueMapBuffer calls; grep -c clEnqueueUnmapMemObject calls
  104
  104
  $ unset FAKE_OPENCL_LOG

Two devices and eight, which run at the same time; eight have more copies than a queue holds:

  $ range "devices=2 write_gb_s=8 1:write_gb_s=4" 8000000 --memory=pinned --device=all --htod
  [oclBandwidthTest] starting...
  
  ./oclBandwidthTest Starting...
  
  
  !!!Cumulative Bandwidth to be computed from all the devices !!!
  
  Running on...
  
  Made-up device
  Made-up device
  
  Range Mode
  
  Host to Device Bandwidth, 2 Device(s), Pinned memory, direct access
     Transfer Size (Bytes)\tBandwidth(MB/s) (esc)
     8000000\t\t\t11444.1 (esc)
  
  [oclBandwidthTest] test results...
  PASSED
  
  code 0
  $ range "devices=8 write_gb_s=8" 8000 --memory=pinned --device=all --htod --csv | grep -v '^$'
  [oclBandwidthTest] starting...
  ./oclBandwidthTest Starting...
  !!!Cumulative Bandwidth to be computed from all the devices !!!
  Running on...
  Made-up device
  Made-up device
  Made-up device
  Made-up device
  Made-up device
  Made-up device
  Made-up device
  Made-up device
  Range Mode
  oclBandwidthTest-H2D-Pinned-Direct, Bandwidth = 61035.2 MB/s, Time = 0.00000 s, Size = 8000 Bytes, NumDevsUsed = 8
  [oclBandwidthTest] test results...
  PASSED
  code 0
  $ range "devices=2 1:write_gb_s=4" 8000 --memory=pinned --device=1 --htod --csv | grep ^ocl
  oclBandwidthTest-H2D-Pinned-Direct, Bandwidth = 3814.7 MB/s, Time = 0.00000 s, Size = 8000 Bytes, NumDevsUsed = 1

NVIDIA's platform is taken if there is one, else the first; processors only of a platform that has nothing else:

  $ two="devices=3 platforms=2 0:write_gb_s=1 1:write_gb_s=2 2:write_gb_s=4 1:platform=1 2:platform=1 1:processor=1"
  $ show() { grep -E '^(WARN|Made|ocl)' | sed 's/, Time.*//'; }
  $ range "$two nvidia=2" 8000 --csv --htod --memory=pinned --device=all | show
  Made-up device
  oclBandwidthTest-H2D-Pinned-Direct, Bandwidth = 3814.7 MB/s
  $ range "$two nvidia=0" 8000 --csv --htod --memory=pinned --device=all | show
  WARNING: NVIDIA OpenCL platform not found - defaulting to first platform!
  Made-up device
  oclBandwidthTest-H2D-Pinned-Direct, Bandwidth = 953.7 MB/s
  $ range "devices=1 processor=1 write_gb_s=8" 8000 --csv --htod --memory=pinned | show
  Made-up device
  oclBandwidthTest-H2D-Pinned-Direct, Bandwidth = 7629.4 MB/s

Words of the test harness, any number of dashes, any case, the last of those that contradict:

  $ ocl "" -qatest ---NOPROMPT --mode=slow | grep '&&&&'
  &&&& RUNNING oclBandwidthTest -qatest ---NOPROMPT --mode=slow
  &&&& FAILED oclBandwidthTest -qatest ---NOPROMPT --mode=slow
  $ echo | ocl "" --noprompt --prompt --mode=slow | tail -6
  [oclBandwidthTest] test results...
  FAILED
  
  
  Press <Enter> to exit...
  code 1
  $ ocl "" --prompt --noprompt --mode=slow </dev/null | tail -4
  [oclBandwidthTest] test results...
  FAILED
  
  code 1

Help needs no OpenCL, and ends at once:

  $ WIRESPEED_OPENCL_LIB=none ocl "" --help | sed -n '1,5p;/^--/p;/results/,$p' | cut -f1
  [oclBandwidthTest] starting...
  
  ./oclBandwidthTest Starting...
  
  Usage:  oclBandwidthTest [OPTION]...
  --help
  --csv
  --device=[device_number]
  --access=[ACCESSMODE]
  --memory=[MEMMODE]
  --mode=[MODE]
  --htod
  --dtoh
  --dtod
  --noprompt
  --prompt
  --start=[SIZE]
  --end=[SIZE]
  --increment=[SIZE]
  [oclBandwidthTest] test results...
  PASSED
  
  code 0

What this does otherwise than the tool is said on stderr only if asked:

  $ WIRESPEED_NOTES=1 range "devices=2 processor=1" 8000 --htod --access=mapped --device=all | grep '^wirespeed: note'
  wirespeed: note: a processor is measured: host memory by OpenCL; oclBandwidthTest knows only GPUs
  wirespeed: note: the devices are measured at the same time; oclBandwidthTest measures one after another and adds up
  wirespeed: note: every copy is mapped and unmapped; oclBandwidthTest maps once for all of them
  wirespeed: note: every transfer is verified, and untimed copies precede the timed ones; oclBandwidthTest does neither

A folder that cannot be written to costs the files, not the run:

  $ mkdir none && ln -s missing/x none/oclBandwidthTest.txt && ln -s missing/x none/SdkMasterLog.csv && cd none
  $ FAKE_OPENCL="nvidia=1" ../oclBandwidthTest --noprompt --csv --mode=range --start=8000 --end=8000 --increment=1 --dtod 2>err | tail -2
  PASSED
  
  $ grep -v SIMULATED err
  cannot write oclBandwidthTest.txt: No such file or directory
  cannot write SdkMasterLog.csv: No such file or directory
  $ cd .. && mkdir full && ln -s /dev/full full/oclBandwidthTest.txt && cd full
  $ ../oclBandwidthTest --noprompt --mode=slow 2>&1 >/dev/null | grep -v SIMULATED
  cannot write oclBandwidthTest.txt: No space left on device

A signal ends what the program waits for at its end: a newline, and the 3 seconds. (137: it had to be killed.)

  $ cd ..; mkfifo nobody
  $ for signal in INT TERM; do timeout --preserve-status -s $signal -k 5 1 ./oclBandwidthTest --prompt --mode=slow <>nobody 2>/dev/null | tail -1; echo "code ${PIPESTATUS[0]}"; done
  Press <Enter> to exit...
  code 130
  Press <Enter> to exit...
  code 143
  $ timeout --preserve-status -s TERM 1 ./oclBandwidthTest --mode=slow 2>/dev/null | grep -c '1\.\.\.'
  0
  [1]
