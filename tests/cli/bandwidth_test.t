bandwidthTest of the CUDA samples: its command line in and its text out, on GPUs of a fake CUDA driver. What is below was
written from version 12.8's and 7.5's own text; a copy on the fake takes 2.3 us and its bytes at 55.5 GB/s, inside a GPU at
2100 GB/s, of pageable memory at 8 GB/s to the GPU and 15.5 GB/s from it.

  $ fakes=$(dirname "$(command -v wirespeed)")/tests
  $ [ -e "$fakes/libcuda_fake.so" ] || . skip "no fake CUDA driver beside this binary"
  $ export WIRESPEED_CUDA_LIB=$fakes/libcuda_fake.so WIRESPEED_NVML_LIB=$fakes/libnvml_fake.so
  $ ln -s "$(command -v wirespeed)" bandwidthTest
  $ bwt() { ./bandwidthTest "$@" 2>err; code=$?; grep -v '^SIMULATED: cuda is a fake' err; echo "code $code"; }
  $ range() { start=$1; end=$2; shift 2; bwt --mode=range --start=$start --end=$end --increment=5000 "$@"; }

Without options; nothing on stderr but that these are no GPUs:

  $ bwt
  [CUDA Bandwidth Test] - Starting...
  Running on...
  
   Device 0: Fake GPU 0
   Quick Mode
  
   Host to Device Bandwidth, 1 Device(s)
   PINNED Memory Transfers
     Transfer Size (Bytes)\tBandwidth(GB/s) (esc)
     32000000\t\t\t55.3 (esc)
  
   Device to Host Bandwidth, 1 Device(s)
   PINNED Memory Transfers
     Transfer Size (Bytes)\tBandwidth(GB/s) (esc)
     32000000\t\t\t55.3 (esc)
  
   Device to Device Bandwidth, 1 Device(s)
   PINNED Memory Transfers
     Transfer Size (Bytes)\tBandwidth(GB/s) (esc)
     32000000\t\t\t3649.2 (esc)
  
  Result = PASS
  
  NOTE: The CUDA Samples are not meant for performance measurements. Results may vary when GPU Boost is enabled.
  code 0
  $ cat err
  SIMULATED: cuda is a fake, no figure of it is real

The text of 7.5, by an option and by the tool's name:

  $ bwt --compat=7.5
  [CUDA Bandwidth Test] - Starting...
  Running on...
  
   Device 0: Fake GPU 0
   Quick Mode
  
   Host to Device Bandwidth, 1 Device(s)
   PINNED Memory Transfers
     Transfer Size (Bytes)\tBandwidth(MB/s) (esc)
     33554432\t\t\t52728.3 (esc)
  
   Device to Host Bandwidth, 1 Device(s)
   PINNED Memory Transfers
     Transfer Size (Bytes)\tBandwidth(MB/s) (esc)
     33554432\t\t\t52728.3 (esc)
  
   Device to Device Bandwidth, 1 Device(s)
   PINNED Memory Transfers
     Transfer Size (Bytes)\tBandwidth(MB/s) (esc)
     33554432\t\t\t3501419.7 (esc)
  
  Result = PASS
  
  NOTE: The CUDA Samples are not meant for performance measurements. Results may vary when GPU Boost is enabled.
  code 0
  $ wirespeed as bandwidthTest@7.5 --csv --dtoh --dtod 2>err
  [CUDA Bandwidth Test] - Starting...
  Running on...
  
   Device 0: Fake GPU 0
   Quick Mode
  
  bandwidthTest-D2H-Pinned, Bandwidth = 52728.3 MB/s, Time = 0.00061 s, Size = 33554432 bytes, NumDevsUsed = 1
  bandwidthTest-D2D, Bandwidth = 3501419.7 MB/s, Time = 0.00001 s, Size = 33554432 bytes, NumDevsUsed = 1
  Result = PASS
  
  NOTE: The CUDA Samples are not meant for performance measurements. Results may vary when GPU Boost is enabled.

A range of sizes, as a table and as lines of keys and values; of every kind of memory:

  $ range 1000 12000 --dtoh --dtod
  [CUDA Bandwidth Test] - Starting...
  Running on...
  
   Device 0: Fake GPU 0
   Range Mode
  
   Device to Host Bandwidth, 1 Device(s)
   PINNED Memory Transfers
     Transfer Size (Bytes)\tBandwidth(GB/s) (esc)
     1000\t\t\t\t0.4 (esc)
     6000\t\t\t\t2.5 (esc)
     11000\t\t\t4.4 (esc)
  
   Device to Device Bandwidth, 1 Device(s)
   PINNED Memory Transfers
     Transfer Size (Bytes)\tBandwidth(GB/s) (esc)
     1000\t\t\t\t0.9 (esc)
     6000\t\t\t\t5.2 (esc)
     11000\t\t\t9.5 (esc)
  
  Result = PASS
  
  NOTE: The CUDA Samples are not meant for performance measurements. Results may vary when GPU Boost is enabled.
  code 0
  $ lines() { grep -E '^bandwidthTest-|Memory'; }
  $ range 65536 65536 --csv | lines
  bandwidthTest-H2D-Pinned, Bandwidth = 18.8 GB/s, Time = 0.00000 s, Size = 65536 bytes, NumDevsUsed = 1
  bandwidthTest-D2H-Pinned, Bandwidth = 18.8 GB/s, Time = 0.00000 s, Size = 65536 bytes, NumDevsUsed = 1
  bandwidthTest-D2D, Bandwidth = 56.2 GB/s, Time = 0.00000 s, Size = 65536 bytes, NumDevsUsed = 1
  $ range 65536 65536 --csv --memory=pageable | lines
  bandwidthTest-H2D-Paged, Bandwidth = 6.2 GB/s, Time = 0.00001 s, Size = 65536 bytes, NumDevsUsed = 1
  bandwidthTest-D2H-Paged, Bandwidth = 10.0 GB/s, Time = 0.00001 s, Size = 65536 bytes, NumDevsUsed = 1
  bandwidthTest-D2D, Bandwidth = 56.2 GB/s, Time = 0.00000 s, Size = 65536 bytes, NumDevsUsed = 1
  $ range 65536 65536 --csv --wc | lines
  bandwidthTest-H2D-Pinned-WriteCombined, Bandwidth = 18.8 GB/s, Time = 0.00000 s, Size = 65536 bytes, NumDevsUsed = 1
  bandwidthTest-D2H-Pinned-WriteCombined, Bandwidth = 18.8 GB/s, Time = 0.00000 s, Size = 65536 bytes, NumDevsUsed = 1
  bandwidthTest-D2D, Bandwidth = 56.2 GB/s, Time = 0.00000 s, Size = 65536 bytes, NumDevsUsed = 1
  $ range 65536 65536 --memory=pageable --htod | lines
   PAGEABLE Memory Transfers
  $ range 65536 65536 --wc --htod | lines
   PINNED Memory Transfers
   Write-Combined Memory Writes are Enabled   Transfer Size (Bytes)\tBandwidth(GB/s) (esc)

Pageable memory is not write-combined, whatever is asked:

  $ range 65536 65536 --memory=pageable --wc --htod | lines
   PAGEABLE Memory Transfers

Times by the host's clock are real ones, with the fake as with a GPU:

  $ range 65536 65536 --csv --cputiming | lines | sed 's/ = [0-9.]* GB/ = N GB/; s/Time = [0-9.]*/Time = N/'
  bandwidthTest-H2D-Pinned, Bandwidth = N GB/s, Time = N s, Size = 65536 bytes, NumDevsUsed = 1
  bandwidthTest-D2H-Pinned, Bandwidth = N GB/s, Time = N s, Size = 65536 bytes, NumDevsUsed = 1
  bandwidthTest-D2D, Bandwidth = N GB/s, Time = N s, Size = 65536 bytes, NumDevsUsed = 1

Several devices: all of them run at the same time, and their bandwidths add up:

  $ range 65536 65536 --device=all
  [CUDA Bandwidth Test] - Starting...
  
  !!!!!Cumulative Bandwidth to be computed from all the devices !!!!!!
  
  Running on...
  
   Device 0: Fake GPU 0
   Device 1: Fake GPU 1
   Range Mode
  
   Host to Device Bandwidth, 2 Device(s)
   PINNED Memory Transfers
     Transfer Size (Bytes)\tBandwidth(GB/s) (esc)
     65536\t\t\t37.7 (esc)
  
   Device to Host Bandwidth, 2 Device(s)
   PINNED Memory Transfers
     Transfer Size (Bytes)\tBandwidth(GB/s) (esc)
     65536\t\t\t37.7 (esc)
  
   Device to Device Bandwidth, 2 Device(s)
   PINNED Memory Transfers
     Transfer Size (Bytes)\tBandwidth(GB/s) (esc)
     65536\t\t\t112.4 (esc)
  
  Result = PASS
  
  NOTE: The CUDA Samples are not meant for performance measurements. Results may vary when GPU Boost is enabled.
  code 0

Eight H100s, four at a socket whose memory gives 200 GB/s: 50 GB/s each at the same time, where one after another they would
have 55.5, or 55.3 on the way back:

  $ eight() { FAKE_CUDA_MACHINE=$WS_FAKE_MACHINES/8gpu.machine range 1048576 1048576 --csv "$@" | sed '/^$/d; /^NOTE/d'; }
  $ eight --device=all
  [CUDA Bandwidth Test] - Starting...
  !!!!!Cumulative Bandwidth to be computed from all the devices !!!!!!
  Running on...
   Device 0: NVIDIA H100 80GB HBM3
   Device 1: NVIDIA H100 80GB HBM3
   Device 2: NVIDIA H100 80GB HBM3
   Device 3: NVIDIA H100 80GB HBM3
   Device 4: NVIDIA H100 80GB HBM3
   Device 5: NVIDIA H100 80GB HBM3
   Device 6: NVIDIA H100 80GB HBM3
   Device 7: NVIDIA H100 80GB HBM3
   Range Mode
  bandwidthTest-H2D-Pinned, Bandwidth = 360.5 GB/s, Time = 0.00000 s, Size = 1048576 bytes, NumDevsUsed = 8
  bandwidthTest-D2H-Pinned, Bandwidth = 360.5 GB/s, Time = 0.00000 s, Size = 1048576 bytes, NumDevsUsed = 8
  bandwidthTest-D2D, Bandwidth = 5421.8 GB/s, Time = 0.00000 s, Size = 1048576 bytes, NumDevsUsed = 8
  Result = PASS
  code 0
  $ eight --device=7
  [CUDA Bandwidth Test] - Starting...
  Running on...
   Device 7: NVIDIA H100 80GB HBM3
   Range Mode
  bandwidthTest-H2D-Pinned, Bandwidth = 49.5 GB/s, Time = 0.00002 s, Size = 1048576 bytes, NumDevsUsed = 1
  bandwidthTest-D2H-Pinned, Bandwidth = 49.3 GB/s, Time = 0.00002 s, Size = 1048576 bytes, NumDevsUsed = 1
  bandwidthTest-D2D, Bandwidth = 677.7 GB/s, Time = 0.00000 s, Size = 1048576 bytes, NumDevsUsed = 1
  Result = PASS
  code 0

A device is meant by the driver's own number, whatever our order is:

  $ range 1000 1000 --htod --device=1 | grep ' Device 1'
   Device 1: Fake GPU 1
  $ FAKE_CUDA_ORDER=reverse range 1000 1000 --htod --device=1 | grep ' Device 1'
   Device 1: Fake GPU 0
  $ CUDA_VISIBLE_DEVICES=1 range 1000 1000 --htod | grep ' Device 0'
   Device 0: Fake GPU 1

Any number of dashes, any case, unknown words, words twice:

  $ range 1000 1000 HTOD ----CSV --frobnicate=7 word -MEMORY=pageable --Device=0 --device=1 | sed '/^$/d; /^NOTE/d'
  [CUDA Bandwidth Test] - Starting...
  Running on...
   Device 1: Fake GPU 1
   Range Mode
  bandwidthTest-H2D-Paged, Bandwidth = 0.4 GB/s, Time = 0.00000 s, Size = 1000 bytes, NumDevsUsed = 1
  Result = PASS
  code 0

Help needs no driver:

  $ WIRESPEED_CUDA_LIB=none bwt --help | sed -n '1,2p;/^--/p;/^Result/,$p' | cut -f1
  [CUDA Bandwidth Test] - Starting...
  Usage:  bandwidthTest [OPTION]...
  --help
  --csv
  --device=[deviceno]
  --memory=[MEMMODE]
  --mode=[MODE]
  --htod
  --dtoh
  --dtod
  --wc
  --cputiming
  --compat=[VERSION]
  --start=[SIZE]
  --end=[SIZE]
  --increment=[SIZE]
  Result = PASS
  
  NOTE: The CUDA Samples are not meant for performance measurements. Results may vary when GPU Boost is enabled.
  code 0

What this does otherwise than the tool is said on stderr only if asked:

  $ WIRESPEED_NOTES=1 range 1000 1000 --htod --device=all --wc --memory=pageable --compat=7.5 | grep '^wirespeed: note'
  wirespeed: note: MB/s are 2^20 bytes a second; bandwidthTest 7.5 counts 1024 ms as a second, which gives figures 2.4 % higher
  wirespeed: note: the devices are measured at the same time; bandwidthTest measures one after another and adds up
  wirespeed: note: --wc says nothing of pageable memory; bandwidthTest prints it all the same
  wirespeed: note: every transfer is verified, and untimed copies precede the timed ones; bandwidthTest does neither
