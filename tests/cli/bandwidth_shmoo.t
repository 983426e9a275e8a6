bandwidthTest of the CUDA samples over the whole ladder of sizes, on a GPU of a fake CUDA driver. A copy takes 2.3 us and its
bytes at 55.5 GB/s.

  $ fakes=$(dirname "$(command -v wirespeed)")/tests
  $ [ -e "$fakes/libcuda_fake.so" ] || . skip "no fake CUDA driver beside this binary"
  $ export WIRESPEED_CUDA_LIB=$fakes/libcuda_fake.so WIRESPEED_NVML_LIB=$fakes/libnvml_fake.so
  $ bwt() { wirespeed as bandwidthTest "$@" 2>/dev/null; echo "code $?"; }

The ladder has 81 sizes and a dot for each:

  $ bwt --mode=shmoo --compat=7.5 --htod >out; sed -n '6,14p;91,$p' out; grep -c '^   [0-9]' out
  
  .................................................................................
   Host to Device Bandwidth, 1 Device(s)
   PINNED Memory Transfers
     Transfer Size (Bytes)\tBandwidth(MB/s) (esc)
     1024\t\t\t\t421.2 (esc)
     2048\t\t\t\t835.8 (esc)
     3072\t\t\t\t1243.8 (esc)
     4096\t\t\t\t1645.6 (esc)
     67186688\t\t\t52828.6 (esc)
  
  Result = PASS
  
  NOTE: The CUDA Samples are not meant for performance measurements. Results may vary when GPU Boost is enabled.
  code 0
  81
