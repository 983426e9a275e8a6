What NVLink carries for each byte copied: the fake's copy engines send one byte of headers with 16, its processors one with 8; times are
whole ns.

  $ fakes=$(dirname "$(command -v wirespeed)")/tests
  $ [ -e "$fakes/libcuda_fake.so" ] || . skip "no fake CUDA driver beside this binary"
  $ export WIRESPEED_CUDA_LIB=$fakes/libcuda_fake.so WIRESPEED_NVML_LIB=$fakes/libnvml_fake.so
  $ machine() { cat "$TESTDIR/../fake/machines/h100.gpu"; printf '%s\n' "$@"; }
  $ machine "gpus 2" >two; export FAKE_CUDA_MACHINE=$PWD/two
  $ wire() { awk '/^wire:/ { on = 1 } on && !/^wire:/ && !/^ / { on = 0 } on'; }
  $ run() { wirespeed run --backend cuda --samples 6 --size 1M/4M "$@" | wire; }
  $ plan() { printf '%s\n' "with samples=3 loops=4 $1" "$2" | wirespeed --plan - | wire; }

A copy engine and processors, 18 links of 26.562 GB/s:

  $ run device_to_device_memcpy_write_ce
  wire: 1.062 bytes on NVLink for each byte copied; 421.7 of 478.1 GB/s raw in use
        (88.20 %)
  $ run --pair cuda0,cuda1 device_to_device_memcpy_read_sm device_to_device_memcpy_write_sm
  wire: 1.125 bytes on NVLink for each byte copied; 423.2 of 478.1 GB/s raw in use
        (88.52 %)
  wire: 1.125 bytes on NVLink for each byte copied; 416.2 of 478.1 GB/s raw in use
        (87.04 %)

A matrix in which one direction has half of the rate:

  $ machine "gpus 2" "slow 1->0 0.5" >slow
  $ FAKE_CUDA_MACHINE=$PWD/slow run device_to_device_memcpy_write_ce
  wire: 1.062 bytes on NVLink for each byte copied; 210.9 to 421.7 of 478.1 GB/s
        raw in use (44.10 % to 88.20 %)

Both ways at once the first one; one to many what all of them pass:

  $ run --pair cuda0,cuda1 device_to_device_bidirectional_memcpy_write_ce
  wire: 1.062 bytes on NVLink for each byte copied; 416.0 of 478.1 GB/s raw in use
        (87.00 %)
  $ machine "gpus 3" >three
  $ FAKE_CUDA_MACHINE=$PWD/three run one_to_all_write_ce
  wire: 1.062 bytes on NVLink for each byte copied; 421.7 of 478.1 GB/s raw in use
        (88.20 %)

JSON and CSV:

  $ wirespeed run --backend cuda --samples 6 --size 1M/4M --pair cuda0,cuda1 device_to_device_memcpy_write_ce --format json -o out
  $ cat >show.py <<'PY'
  > import json
  > document = json.load(open("out"))
  > cell = document["tables"][0]["cells"][0]
  > wire = cell["wire"]
  > print(wire["bytes"], *("%.6g" % wire[key] for key in ("used_gb_per_s", "raw_gb_per_s", "share")), wire["reason"])
  > counters = cell["path"]["cuda0"]["counters"]
  > print(sorted(counters), counters["nvlink.raw_tx_bytes"] / counters["nvlink.data_tx_bytes"])
  > print("counters" in cell["path"]["cuda1"], document["steps"][0]["samples"]["counters"])
  > PY
  $ /usr/bin/python3 show.py
  1.0625 421.693 478.116 0.881988 None
  ['nvlink.data_rx_bytes', 'nvlink.data_tx_bytes', 'nvlink.raw_rx_bytes', 'nvlink.raw_tx_bytes'] 1.0625
  False {}
  $ wirespeed run --backend cuda --samples 6 --size 1M/4M --pair cuda0,cuda1 device_to_device_memcpy_write_ce --format csv | tr -d '\r' | cut -d, -f5,20- | sed 's/\(\.[0-9]\{5\}\)[0-9]*$/\1/'
  quantity,wire_bytes,wire_share
  bandwidth,1.0625,0.88198
  fixed_cost,,

Where NVLink has no part there is no such line: no links, the way by the host, a GPU's own memory, no peer access, no NVML:

  $ machine "gpus 2" "links 0" >none
  $ FAKE_CUDA_MACHINE=$PWD/none run device_to_device_memcpy_write_ce
  $ run --pair cuda0,cuda1 device_local_copy host_to_device_memcpy_ce
  $ plan "" "cuda0 -> cuda1 by cuda0.ce 1M peer=off"
  $ FAKE_NVML_INIT=18 run device_to_device_memcpy_write_ce
  $ FAKE_NVML_BARE=1 run device_to_device_memcpy_write_ce

Counters that do not move, that run backwards, and none at all; the figure is there all the same:

  $ for how in 0 -1 -2; do machine "gpus 2" "link_counters $how" >odd; FAKE_CUDA_MACHINE=$PWD/odd run --pair cuda0,cuda1 device_to_device_memcpy_write_ce; done
  wire: not known (the NVLink counters of cuda0 did not move)
  wire: not known (the NVLink counters of cuda0 ran backwards)
  wire: not known (cuda0 does not tell what its NVLinks count)
  $ machine "gpus 2" "link_counters -1" >odd
  $ FAKE_CUDA_MACHINE=$PWD/odd wirespeed run --backend cuda --samples 6 --size 1M/4M --pair cuda0,cuda1 device_to_device_memcpy_write_ce --format csv | tr -d '\r' | cut -d, -f5,10,20- | sed -n 2p
  bandwidth,measured,,

Links that do not tell their rate; too few bytes for counters of KiB:

  $ machine "gpus 2" "link_mb 0" >mute
  $ FAKE_CUDA_MACHINE=$PWD/mute run --pair cuda0,cuda1 device_to_device_memcpy_write_ce
  wire: 1.062 bytes on NVLink for each byte copied; the share of the links is not
        known (the NVLinks of cuda0 do not tell their rate)
  $ plan "" "cuda0 -> cuda1 by cuda0.ce 16K"
  wire: not known (so few bytes do not show in counters of whole KiB)

Read with the check at the end, or around every sample:

  $ plan "verify=none" "cuda0 -> cuda1 by cuda0.ce 1M"
  wire: not known (NVLink's counters are read with the check at the end, which was
        left out)
  $ plan "verify=none counters" "cuda0 -> cuda1 by cuda0.ce 1M" | head -c 48
  wire: 1.062 bytes on NVLink for each byte copied (no-eol)

A device that reads another's memory, and others on the same links:

  $ plan "" "read cuda1 by cuda0.sm 1M" | head -c 48
  wire: 1.125 bytes on NVLink for each byte copied (no-eol)
  $ plan "" "cuda0 -> cuda1 by cuda0.ce 1M + cuda0 -> cuda1 by cuda0.ce 1M interfering"
  wire: 1.062 bytes on NVLink for each byte copied; the share of the links is not
        known (others pass the same links, and are not part of the figure)
