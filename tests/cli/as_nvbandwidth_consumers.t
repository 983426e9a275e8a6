The rules by which other programs read nvbandwidth, in our own words (doc/consumers.md says whose), over what is printed here.

  $ fakes=$(dirname "$(command -v wirespeed)")/tests
  $ [ -e "$fakes/libcuda_fake.so" ] || . skip "no fake CUDA driver beside this binary"
  $ export WIRESPEED_CUDA_LIB=$fakes/libcuda_fake.so WIRESPEED_NVML_LIB=$fakes/libnvml_fake.so
  $ machines=$TESTDIR/../fake/machines
  $ export FAKE_CUDA_MACHINE=$machines/2gpu.machine
  $ cp "$machines"/h100.gpu "$machines"/2gpu.machine .
  $ ln -s "$(command -v wirespeed)" nvbandwidth

DCGM runs "nvbandwidth -j -v -t NAME -t NAME" and takes what stands between the first line of a brace alone and the last.
It wants the CUDA version as a number, texts, a list of tests, known words for their status, cells that are numbers.

  $ cat >dcgm.py <<END
  > import json, sys
  > lines = sys.stdin.read().split("\n")
  > alone = lambda brace: [i for i, line in enumerate(lines) if line.strip("\t") == brace]
  > root = json.loads("\n".join(lines[alone("{")[0] : alone("}")[-1] + 1]))["nvbandwidth"]
  > assert type(root["CUDA Runtime Version"]) is int and type(root["testcases"]) is list
  > assert all(type(root[key]) is str for key in ("Driver Version", "git_version"))
  > words = set()
  > for test in root["testcases"]:
  >     words.add(test["status"].lower())
  >     assert words <= {"error", "waived", "not found", "passed"}, words
  >     cells = [cell for row in test.get("bandwidth_matrix", []) for cell in row]
  >     assert "bandwidth_matrix" not in test or cells
  >     figures = [float(cell) for cell in cells if cell != "N/A"]
  >     numbers = ["%.2f" % test[key] for key in ("sum", "min", "max", "average") if key in test]
  >     print(test["name"], test["status"], len(cells), len(figures), *numbers)
  > print("fail" if "error" in words else "pass")
  > END
  $ ./nvbandwidth -j -v -b 1 -t 0 -t device_to_device_bidirectional_memcpy_write_ce -t device_local_copy 2>&1 | /usr/bin/python3 dcgm.py
  host_to_device_memcpy_ce Passed 2 2 98.95 49.48 49.48 49.48
  device_to_device_bidirectional_memcpy_write_ce Passed 12 6 842.50 421.25 421.25 421.25
  device_local_copy Passed 2 2 677.73 338.87 338.87 338.87
  pass
  $ FAKE_CUDA_MACHINE=$machines/1gpu.machine wirespeed as nvbandwidth@0.9 -j -v -b 1 -t 0 4 2>/dev/null | /usr/bin/python3 dcgm.py
  host_to_device_memcpy_ce Passed 1 1 49.48 49.48 49.48 49.48
  device_to_device_memcpy_read_ce Waived 0 0
  pass
  $ printf 'include 2gpu.machine\nfault corrupt 1->0 byte=100\n' >faulty.machine
  $ FAKE_CUDA_MACHINE=$PWD/faulty.machine ./nvbandwidth -j -v -b 1 -t 4 -t 38 2>/dev/null | /usr/bin/python3 dcgm.py
  device_to_device_memcpy_read_ce Error 4 1 66.61 66.61 66.61 66.61
  device_local_copy Passed 2 2 677.73 338.87 338.87 338.87
  fail

SuperBench reads text: a test's name between "Running " and the last character, a header that begins with memcpy or memory
latency, three letters before (row) and (column), rows that begin with a digit, the first SUM. A list must leave standard
error empty, and names stand between ", " and ":".

  $ cat >superbench.py <<END
  > import re, sys
  > test = kind = columns = None
  > for line in map(str.strip, sys.stdin):
  >     if match := re.match(r"ERROR: Testcase (\S+) not found!", line):
  >         print("unsupported", match[1])
  >     elif match := re.match(r"Running\s+(.+)\$", line):
  >         test, kind, columns = match[1].lower()[:-1], None, None
  >     elif test and re.match("memcpy|memory latency", line):
  >         kind, columns = "bw" if "bandwidth" in line else "lat", None
  >         row, column = (line[line.find(word) - 3 : line.find(word)].lower() for word in ("(row)", "(column)"))
  >     elif test and kind and re.match(r"\d", line) and not columns:
  >         columns = line.split()
  >     elif test and kind and re.match(r"\d", line):
  >         first, *cells = line.split()
  >         for name, cell in zip(columns, cells):
  >             if cell != "N/A":
  >                 print(f"{test}_{row}{first}_{column}{name}_{kind} {float(cell)}")
  >     elif test and kind and (match := re.match(r"SUM (\S+) (\d+\.\d+)", line)):
  >         print(f"{test}_sum_{kind} {float(match[2])}")
  >         test = kind = columns = None
  > END
  $ ./nvbandwidth --bufferSize 1 --testcase host_to_device_memcpy_ce device_to_device_memcpy_read_ce host_device_latency_sm zzz --disableAffinity --useMean --testSamples 3 2>&1 | /usr/bin/python3 superbench.py
  host_to_device_memcpy_ce_cpu0_gpu0_bw 49.48
  host_to_device_memcpy_ce_cpu0_gpu1_bw 49.48
  host_to_device_memcpy_ce_sum_bw 98.95
  device_to_device_memcpy_read_ce_gpu0_gpu1_bw 66.61
  device_to_device_memcpy_read_ce_gpu1_gpu0_bw 66.61
  device_to_device_memcpy_read_ce_sum_bw 133.22
  host_device_latency_sm_cpu0_gpu0_lat 1251.5
  host_device_latency_sm_cpu0_gpu1_lat 1251.5
  host_device_latency_sm_sum_lat 2503.0
  unsupported zzz
  $ ./nvbandwidth --list 2>err | grep -c -E '[0-9]+,[[:space:]]+[a-z_]+:'; cat err
  44

Azure's health checks run "nvbandwidth -t ... -i 10", drop every line with "memcpy" in it, and of the rest between two lines
that begin with "Running" the first: what is left are rows, a number and its cells. Of the last test the footer's words are
left as well, of any nvbandwidth since 0.6.

  $ FAKE_CUDA_MACHINE=$machines/4gpu.machine ./nvbandwidth -b 1 -t device_to_host_memcpy_ce device_to_device_memcpy_read_ce -i 10 2>/dev/null |
  >   awk '/^Running/ { name = $2; line = 0 } /memcpy/ || !name || !NF { next } line++ { for (i = 2; i <= NF; i++) if ($i != "N/A") print name, line - 2, i - 2, $i }'
  device_to_host_memcpy_ce. 0 0 49.32
  device_to_host_memcpy_ce. 0 1 49.32
  device_to_host_memcpy_ce. 0 2 49.32
  device_to_host_memcpy_ce. 0 3 49.32
  device_to_device_memcpy_read_ce. 0 1 66.61
  device_to_device_memcpy_read_ce. 0 2 66.61
  device_to_device_memcpy_read_ce. 0 3 66.61
  device_to_device_memcpy_read_ce. 1 0 66.61
  device_to_device_memcpy_read_ce. 1 2 66.61
  device_to_device_memcpy_read_ce. 1 3 66.61
  device_to_device_memcpy_read_ce. 2 0 66.61
  device_to_device_memcpy_read_ce. 2 1 66.61
  device_to_device_memcpy_read_ce. 2 3 66.61
  device_to_device_memcpy_read_ce. 3 0 66.61
  device_to_device_memcpy_read_ce. 3 1 66.61
  device_to_device_memcpy_read_ce. 3 2 66.61
  device_to_device_memcpy_read_ce. 4 0 The
  device_to_device_memcpy_read_ce. 4 1 reported
  device_to_device_memcpy_read_ce. 4 2 results
  device_to_device_memcpy_read_ce. 4 3 may
  device_to_device_memcpy_read_ce. 4 4 not
  device_to_device_memcpy_read_ce. 4 5 reflect
  device_to_device_memcpy_read_ce. 4 6 the
  device_to_device_memcpy_read_ce. 4 7 full
  device_to_device_memcpy_read_ce. 4 8 capabilities
  device_to_device_memcpy_read_ce. 4 9 of
  device_to_device_memcpy_read_ce. 4 10 the
  device_to_device_memcpy_read_ce. 4 11 platform.
  device_to_device_memcpy_read_ce. 5 0 can
  device_to_device_memcpy_read_ce. 5 1 vary
  device_to_device_memcpy_read_ce. 5 2 with
  device_to_device_memcpy_read_ce. 5 3 software
  device_to_device_memcpy_read_ce. 5 4 drivers,
  device_to_device_memcpy_read_ce. 5 5 hardware
  device_to_device_memcpy_read_ce. 5 6 clocks,
  device_to_device_memcpy_read_ce. 5 7 and
  device_to_device_memcpy_read_ce. 5 8 system
  device_to_device_memcpy_read_ce. 5 9 topology.

Scripts that merge both streams and stop at "error" find none in all the tests of a healthy machine, one GPU or two.

  $ FAKE_CUDA_MACHINE=$machines/1gpu.machine ./nvbandwidth -b 1 -i 1 -s >out 2>&1; echo "$?, $(grep -c -i error out), $(grep -c ^Waived out) waived, $(grep -c ^Running out) run"
  0, 0, 22 waived, 22 run
  $ ./nvbandwidth -b 1 -i 1 -s >out 2>&1; echo "$?, $(grep -c -i error out), $(grep -c ^Waived out) waived, $(grep -c ^Running out) run"
  0, 0, 0 waived, 44 run
