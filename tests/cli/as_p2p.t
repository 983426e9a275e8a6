p2pBandwidthLatencyTest: its text for 1, 2 and 8 GPUs, and for a machine without peer access. The figures are a fake's: size / time of
5 copies (2300 ns and 200 kB at 396.9 GB/s by NVLink, 55.3 by PCIe), and of 100 copies of 16 bytes.

  $ fakes=$(dirname "$(command -v wirespeed)")/tests machines=$TESTDIR/../fake/machines
  $ [ -e "$fakes/libcuda_fake.so" ] || . skip "no fake CUDA driver beside this binary"
  $ export WIRESPEED_CUDA_LIB=$fakes/libcuda_fake.so WIRESPEED_NVML_LIB=$fakes/libnvml_fake.so
  $ p2p() { wirespeed as p2pBandwidthLatencyTest "$@" 2>err; code=$?; grep -v '^SIMULATED: ' err; return $code; }

What the host's clock sees of this machine is no figure of the fake: issuing by the CPU, and when threads issue what is not queued.

  $ blank() { sed -E '/^   CPU/,/^[^ ]|^$/{/CPU/!s/ *[0-9]+\.[0-9]{2} / #.## /g}; /^Bidirectional P2P=Disabled/,/^Bid.*Enabled/{s/ *[0-9]+\.[0-9]{2} / #.## /g}'; }
  $ small() { p2p --numElems=50000 "$@" | blank; }

Two GPUs, with reads:

  $ export FAKE_CUDA_MACHINE=$machines/2gpu.machine
  $ small --p2p_read
  [P2P (Peer-to-Peer) GPU Bandwidth Latency Test]
  Device: 0, NVIDIA H100 80GB HBM3, pciBusID: 18, pciDeviceID: 0, pciDomainID:fa
  Device: 1, NVIDIA H100 80GB HBM3, pciBusID: 2a, pciDeviceID: 0, pciDomainID:fa
  Device=0 CAN Access Peer Device=1
  Device=1 CAN Access Peer Device=0
  
  ***NOTE: In case a device doesn't have P2P access to other one, it falls back to normal memcopy procedure.
  So you can see lesser Bandwidth (GB/s) and unstable Latency (us) in those cases.
  
  P2P Connectivity Matrix
       D\D     0     1
       0	     1     1
       1	     1     1
  Unidirectional P2P=Disabled Bandwidth Matrix (GB/s)
     D\D     0      1 
       0 163.16  33.80 
       1  33.80 163.16 
  Unidirectional P2P=Enabled Bandwidth (P2P Writes) Matrix (GB/s)
     D\D     0      1 
       0 163.16  71.33 
       1  71.33 163.16 
  Unidirectional P2P=Enabled Bandwidth (P2P Reads) Matrix (GB/s)
     D\D     0      1 
       0 163.16  14.70 
       1  14.70 163.16 
  Bidirectional P2P=Disabled Bandwidth Matrix (GB/s)
     D\D     0      1 
       0 #.##  #.## 
       1 #.##  #.## 
  Bidirectional P2P=Enabled Bandwidth Matrix (GB/s)
     D\D     0      1 
       0 307.34 142.31 
       1 142.31 307.34 
  P2P=Disabled Latency Matrix (us)
     GPU     0      1 
       0   2.30   2.30 
       1   2.30   2.30 
  
     CPU     0      1 
       0 #.##  #.## 
       1 #.##  #.## 
  P2P=Enabled Latency (P2P Writes) Matrix (us)
     GPU     0      1 
       0   2.30   2.30 
       1   2.30   2.30 
  
     CPU     0      1 
       0 #.##  #.## 
       1 #.##  #.## 
  P2P=Enabled Latency (P2P Reads) Matrix (us)
     GPU     0      1 
       0   2.30  13.10 
       1  13.10   2.30 
  
     CPU     0      1 
       0 #.##  #.## 
       1 #.##  #.## 
  
  NOTE: The CUDA Samples are not meant for performance measurements. Results may vary when GPU Boost is enabled.

One GPU:

  $ FAKE_CUDA_MACHINE=$machines/1gpu.machine small
  [P2P (Peer-to-Peer) GPU Bandwidth Latency Test]
  Device: 0, NVIDIA H100 80GB HBM3, pciBusID: 18, pciDeviceID: 0, pciDomainID:fa
  
  ***NOTE: In case a device doesn't have P2P access to other one, it falls back to normal memcopy procedure.
  So you can see lesser Bandwidth (GB/s) and unstable Latency (us) in those cases.
  
  P2P Connectivity Matrix
       D\D     0
       0	     1
  Unidirectional P2P=Disabled Bandwidth Matrix (GB/s)
     D\D     0 
       0 163.16 
  Unidirectional P2P=Enabled Bandwidth (P2P Writes) Matrix (GB/s)
     D\D     0 
       0 163.16 
  Bidirectional P2P=Disabled Bandwidth Matrix (GB/s)
     D\D     0 
       0 #.## 
  Bidirectional P2P=Enabled Bandwidth Matrix (GB/s)
     D\D     0 
       0 307.34 
  P2P=Disabled Latency Matrix (us)
     GPU     0 
       0   2.30 
  
     CPU     0 
       0 #.## 
  P2P=Enabled Latency (P2P Writes) Matrix (us)
     GPU     0 
       0   2.30 
  
     CPU     0 
       0 #.## 
  
  NOTE: The CUDA Samples are not meant for performance measurements. Results may vary when GPU Boost is enabled.

Eight:

  $ FAKE_CUDA_MACHINE=$machines/8gpu.machine small
  [P2P (Peer-to-Peer) GPU Bandwidth Latency Test]
  Device: 0, NVIDIA H100 80GB HBM3, pciBusID: 18, pciDeviceID: 0, pciDomainID:fa
  Device: 1, NVIDIA H100 80GB HBM3, pciBusID: 2a, pciDeviceID: 0, pciDomainID:fa
  Device: 2, NVIDIA H100 80GB HBM3, pciBusID: 3a, pciDeviceID: 0, pciDomainID:fa
  Device: 3, NVIDIA H100 80GB HBM3, pciBusID: 5d, pciDeviceID: 0, pciDomainID:fa
  Device: 4, NVIDIA H100 80GB HBM3, pciBusID: 9a, pciDeviceID: 0, pciDomainID:fa
  Device: 5, NVIDIA H100 80GB HBM3, pciBusID: ab, pciDeviceID: 0, pciDomainID:fa
  Device: 6, NVIDIA H100 80GB HBM3, pciBusID: ba, pciDeviceID: 0, pciDomainID:fa
  Device: 7, NVIDIA H100 80GB HBM3, pciBusID: db, pciDeviceID: 0, pciDomainID:fa
  Device=0 CAN Access Peer Device=1
  Device=0 CAN Access Peer Device=2
  Device=0 CAN Access Peer Device=3
  Device=0 CAN Access Peer Device=4
  Device=0 CAN Access Peer Device=5
  Device=0 CAN Access Peer Device=6
  Device=0 CAN Access Peer Device=7
  Device=1 CAN Access Peer Device=0
  Device=1 CAN Access Peer Device=2
  Device=1 CAN Access Peer Device=3
  Device=1 CAN Access Peer Device=4
  Device=1 CAN Access Peer Device=5
  Device=1 CAN Access Peer Device=6
  Device=1 CAN Access Peer Device=7
  Device=2 CAN Access Peer Device=0
  Device=2 CAN Access Peer Device=1
  Device=2 CAN Access Peer Device=3
  Device=2 CAN Access Peer Device=4
  Device=2 CAN Access Peer Device=5
  Device=2 CAN Access Peer Device=6
  Device=2 CAN Access Peer Device=7
  Device=3 CAN Access Peer Device=0
  Device=3 CAN Access Peer Device=1
  Device=3 CAN Access Peer Device=2
  Device=3 CAN Access Peer Device=4
  Device=3 CAN Access Peer Device=5
  Device=3 CAN Access Peer Device=6
  Device=3 CAN Access Peer Device=7
  Device=4 CAN Access Peer Device=0
  Device=4 CAN Access Peer Device=1
  Device=4 CAN Access Peer Device=2
  Device=4 CAN Access Peer Device=3
  Device=4 CAN Access Peer Device=5
  Device=4 CAN Access Peer Device=6
  Device=4 CAN Access Peer Device=7
  Device=5 CAN Access Peer Device=0
  Device=5 CAN Access Peer Device=1
  Device=5 CAN Access Peer Device=2
  Device=5 CAN Access Peer Device=3
  Device=5 CAN Access Peer Device=4
  Device=5 CAN Access Peer Device=6
  Device=5 CAN Access Peer Device=7
  Device=6 CAN Access Peer Device=0
  Device=6 CAN Access Peer Device=1
  Device=6 CAN Access Peer Device=2
  Device=6 CAN Access Peer Device=3
  Device=6 CAN Access Peer Device=4
  Device=6 CAN Access Peer Device=5
  Device=6 CAN Access Peer Device=7
  Device=7 CAN Access Peer Device=0
  Device=7 CAN Access Peer Device=1
  Device=7 CAN Access Peer Device=2
  Device=7 CAN Access Peer Device=3
  Device=7 CAN Access Peer Device=4
  Device=7 CAN Access Peer Device=5
  Device=7 CAN Access Peer Device=6
  
  ***NOTE: In case a device doesn't have P2P access to other one, it falls back to normal memcopy procedure.
  So you can see lesser Bandwidth (GB/s) and unstable Latency (us) in those cases.
  
  P2P Connectivity Matrix
       D\D     0     1     2     3     4     5     6     7
       0	     1     1     1     1     1     1     1     1
       1	     1     1     1     1     1     1     1     1
       2	     1     1     1     1     1     1     1     1
       3	     1     1     1     1     1     1     1     1
       4	     1     1     1     1     1     1     1     1
       5	     1     1     1     1     1     1     1     1
       6	     1     1     1     1     1     1     1     1
       7	     1     1     1     1     1     1     1     1
  Unidirectional P2P=Disabled Bandwidth Matrix (GB/s)
     D\D     0      1      2      3      4      5      6      7 
       0 163.16  33.80  33.80  33.80  33.80  33.80  33.80  33.80 
       1  33.80 163.16  33.80  33.80  33.80  33.80  33.80  33.80 
       2  33.80  33.80 163.16  33.80  33.80  33.80  33.80  33.80 
       3  33.80  33.80  33.80 163.16  33.80  33.80  33.80  33.80 
       4  33.80  33.80  33.80  33.80 163.16  33.80  33.80  33.80 
       5  33.80  33.80  33.80  33.80  33.80 163.16  33.80  33.80 
       6  33.80  33.80  33.80  33.80  33.80  33.80 163.16  33.80 
       7  33.80  33.80  33.80  33.80  33.80  33.80  33.80 163.16 
  Unidirectional P2P=Enabled Bandwidth (P2P Writes) Matrix (GB/s)
     D\D     0      1      2      3      4      5      6      7 
       0 163.16  71.33  71.33  71.33  71.33  71.33  71.33  71.33 
       1  71.33 163.16  71.33  71.33  71.33  71.33  71.33  71.33 
       2  71.33  71.33 163.16  71.33  71.33  71.33  71.33  71.33 
       3  71.33  71.33  71.33 163.16  71.33  71.33  71.33  71.33 
       4  71.33  71.33  71.33  71.33 163.16  71.33  71.33  71.33 
       5  71.33  71.33  71.33  71.33  71.33 163.16  71.33  71.33 
       6  71.33  71.33  71.33  71.33  71.33  71.33 163.16  71.33 
       7  71.33  71.33  71.33  71.33  71.33  71.33  71.33 163.16 
  Bidirectional P2P=Disabled Bandwidth Matrix (GB/s)
     D\D     0      1      2      3      4      5      6      7 
       0 #.##  #.##  #.##  #.##  #.##  #.##  #.##  #.## 
       1 #.##  #.##  #.##  #.##  #.##  #.##  #.##  #.## 
       2 #.##  #.##  #.##  #.##  #.##  #.##  #.##  #.## 
       3 #.##  #.##  #.##  #.##  #.##  #.##  #.##  #.## 
       4 #.##  #.##  #.##  #.##  #.##  #.##  #.##  #.## 
       5 #.##  #.##  #.##  #.##  #.##  #.##  #.##  #.## 
       6 #.##  #.##  #.##  #.##  #.##  #.##  #.##  #.## 
       7 #.##  #.##  #.##  #.##  #.##  #.##  #.##  #.## 
  Bidirectional P2P=Enabled Bandwidth Matrix (GB/s)
     D\D     0      1      2      3      4      5      6      7 
       0 307.34 142.31 142.31 142.31 142.31 142.31 142.31 142.31 
       1 142.31 307.34 142.31 142.31 142.31 142.31 142.31 142.31 
       2 142.31 142.31 307.34 142.31 142.31 142.31 142.31 142.31 
       3 142.31 142.31 142.31 307.34 142.31 142.31 142.31 142.31 
       4 142.31 142.31 142.31 142.31 307.34 142.31 142.31 142.31 
       5 142.31 142.31 142.31 142.31 142.31 307.34 142.31 142.31 
       6 142.31 142.31 142.31 142.31 142.31 142.31 307.34 142.31 
       7 142.31 142.31 142.31 142.31 142.31 142.31 142.31 307.34 
  P2P=Disabled Latency Matrix (us)
     GPU     0      1      2      3      4      5      6      7 
       0   2.30   2.30   2.30   2.30   2.30   2.30   2.30   2.30 
       1   2.30   2.30   2.30   2.30   2.30   2.30   2.30   2.30 
       2   2.30   2.30   2.30   2.30   2.30   2.30   2.30   2.30 
       3   2.30   2.30   2.30   2.30   2.30   2.30   2.30   2.30 
       4   2.30   2.30   2.30   2.30   2.30   2.30   2.30   2.30 
       5   2.30   2.30   2.30   2.30   2.30   2.30   2.30   2.30 
       6   2.30   2.30   2.30   2.30   2.30   2.30   2.30   2.30 
       7   2.30   2.30   2.30   2.30   2.30   2.30   2.30   2.30 
  
     CPU     0      1      2      3      4      5      6      7 
       0 #.##  #.##  #.##  #.##  #.##  #.##  #.##  #.## 
       1 #.##  #.##  #.##  #.##  #.##  #.##  #.##  #.## 
       2 #.##  #.##  #.##  #.##  #.##  #.##  #.##  #.## 
       3 #.##  #.##  #.##  #.##  #.##  #.##  #.##  #.## 
       4 #.##  #.##  #.##  #.##  #.##  #.##  #.##  #.## 
       5 #.##  #.##  #.##  #.##  #.##  #.##  #.##  #.## 
       6 #.##  #.##  #.##  #.##  #.##  #.##  #.##  #.## 
       7 #.##  #.##  #.##  #.##  #.##  #.##  #.##  #.## 
  P2P=Enabled Latency (P2P Writes) Matrix (us)
     GPU     0      1      2      3      4      5      6      7 
       0   2.30   2.30   2.30   2.30   2.30   2.30   2.30   2.30 
       1   2.30   2.30   2.30   2.30   2.30   2.30   2.30   2.30 
       2   2.30   2.30   2.30   2.30   2.30   2.30   2.30   2.30 
       3   2.30   2.30   2.30   2.30   2.30   2.30   2.30   2.30 
       4   2.30   2.30   2.30   2.30   2.30   2.30   2.30   2.30 
       5   2.30   2.30   2.30   2.30   2.30   2.30   2.30   2.30 
       6   2.30   2.30   2.30   2.30   2.30   2.30   2.30   2.30 
       7   2.30   2.30   2.30   2.30   2.30   2.30   2.30   2.30 
  
     CPU     0      1      2      3      4      5      6      7 
       0 #.##  #.##  #.##  #.##  #.##  #.##  #.##  #.## 
       1 #.##  #.##  #.##  #.##  #.##  #.##  #.##  #.## 
       2 #.##  #.##  #.##  #.##  #.##  #.##  #.##  #.## 
       3 #.##  #.##  #.##  #.##  #.##  #.##  #.##  #.## 
       4 #.##  #.##  #.##  #.##  #.##  #.##  #.##  #.## 
       5 #.##  #.##  #.##  #.##  #.##  #.##  #.##  #.## 
       6 #.##  #.##  #.##  #.##  #.##  #.##  #.##  #.## 
       7 #.##  #.##  #.##  #.##  #.##  #.##  #.##  #.## 
  
  NOTE: The CUDA Samples are not meant for performance measurements. Results may vary when GPU Boost is enabled.

Without NVLink and without access all copies go by way of the host, whatever is asked for:

  $ export FAKE_CUDA_MACHINE=$machines/1gpu.machine FAKE_CUDA_GPUS=2 FAKE_CUDA_PEER=0
  $ small --sm_copy | sed -E '/^Bidirectional/,/^P2P/s/ *[0-9]+\.[0-9]{2} / #.## /g'
  [P2P (Peer-to-Peer) GPU Bandwidth Latency Test]
  Device: 0, NVIDIA H100 80GB HBM3, pciBusID: 18, pciDeviceID: 0, pciDomainID:fa
  Device: 1, NVIDIA H100 80GB HBM3, pciBusID: 2a, pciDeviceID: 0, pciDomainID:fa
  Device=0 CANNOT Access Peer Device=1
  Device=1 CANNOT Access Peer Device=0
  
  ***NOTE: In case a device doesn't have P2P access to other one, it falls back to normal memcopy procedure.
  So you can see lesser Bandwidth (GB/s) and unstable Latency (us) in those cases.
  
  P2P Connectivity Matrix
       D\D     0     1
       0	     1     0
       1	     0     1
  Unidirectional P2P=Disabled Bandwidth Matrix (GB/s)
     D\D     0      1 
       0 163.16  33.80 
       1  33.80 163.16 
  Unidirectional P2P=Enabled Bandwidth (P2P Writes) Matrix (GB/s)
     D\D     0      1 
       0 163.16  33.80 
       1  33.80 163.16 
  Bidirectional P2P=Disabled Bandwidth Matrix (GB/s)
     D\D     0      1 
       0 #.##  #.## 
       1 #.##  #.## 
  Bidirectional P2P=Enabled Bandwidth Matrix (GB/s)
     D\D     0      1 
       0 #.##  #.## 
       1 #.##  #.## 
  P2P=Disabled Latency Matrix (us)
     GPU     0      1 
       0   2.30   2.30 
       1   2.30   2.30 
  
     CPU     0      1 
       0 #.##  #.## 
       1 #.##  #.## 
  P2P=Enabled Latency (P2P Writes) Matrix (us)
     GPU     0      1 
       0   2.30   2.30 
       1   2.30   2.30 
  
     CPU     0      1 
       0 #.##  #.## 
       1 #.##  #.## 
  
  NOTE: The CUDA Samples are not meant for performance measurements. Results may vary when GPU Boost is enabled.
  $ unset FAKE_CUDA_GPUS FAKE_CUDA_PEER

Kernels copy where there is access; elsewhere, and inside a GPU, it is its copy engine:

  $ export FAKE_CUDA_MACHINE=$machines/2gpu.machine
  $ small --sm_copy --p2p_read | sed '1,/^     1\t/d'
  Unidirectional P2P=Disabled Bandwidth Matrix (GB/s)
     D\D     0      1 
       0 163.16  33.80 
       1  33.80 163.16 
  Unidirectional P2P=Enabled Bandwidth (P2P Writes) Matrix (GB/s)
     D\D     0      1 
       0 163.16 103.06 
       1 103.06 163.16 
  Unidirectional P2P=Enabled Bandwidth (P2P Reads) Matrix (GB/s)
     D\D     0      1 
       0 163.16 103.54 
       1 103.54 163.16 
  Bidirectional P2P=Disabled Bandwidth Matrix (GB/s)
     D\D     0      1 
       0 #.##  #.## 
       1 #.##  #.## 
  Bidirectional P2P=Enabled Bandwidth Matrix (GB/s)
     D\D     0      1 
       0 307.34 205.32 
       1 205.32 307.34 
  P2P=Disabled Latency Matrix (us)
     GPU     0      1 
       0   2.30   2.30 
       1   2.30   2.30 
  
     CPU     0      1 
       0 #.##  #.## 
       1 #.##  #.## 
  P2P=Enabled Latency (P2P Writes) Matrix (us)
     GPU     0      1 
       0   2.30   1.40 
       1   1.40   2.30 
  
     CPU     0      1 
       0 #.##  #.## 
       1 #.##  #.## 
  P2P=Enabled Latency (P2P Reads) Matrix (us)
     GPU     0      1 
       0   2.30   1.40 
       1   1.40   2.30 
  
     CPU     0      1 
       0 #.##  #.## 
       1 #.##  #.## 
  
  NOTE: The CUDA Samples are not meant for performance measurements. Results may vary when GPU Boost is enabled.
