Command lines that nvbandwidth refuses, or takes in more than one form.

  $ fakes=$(dirname "$(command -v wirespeed)")/tests
  $ [ -e "$fakes/libcuda_fake.so" ] || . skip "no fake CUDA driver beside this binary"
  $ export WIRESPEED_CUDA_LIB=$fakes/libcuda_fake.so WIRESPEED_NVML_LIB=$fakes/libnvml_fake.so
  $ refused() { wirespeed as nvbandwidth "$@" >out; echo "exit $?, $(grep -c '^ERROR: Invalid Arguments $' out) in the text"; }

The version, the command line and help on standard output, as the original has it; what is wrong with it on standard error.

  $ wirespeed as nvbandwidth -b x -v 2>err | sed 's/wirespeed-.*/wirespeed-VERSION/' | head -8 | cat -A
  nvbandwidth Version: v0.10.0$
  Built from Git version: wirespeed-VERSION$
  $
  ERROR: Invalid Arguments $
  nvbandwidth -b x -v :$
  $
  Usage: nvbandwidth [options]$
  $
  $ cat err
  nvbandwidth: --bufferSize: "x" is no value for it; allowed: 1 to 16777216

  $ refused -b
  nvbandwidth: --bufferSize: nothing follows it; it needs SIZE
  exit 1, 1 in the text
  $ refused -b 0
  nvbandwidth: --bufferSize: "0" is no value for it; allowed: 1 to 16777216
  exit 1, 1 in the text
  $ refused -b -1
  nvbandwidth: --bufferSize: "-1" is no value for it; allowed: 1 to 16777216
  exit 1, 1 in the text
  $ refused -b 1.5
  nvbandwidth: --bufferSize: "1.5" is no value for it; allowed: 1 to 16777216
  exit 1, 1 in the text
  $ refused -b 64M
  nvbandwidth: --bufferSize: "64M" is no value for it; allowed: 1 to 16777216
  exit 1, 1 in the text
  $ refused -b=64
  nvbandwidth: --bufferSize: "=64" is no value for it; allowed: 1 to 16777216
  exit 1, 1 in the text
  $ refused -b 18446744073709551616
  nvbandwidth: --bufferSize: "18446744073709551616" is no value for it; allowed: 1 to 16777216
  exit 1, 1 in the text
  $ refused -i 0
  nvbandwidth: --testSamples: "0" is no value for it; allowed: 1 to 100000
  exit 1, 1 in the text
  $ refused -i -v
  nvbandwidth: --testSamples: another option follows it; it needs N
  exit 1, 1 in the text
  $ refused --loopCount 0
  nvbandwidth: --loopCount: "0" is no value for it; allowed: 1 to 1000000
  exit 1, 1 in the text
  $ refused -t
  nvbandwidth: --testcase: nothing follows it; it needs TEST
  exit 1, 1 in the text
  $ refused -t ''
  nvbandwidth: --testcase: "" is no value for it; allowed: a test's name or number
  exit 1, 1 in the text
  $ refused -v -v
  nvbandwidth: --verbose is given twice; allowed: once
  exit 1, 1 in the text
  $ refused -b 1 --buffer 2
  nvbandwidth: --bufferSize is given twice; allowed: once
  exit 1, 1 in the text
  $ refused --verbose=1
  nvbandwidth: --verbose takes no value
  exit 1, 1 in the text
  $ refused --test 3
  nvbandwidth: "--test" may be one of several options; see --help
  exit 1, 1 in the text
  $ refused --nonsense=3
  nvbandwidth: "--nonsense" is no option; see --help
  exit 1, 1 in the text
  $ refused -vx
  nvbandwidth: "x" in -vx is no option; see --help
  exit 1, 1 in the text
  $ refused host_to_device_memcpy_ce
  nvbandwidth: "host_to_device_memcpy_ce" belongs to no option; tests are named behind -t
  exit 1, 1 in the text
  $ refused -- -v
  nvbandwidth: "--" is no option; see --help
  exit 1, 1 in the text
  $ refused -F xml
  nvbandwidth: --format: "xml" is no value for it; allowed: text, json, perf
  exit 1, 1 in the text
  $ refused "$(printf 'a\nb')"
  nvbandwidth: "a?b" belongs to no option; tests are named behind -t
  exit 1, 1 in the text
  $ refused --pair 0 1
  nvbandwidth: --pair: "0" is no value for it; allowed: two UUIDs of GPUs, each GPU-xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx
  exit 1, 1 in the text
  $ refused --pair GPU-00000000-0000-0000-0000-000000000001
  nvbandwidth: --pair: nothing follows it; it needs UUID1 UUID2
  exit 1, 1 in the text
  $ wirespeed as nvbandwidth@0.9 -F json 2>&1 >/dev/null
  nvbandwidth: "F" in -F is no option; see --help
  [1]

What the original says in its own words, on standard error.

  $ wirespeed as nvbandwidth -t 1 -p host
  You cannot specify both testcase and testcasePrefix options at the same time
  [1]
  $ wirespeed as nvbandwidth -P -2
  ERROR: Invalid targetNumPairs value: -2. Must be -1 (all pairs), 0 (no pairs), or a positive number.
  [1]
  $ wirespeed as nvbandwidth -p multinode 2>&1 >/dev/null
  SIMULATED: cuda is a fake, no figure of it is real
  Specified list of testcase prefixes did not match any testcases
  [1]

Where JSON is asked for, the answer is JSON, whatever is wrong.

  $ error() { wirespeed as "$@" >out 2>err; code=$?; /usr/bin/python3 -c 'import json; print(json.load(open("out"))["nvbandwidth"]["error"])'; grep -v ^SIMULATED err; echo "exit $code"; }
  $ error nvbandwidth -F json -b x
  ERROR: Invalid Arguments: --bufferSize: "x" is no value for it; allowed: 1 to 16777216
  exit 1
  $ error nvbandwidth@0.9 -b x -j
  ERROR: Invalid Arguments: --bufferSize: "x" is no value for it; allowed: 1 to 16777216
  exit 1
  $ for words in "-b0 -vF json" "-b0 --form json" "-b0 -svFjson" "-b0 -vj"; do error nvbandwidth $words | head -1; done
  ERROR: Invalid Arguments: --bufferSize: "0" is no value for it; allowed: 1 to 16777216
  ERROR: Invalid Arguments: --bufferSize: "0" is no value for it; allowed: 1 to 16777216
  ERROR: Invalid Arguments: --bufferSize: "0" is no value for it; allowed: 1 to 16777216
  ERROR: Invalid Arguments: --bufferSize: "0" is no value for it; allowed: 1 to 16777216
  $ error nvbandwidth -F json "$(printf 'h\344user')"
  ERROR: Invalid Arguments: "h?user" belongs to no option; tests are named behind -t
  exit 1
  $ error nvbandwidth@0.9 -j -t 1 -p host
  You cannot specify both testcase and testcasePrefix options at the same time
  exit 1
  $ error nvbandwidth --format=json -P -2
  ERROR: Invalid targetNumPairs value: -2. Must be -1 (all pairs), 0 (no pairs), or a positive number.
  exit 1
  $ error nvbandwidth@0.9 -j -p zzz
  Specified list of testcase prefixes did not match any testcases
  exit 1

--pair needs two GPUs that this process sees.

  $ one=GPU-00000000-0000-0000-0000-000000000001 two=GPU-00000000-0000-0000-0000-000000000002 nine=GPU-00000000-0000-0000-0000-000000000009
  $ wirespeed as nvbandwidth --pair $one $one 2>&1 >/dev/null | tail -1
  ERROR: --pair names GPU-00000000-0000-0000-0000-000000000001 twice; allowed: two different GPUs
  $ error nvbandwidth -F json --pair $one $nine
  ERROR: --pair: there is no GPU GPU-00000000-0000-0000-0000-000000000009 among the 2 that CUDA shows to this process
  exit 1
  $ CUDA_VISIBLE_DEVICES=0 error nvbandwidth -F json --pair $one $two
  ERROR: --pair: there is no GPU GPU-00000000-0000-0000-0000-000000000002 among the 1 that CUDA shows to this process; CUDA_VISIBLE_DEVICES is set
  exit 1

The same options in other forms: with parts of names, letters in one word, values in the same word.

  $ run() { wirespeed as nvbandwidth "$@" 2>/dev/null | grep -e ^Running -e '^&&&&' | tr '\n' ' '; echo; }
  $ run --buf 1 --testcase 38 --skip --dis --useM --testS 1
  Running device_local_copy. 
  $ run -sdmb1 -i1 -t38 39
  Running device_local_copy. Running device_local_copy_sm. 
  $ run --bufferSize=1 --testcase=38 -i 1 --format=perf
  Running device_local_copy. &&&& PERF device_local_copy 749.17 +GB/s 
  $ run -b 1 -i 1 --testcaseP device_local_copy_ host_to_device_memcpy_c
  Running host_to_device_memcpy_ce. Running device_local_copy_sm. Running device_local_copy_tma. 
  $ wirespeed as nvbandwidth@0.9 --l 2>&1 >/dev/null
  nvbandwidth: "--l" may be one of several options; see --help
  [1]
  $ wirespeed as nvbandwidth --l | grep -c ^4
  5

-P greater than 0 has no effect on one node, and says so.

  $ wirespeed as nvbandwidth -b 1 -i 1 -P 2 -t 38 2>/dev/null | sed -n 2p
  WARNING: targetNumPairs is for multinode testcases only, and has no effect on a single node.
  $ wirespeed as nvbandwidth -b 1 -i 1 -P 0 -t 38 2>/dev/null | sed -n 2p
  nvbandwidth Version: v0.10.0

A link to the program with the tool's name is the tool.

  $ ln -s "$(command -v wirespeed)" nvbandwidth
  $ ./nvbandwidth --version | head -1
  nvbandwidth Version: v0.10.0
  $ ./nvbandwidth -b 2>&1 | sed -n 5p
  ./nvbandwidth -b :
