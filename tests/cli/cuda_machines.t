Machines of a fake CUDA driver: what is found there, and figures as the machine's rates and a copy's own cost make them.
One MiB takes 2.3 us by a copy engine, or 1.4 us by processors, and its bytes' time: 1048576 / (2300 + 1048576 / 55.5) = 49.48 GB/s.

  $ fakes=$(dirname "$(command -v wirespeed)")/tests
  $ [ -e "$fakes/libcuda_fake.so" ] || . skip "no fake CUDA driver beside this binary"
  $ export WIRESPEED_CUDA_LIB=$fakes/libcuda_fake.so WIRESPEED_NVML_LIB=$fakes/libnvml_fake.so
  $ on() { export FAKE_CUDA_MACHINE=$WS_FAKE_MACHINES/$1.machine; shift; "$@"; }
  $ run() { wirespeed run --samples 6 --size 1M --format csv "$@" >out 2>err; code=$?; cells out; cat err; echo "code $code"; }

What there is:

  $ places() { wirespeed machine --backend cuda | sed -n 's/^  cuda[0-9]* *//p' | sort | uniq -c; }
  $ for name in 1gpu 2gpu 4gpu 8gpu pcie_only grace mig; do echo "$name:"; on "$name" places; done
  1gpu:
        1 NVIDIA H100 80GB HBM3, 79.6 GiB, engines: ce sm tma, SIMULATED
        1 open, version CUDA 13.0, driver 580.95.05, */libcuda_fake.so, SIMULATED (glob)
  2gpu:
        2 NVIDIA H100 80GB HBM3, 79.6 GiB, engines: ce sm tma, SIMULATED
        1 open, version CUDA 13.0, driver 580.95.05, */libcuda_fake.so, SIMULATED (glob)
  4gpu:
        4 NVIDIA H100 80GB HBM3, 79.6 GiB, engines: ce sm tma, SIMULATED
        1 open, version CUDA 13.0, driver 580.95.05, */libcuda_fake.so, SIMULATED (glob)
  8gpu:
        8 NVIDIA H100 80GB HBM3, 79.6 GiB, engines: ce sm tma, SIMULATED
        1 open, version CUDA 13.0, driver 580.95.05, */libcuda_fake.so, SIMULATED (glob)
  pcie_only:
        2 NVIDIA L40S, 45.0 GiB, engines: ce sm, SIMULATED
        1 open, version CUDA 13.0, driver 580.95.05, */libcuda_fake.so, SIMULATED (glob)
  grace:
        1 NVIDIA GH200 480GB, 95.6 GiB, engines: ce sm tma, SIMULATED
        1 open, version CUDA 13.0, driver 580.95.05, */libcuda_fake.so, SIMULATED (glob)
  mig:
        1 NVIDIA H100 80GB HBM3 MIG 3g.40gb, 39.5 GiB, engines: ce sm tma, SIMULATED
        1 open, version CUDA 13.0, driver 580.95.05, */libcuda_fake.so, SIMULATED (glob)
  $ uuids() { wirespeed machine --backend cuda --json | grep -o '"uuid": "[^"]*"'; }
  $ on mig uuids
  "uuid": "MIG-0d6a31c7-5f0b-5d9c-a1f2-3c8b8a2e4f11"

A GPU alone: what takes two says so.

  $ on 1gpu run host_to_device_memcpy_ce device_to_host_memcpy_sm device_local_copy device_to_device_memcpy_read_ce
  row=host0 column=cuda0 49.48 measured verified=yes
  row=host0 column=cuda0 49.15 measured verified=yes
   - not_applicable it takes two devices of a kind; there is one, or the options leave one
  row=cuda0 677.7 measured verified=yes
  code 3

Eight, where four and four share a node's memory of 200 GB/s, and all copies to one GPU its NVLinks of 396.9 GB/s. Four, of
which two and two share a PCIe link. 13.1 us is what a copy costs that its engine fetches from another GPU.

  $ on 8gpu run host_to_all_sum_ce all_to_one_write_ce 2>&1 | sed 's/column=cuda[0-9]/column=cudaN/' | uniq -c
        1 row=all column=host 360.5 measured verified=yes
        8 row=all column=cudaN 353 measured verified=yes
        1 code 0
  $ on 8gpu run device_to_device_memcpy_read_ce device_to_device_memcpy_write_sm | sed 's/cuda[0-9]/cudaN/g' | uniq -c
       56 row=cudaN column=cudaN 66.61 measured verified=yes
       56 row=cudaN column=cudaN 247.6 measured verified=yes
        1 code 0
  $ on 4gpu run host_to_all_sum_ce host_to_device_memcpy_ce --device host0,cuda0,cuda1,cuda2,cuda3
  row=host0 column=cuda0 49.48 measured verified=yes
  row=host0 column=cuda1 49.48 measured verified=yes
  row=host0 column=cuda2 49.48 measured verified=yes
  row=host0 column=cuda3 49.48 measured verified=yes
  row=all column=host 104.6 measured verified=yes
  code 0

512 MiB between any two of eight, by the slope between two sizes: the links' own rate.

  $ on 8gpu wirespeed run --backend cuda --samples 6 --size 512M/1G --format csv device_to_device_memcpy_write_ce | cells | sed 's/cuda[0-9]/cudaN/g' | uniq -c
       56 row=cudaN column=cudaN 396.9 measured verified=yes

No access to each other's memory; links without a switch, six between any two; twelve of eighteen links up.

  $ on pcie_only run host_to_device_memcpy_ce device_to_device_memcpy_write_ce
  row=host0 column=cuda0 26.16 measured verified=yes
  row=host0 column=cuda1 26.16 measured verified=yes
  row=cuda0 column=cuda1 - not_applicable no peer access cuda0 -> cuda1
  row=cuda1 column=cuda0 - not_applicable no peer access cuda1 -> cuda0
  code 3
  $ limit() { wirespeed run --samples 6 --size 1M "$@" | sed -n '/^limit/,/^$/p'; }
  $ on direct run device_to_device_memcpy_write_ce --pair cuda2,cuda3
  row=cuda2 column=cuda3 102.5 measured verified=yes
  code 0
  $ on direct limit device_to_device_memcpy_write_ce --pair cuda2,cuda3
  limit: 150.0 GB/s (6 NVLink x 26.562 GB/s x 16/17: 150.0 GB/s); reached 68.36 %
         of it
  wire: 1.062 bytes on NVLink for each byte copied; 109.0 of 159.4 GB/s raw in use
        (68.36 %)
  [1] the samples do not yield it
  
  $ on links12 run device_to_device_memcpy_write_ce device_to_device_memcpy_write_sm --pair cuda0,cuda1
  row=cuda0 column=cuda1 167.4 measured verified=yes
  row=cuda0 column=cuda1 185.5 measured verified=yes
  code 0
  $ on links12 limit device_to_device_memcpy_write_ce --pair cuda0,cuda1
  limit: 300.0 GB/s (12 NVLink x 26.562 GB/s x 16/17: 300.0 GB/s); reached 55.81 %
         of it
  wire: 1.062 bytes on NVLink for each byte copied; 177.9 of 318.7 GB/s raw in use
        (55.81 %)
  [1] the samples do not yield it
  

Half a PCIe link, at a lower speed:

  $ on narrow run host_to_device_memcpy_ce
  row=host0 column=cuda0 49.48 measured verified=yes
  row=host0 column=cuda1 13.47 measured verified=yes
  code 0
  $ on narrow limit host_to_device_memcpy_ce --pair host0,cuda1
  limit: 15.75 GB/s (PCIe Gen4 x8 (could be Gen5 x16), MaxPayload not known: 15.8
         GB/s raw); reached 85.47 % of it
  [1] the samples do not yield it
  

A hot GPU, whose processors go slower:

  $ on throttled run device_to_device_memcpy_write_ce device_to_device_memcpy_read_sm
  row=cuda0 column=cuda1 212.2 measured verified=yes
  row=cuda1 column=cuda0 212.2 measured verified=yes
  row=cuda0 column=cuda1 250.4 measured verified=yes
  row=cuda1 column=cuda0 217.2 measured verified=yes
  code 0
  $ on throttled wirespeed run --samples 6 --size 1M --format json device_local_copy_sm | grep -o '"clock_reasons": \[[^]]*\]' | sort | uniq -c
        2 "clock_reasons": ["hardware thermal slowdown"]
        2 "clock_reasons": []

Confidential computing: events do not tell the GPU's time, so the host's clock is taken.

  $ on confidential run host_to_device_memcpy_ce
  row=host0 column=cuda0 8.826 measured verified=yes
  row=host0 column=cuda1 8.826 measured verified=yes
  code 0
  $ on confidential run host_to_all_memcpy_ce
  row=host0 column=cuda0 8.826 measured verified=yes
  row=host0 column=cuda1 8.826 measured verified=yes
  code 0
  $ on confidential wirespeed run --samples 6 --size 1M --format json device_local_copy | grep -c '"confidential_computing": true'
  4

A GPU that has NVLink to its host, and whose PCIe link is not what its copies take:

  $ on grace run host_to_device_memcpy_ce device_to_host_memcpy_sm
  row=host0 column=cuda0 215.9 measured verified=yes
  row=host0 column=cuda0 243.1 measured verified=yes
  code 0
  $ on grace limit host_to_device_memcpy_ce
  limit: not known (the link of cuda0 to its host does not tell its speed)
  [1] the samples do not yield it
  

Many steps share six times one step's limit, unless a limit was chosen:

  $ limits() { for option in --seed=1 --quick --thorough --time-limit=300ms; do wirespeed run 'device_*' $option --dry-run | grep -o 'time-limit=[^ ]*'; done; }
  $ on 2gpu limits
  time-limit=83ms
  time-limit=33ms
  time-limit=10s
  time-limit=300ms

A file that says nothing of a machine:

  $ printf 'gpus 2\ngpu 1 colour blue\n' >odd.machine
  $ FAKE_CUDA_MACHINE=odd.machine wirespeed machine --backend cuda 2>&1 | grep -e fake: -e '^  cuda'
  fake: odd.machine:2: "gpu 1 colour blue" says nothing about a machine
    cuda        cuInit: 999 CUDA_ERROR_UNKNOWN
