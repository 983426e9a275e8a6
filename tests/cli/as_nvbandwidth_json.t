nvbandwidth's JSON: keys by name, one element a line, tabs, a blank line at the end, and nothing else on standard output.

  $ fakes=$(dirname "$(command -v wirespeed)")/tests
  $ [ -e "$fakes/libcuda_fake.so" ] || . skip "no fake CUDA driver beside this binary"
  $ export WIRESPEED_CUDA_LIB=$fakes/libcuda_fake.so WIRESPEED_NVML_LIB=$fakes/libnvml_fake.so
  $ machines=$TESTDIR/../fake/machines
  $ export FAKE_CUDA_MACHINE=$machines/2gpu.machine
  $ names() { sed "s/wirespeed-[^\"]*/wirespeed-VERSION/; s/($(hostname))/(HOST)/"; }

  $ wirespeed as nvbandwidth --format json -b 1 -v -t device_to_device_memcpy_write_ce zzz 2>/dev/null | names | cat -A
  {$
  ^I"nvbandwidth" : $
  ^I{$
  ^I^I"CUDA Runtime Version" : 13000,$
  ^I^I"Driver Version" : "580.95.05",$
  ^I^I"GPU Device list" : $
  ^I^I[$
  ^I^I^I"0: NVIDIA H100 80GB HBM3 (000000fa:18:00): (HOST)",$
  ^I^I^I"1: NVIDIA H100 80GB HBM3 (000000fa:2a:00): (HOST)"$
  ^I^I],$
  ^I^I"git_version" : "wirespeed-VERSION",$
  ^I^I"testcases" : $
  ^I^I[$
  ^I^I^I{$
  ^I^I^I^I"average" : 212.17913014885357,$
  ^I^I^I^I"bandwidth_description" : "memcpy CE GPU(row) <- GPU(column) bandwidth (GB/s)",$
  ^I^I^I^I"bandwidth_matrix" : $
  ^I^I^I^I[$
  ^I^I^I^I^I[$
  ^I^I^I^I^I^I"N/A",$
  ^I^I^I^I^I^I"212.179"$
  ^I^I^I^I^I],$
  ^I^I^I^I^I[$
  ^I^I^I^I^I^I"212.179",$
  ^I^I^I^I^I^I"N/A"$
  ^I^I^I^I^I]$
  ^I^I^I^I],$
  ^I^I^I^I"max" : 212.17913014885357,$
  ^I^I^I^I"min" : 212.17913014885357,$
  ^I^I^I^I"name" : "device_to_device_memcpy_write_ce",$
  ^I^I^I^I"status" : "Passed",$
  ^I^I^I^I"sum" : 424.35826029770715$
  ^I^I^I},$
  ^I^I^I{$
  ^I^I^I^I"name" : "zzz",$
  ^I^I^I^I"status" : "ERROR"$
  ^I^I^I}$
  ^I^I],$
  ^I^I"version" : "v0.10.0",$
  ^I^I"warning" : "NOTE: You have chosen a buffer size that is smaller than the default buffer size. It is suggested to use the default buffer size (512MB) to achieve maximal peak bandwidth."$
  ^I}$
  }$
  $

Two-way copies between GPUs have the rows of their three matrices below each other, and label and sum of the last. Only
-v gives least, greatest and mean. 0.9 lists no device.

  $ wirespeed as nvbandwidth@0.9 -j -b 1 -t 6 2>err | names
  {
  	"nvbandwidth" : 
  	{
  		"CUDA Runtime Version" : 13000,
  		"Driver Version" : "580.95.05",
  		"GPU Device list" : null,
  		"git_version" : "wirespeed-VERSION",
  		"testcases" : 
  		[
  			{
  				"bandwidth_description" : "memcpy CE GPU(row) <-> GPU(column) Total bandwidth (GB/s)",
  				"bandwidth_matrix" : 
  				[
  					[
  						"N/A",
  						"66.4565"
  					],
  					[
  						"66.4565",
  						"N/A"
  					],
  					[
  						"N/A",
  						"66.4565"
  					],
  					[
  						"66.4565",
  						"N/A"
  					],
  					[
  						"N/A",
  						"132.913"
  					],
  					[
  						"132.913",
  						"N/A"
  					]
  				],
  				"name" : "device_to_device_bidirectional_memcpy_read_ce",
  				"status" : "Passed",
  				"sum" : 265.82610693433259
  			}
  		],
  		"version" : "v0.9",
  		"warning" : "NOTE: You have chosen a buffer size that is smaller than the default buffer size. It is suggested to use the default buffer size (512MB) to achieve maximal peak bandwidth."
  	}
  }
  
  $ cat err
  SIMULATED: cuda is a fake, no figure of it is real

A waived test is its name and status, from 0.10 on with the reason. -j is understood there too.

  $ FAKE_CUDA_MACHINE=$machines/1gpu.machine wirespeed as nvbandwidth -j -b 1 -t 4 33 2>/dev/null | sed -n '/testcases/,/^\t\t\]/p'
  		"testcases" : 
  		[
  			{
  				"name" : "device_to_device_memcpy_read_ce",
  				"reason" : "it takes two devices of a kind; there is one, or the options leave one",
  				"status" : "Waived"
  			},
  			{
  				"name" : "device_to_device_latency_sm",
  				"reason" : "it takes two devices of a kind; there is one, or the options leave one",
  				"status" : "Waived"
  			}
  		],

Every kind of test for one, two, four and eight GPUs, as other programs read it.

  $ cat >shape.py <<END
  > import json, sys
  > document = json.load(sys.stdin)["nvbandwidth"]
  > gpus = len(document["GPU Device list"])
  > for test in document["testcases"]:
  >     cells = test.get("bandwidth_matrix", [])
  >     floats = [float(cell) for row in cells for cell in row if cell != "N/A"]
  >     last = cells[-gpus:] if len(cells) > gpus else cells
  >     total = sum(float(cell) for row in last for cell in row if cell != "N/A")
  >     assert test["status"] == "Waived" or abs(total - test["sum"]) < 1e-5 * total, (total, test)
  >     assert all(isinstance(cell, str) for row in cells for cell in row)
  >     print(gpus, test["name"], test["status"], "%dx%d" % (len(cells), len(cells[0]) if cells else 0), len(floats))
  > END
  $ for gpus in 1 2 4 8; do
  >   FAKE_CUDA_MACHINE=$machines/${gpus}gpu.machine wirespeed as nvbandwidth -F json -b 1 -i 1 -s -t 2 4 7 9 15 18 33 38 2>/dev/null |
  >     /usr/bin/python3 shape.py
  > done
  1 host_to_device_bidirectional_memcpy_ce Passed 1x1 1
  1 device_to_device_memcpy_read_ce Waived 0x0 0
  1 device_to_device_bidirectional_memcpy_write_ce Waived 0x0 0
  1 all_to_host_bidirectional_memcpy_ce Passed 1x1 1
  1 one_to_all_read_ce Waived 0x0 0
  1 host_to_device_bidirectional_memcpy_sm Passed 1x1 1
  1 device_to_device_latency_sm Waived 0x0 0
  1 device_local_copy Passed 1x1 1
  2 host_to_device_bidirectional_memcpy_ce Passed 1x2 2
  2 device_to_device_memcpy_read_ce Passed 2x2 2
  2 device_to_device_bidirectional_memcpy_write_ce Passed 6x2 6
  2 all_to_host_bidirectional_memcpy_ce Passed 1x2 2
  2 one_to_all_read_ce Passed 1x2 2
  2 host_to_device_bidirectional_memcpy_sm Passed 1x2 2
  2 device_to_device_latency_sm Passed 2x2 2
  2 device_local_copy Passed 1x2 2
  4 host_to_device_bidirectional_memcpy_ce Passed 1x4 4
  4 device_to_device_memcpy_read_ce Passed 4x4 12
  4 device_to_device_bidirectional_memcpy_write_ce Passed 12x4 36
  4 all_to_host_bidirectional_memcpy_ce Passed 1x4 4
  4 one_to_all_read_ce Passed 1x4 4
  4 host_to_device_bidirectional_memcpy_sm Passed 1x4 4
  4 device_to_device_latency_sm Passed 4x4 12
  4 device_local_copy Passed 1x4 4
  8 host_to_device_bidirectional_memcpy_ce Passed 1x8 8
  8 device_to_device_memcpy_read_ce Passed 8x8 56
  8 device_to_device_bidirectional_memcpy_write_ce Passed 24x8 168
  8 all_to_host_bidirectional_memcpy_ce Passed 1x8 8
  8 one_to_all_read_ce Passed 1x8 8
  8 host_to_device_bidirectional_memcpy_sm Passed 1x8 8
  8 device_to_device_latency_sm Passed 8x8 56
  8 device_local_copy Passed 1x8 8

All 44 tests of two GPUs, and the 35 of 0.9.

  $ wirespeed as nvbandwidth -F json -b 1 -i 1 -s 2>/dev/null | /usr/bin/python3 shape.py | cut -d ' ' -f 3,4 | sort | uniq -c
       30 Passed 1x2
        8 Passed 2x2
        6 Passed 6x2
  $ wirespeed as nvbandwidth@0.9 -j -b 1 -i 1 -s 2>/dev/null | grep -c '"status" : "Passed"'
  35
