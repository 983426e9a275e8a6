Every argument: missing, empty, zero, negative, overflow, wrong unit, unknown, duplicate. One line on stderr that names
the argument, what is wrong and what is allowed, and exit code 64. No message may span lines: each case is its own.

  $ try() { wirespeed "$@" 2>err; code=$?; cat err; [ "$(wc -l <err)" = 1 ] && [ "$code" = 64 ] || echo "code $code"; }

--size:

  $ for value in '' 0 -1 -1K 1.5M 64X K 99999999999999999999G 2T 64M/ /64M 1K/2K/3K 64M/64M 64M/1K ' 64M' 0x10; do
  >   try --size "$value"
  > done
  wirespeed: --size: the argument is empty; it must be SIZE[/SIZE]
  wirespeed: --size: "0" is out of range; allowed: 1 to 1T
  wirespeed: --size: "-1" is no size (64K, 1M, 1MB; two: 64M/256M); allowed: 1 to 1T
  wirespeed: --size: "-1K" is no size (64K, 1M, 1MB; two: 64M/256M); allowed: 1 to 1T
  wirespeed: --size: "1.5M" is no size (64K, 1M, 1MB; two: 64M/256M); allowed: 1 to 1T
  wirespeed: --size: "64X" is no size (64K, 1M, 1MB; two: 64M/256M); allowed: 1 to 1T
  wirespeed: --size: "K" is no size (64K, 1M, 1MB; two: 64M/256M); allowed: 1 to 1T
  wirespeed: --size: "99999999999999999999G" is no size (64K, 1M, 1MB; two: 64M/256M); allowed: 1 to 1T
  wirespeed: --size: "2T" is out of range; allowed: 1 to 1T
  wirespeed: --size: "64M/" is no size (64K, 1M, 1MB; two: 64M/256M); allowed: 1 to 1T
  wirespeed: --size: "/64M" is no size (64K, 1M, 1MB; two: 64M/256M); allowed: 1 to 1T
  wirespeed: --size: "1K/2K/3K" is no size (64K, 1M, 1MB; two: 64M/256M); allowed: 1 to 1T
  wirespeed: --size: in "64M/64M" the first size is not the smaller one
  wirespeed: --size: in "64M/1K" the first size is not the smaller one
  wirespeed: --size: " 64M" is no size (64K, 1M, 1MB; two: 64M/256M); allowed: 1 to 1T
  wirespeed: --size: "0x10" is no size (64K, 1M, 1MB; two: 64M/256M); allowed: 1 to 1T
  $ try --size
  wirespeed: --size needs an argument: SIZE[/SIZE]
  $ try --size --quick
  wirespeed: --size needs an argument: SIZE[/SIZE]
  $ try --size=1K --size=2K
  wirespeed: --size is given twice

--sizes:

  $ for value in '' 4K 0..4K 4K..0 -1..4K 4K-1G 4K.. ..4K 4K..2T 4K..8X 4K...8K 4K..8K..16K 8K..4K; do
  >   try --sizes "$value"
  > done
  wirespeed: --sizes: the argument is empty; it must be SIZE..SIZE
  wirespeed: --sizes: "4K" is no range of sizes (4K..1G); allowed: 1 to 1T
  wirespeed: --sizes: "0..4K" is out of range; allowed: 1 to 1T
  wirespeed: --sizes: "4K..0" is out of range; allowed: 1 to 1T
  wirespeed: --sizes: "-1..4K" is no range of sizes (4K..1G); allowed: 1 to 1T
  wirespeed: --sizes: "4K-1G" is no range of sizes (4K..1G); allowed: 1 to 1T
  wirespeed: --sizes: "4K.." is no range of sizes (4K..1G); allowed: 1 to 1T
  wirespeed: --sizes: "..4K" is no range of sizes (4K..1G); allowed: 1 to 1T
  wirespeed: --sizes: "4K..2T" is out of range; allowed: 1 to 1T
  wirespeed: --sizes: "4K..8X" is no range of sizes (4K..1G); allowed: 1 to 1T
  wirespeed: --sizes: "4K...8K" is no range of sizes (4K..1G); allowed: 1 to 1T
  wirespeed: --sizes: "4K..8K..16K" is no range of sizes (4K..1G); allowed: 1 to 1T
  wirespeed: --sizes: in "8K..4K" the first size is the larger one
  $ try --sizes
  wirespeed: --sizes needs an argument: SIZE..SIZE
  $ try --sizes 4K..8K --sizes 4K..8K
  wirespeed: --sizes is given twice
  $ try host_memory_read --sizes 4K..8K | sed 's/would: .*, \.\.\.$/would: .../'
  wirespeed: --sizes: none of the selected probes honours it; these would: ...

--device and --pair:

  $ for value in '' host host-1 host99999999999 hots0 host0, ,host0 host0:pinned 'host0 host1' 0; do
  >   try --device "$value"
  > done
  wirespeed: --device: the argument is empty; it must be PLACE,...
  wirespeed: --device: "host" is no place; allowed: places, as host0,host1
  wirespeed: --device: "host-1" is no place; allowed: places, as host0,host1
  wirespeed: --device: "host99999999999" is no place; allowed: places, as host0,host1
  wirespeed: --device: "hots0" is no place; allowed: places, as host0,host1
  wirespeed: --device: "" is no place; allowed: places, as host0,host1
  wirespeed: --device: "" is no place; allowed: places, as host0,host1
  wirespeed: --device: "host0:pinned" is no place; allowed: places, as host0,host1
  wirespeed: --device: "host0 host1" is no place; allowed: places, as host0,host1
  wirespeed: --device: "0" is no place; allowed: places, as host0,host1
  $ for value in 0000:zz:00.0 12:00.0:4 GPU- GPU-12 'GPU-1234 5678' ABC-12345678; do try --device "$value"; done
  wirespeed: --device: "0000:zz:00.0" is no place; allowed: places, as host0,host1
  wirespeed: --device: "12:00.0:4" is no place; allowed: places, as host0,host1
  wirespeed: --device: "GPU-" is no place; allowed: places, as host0,host1
  wirespeed: --device: "GPU-12" is no place; allowed: places, as host0,host1
  wirespeed: --device: "GPU-1234 5678" is no place; allowed: places, as host0,host1
  wirespeed: --device: "ABC-12345678" is no place; allowed: places, as host0,host1
  $ for value in ff:1f.7 00000000:FF:1F.7 GPU-12345678 MIG-12345678-9abc; do
  >   try host_memory_read --device "$value" | sed 's/on this machine; .*/on this machine/'
  > done
  wirespeed: --device: there is no place ff:1f.7 on this machine
  wirespeed: --device: there is no place 00000000:FF:1F.7 on this machine
  wirespeed: --device: there is no place GPU-12345678 on this machine
  wirespeed: --device: there is no place MIG-12345678-9abc on this machine
  $ try --device
  wirespeed: --device needs an argument: PLACE,...
  $ try --device host0 --device host1
  wirespeed: --device is given twice
  $ for value in '' host0 host0, host0,host1,host2 host0,nowhere; do try --pair "$value"; done
  wirespeed: --pair: the argument is empty; it must be A,B
  wirespeed: --pair: "host0" is no list of so many places; allowed: two places, as host0,host1
  wirespeed: --pair: "" is no place; allowed: two places, as host0,host1
  wirespeed: --pair: "host0,host1,host2" is no list of so many places; allowed: two places, as host0,host1
  wirespeed: --pair: "nowhere" is no place; allowed: two places, as host0,host1
  $ try --pair
  wirespeed: --pair needs an argument: A,B
  $ try --pair host0,host1 --pair host1,host0
  wirespeed: --pair is given twice

--host-node, --threads, --samples and --seed:

  $ for option in host-node threads samples seed; do
  >   for value in '' 0x -1 1.5 2K many 99999999999999999999; do try --$option "$value"; done
  >   try --$option
  >   try --$option 1 --$option 1
  > done
  wirespeed: --host-node: the argument is empty; it must be N
  wirespeed: --host-node: "0x" is no whole number; allowed: 0 to 4095
  wirespeed: --host-node: "-1" is no whole number; allowed: 0 to 4095
  wirespeed: --host-node: "1.5" is no whole number; allowed: 0 to 4095
  wirespeed: --host-node: "2K" is no whole number; allowed: 0 to 4095
  wirespeed: --host-node: "many" is no whole number; allowed: 0 to 4095
  wirespeed: --host-node: "99999999999999999999" is out of range; allowed: 0 to 4095
  wirespeed: --host-node needs an argument: N
  wirespeed: --host-node is given twice
  wirespeed: --threads: the argument is empty; it must be N
  wirespeed: --threads: "0x" is no whole number; allowed: 1 to 4096
  wirespeed: --threads: "-1" is no whole number; allowed: 1 to 4096
  wirespeed: --threads: "1.5" is no whole number; allowed: 1 to 4096
  wirespeed: --threads: "2K" is no whole number; allowed: 1 to 4096
  wirespeed: --threads: "many" is no whole number; allowed: 1 to 4096
  wirespeed: --threads: "99999999999999999999" is out of range; allowed: 1 to 4096
  wirespeed: --threads needs an argument: N
  wirespeed: --threads is given twice
  wirespeed: --samples: the argument is empty; it must be N
  wirespeed: --samples: "0x" is no whole number; allowed: 1 to 100000
  wirespeed: --samples: "-1" is no whole number; allowed: 1 to 100000
  wirespeed: --samples: "1.5" is no whole number; allowed: 1 to 100000
  wirespeed: --samples: "2K" is no whole number; allowed: 1 to 100000
  wirespeed: --samples: "many" is no whole number; allowed: 1 to 100000
  wirespeed: --samples: "99999999999999999999" is out of range; allowed: 1 to 100000
  wirespeed: --samples needs an argument: N
  wirespeed: --samples is given twice
  wirespeed: --seed: the argument is empty; it must be N
  wirespeed: --seed: "0x" is no whole number; allowed: 0 to 18446744073709551615
  wirespeed: --seed: "-1" is no whole number; allowed: 0 to 18446744073709551615
  wirespeed: --seed: "1.5" is no whole number; allowed: 0 to 18446744073709551615
  wirespeed: --seed: "2K" is no whole number; allowed: 0 to 18446744073709551615
  wirespeed: --seed: "many" is no whole number; allowed: 0 to 18446744073709551615
  wirespeed: --seed: "99999999999999999999" is out of range; allowed: 0 to 18446744073709551615
  wirespeed: --seed needs an argument: N
  wirespeed: --seed is given twice
  $ for option in threads samples; do try --$option 0; done
  wirespeed: --threads: "0" is out of range; allowed: 1 to 4096
  wirespeed: --samples: "0" is out of range; allowed: 1 to 100000

--time-limit and --timeout:

  $ for option in time-limit timeout; do
  >   for value in '' 0 -1s 1x s 25h 10us 0.0000000001 99999999999999999999s 1e3; do try --$option "$value"; done
  >   try --$option
  >   try --$option 1s --$option 1s
  > done
  wirespeed: --time-limit: the argument is empty; it must be TIME
  wirespeed: --time-limit: "0" is out of range; allowed: 1ms to 86400s
  wirespeed: --time-limit: "-1s" is no time (500ms, 1.5s, 2m; without a unit seconds); allowed: 1ms to 86400s
  wirespeed: --time-limit: "1x" is no time (500ms, 1.5s, 2m; without a unit seconds); allowed: 1ms to 86400s
  wirespeed: --time-limit: "s" is no time (500ms, 1.5s, 2m; without a unit seconds); allowed: 1ms to 86400s
  wirespeed: --time-limit: "25h" is out of range; allowed: 1ms to 86400s
  wirespeed: --time-limit: "10us" is out of range; allowed: 1ms to 86400s
  wirespeed: --time-limit: "0.0000000001" is no time (500ms, 1.5s, 2m; without a unit seconds); allowed: 1ms to 86400s
  wirespeed: --time-limit: "99999999999999999999s" is no time (500ms, 1.5s, 2m; without a unit seconds); allowed: 1ms to 86400s
  wirespeed: --time-limit: "1e3" is no time (500ms, 1.5s, 2m; without a unit seconds); allowed: 1ms to 86400s
  wirespeed: --time-limit needs an argument: TIME
  wirespeed: --time-limit is given twice
  wirespeed: --timeout: the argument is empty; it must be TIME
  wirespeed: --timeout: "0" is out of range; allowed: 1ms to 86400s
  wirespeed: --timeout: "-1s" is no time (500ms, 1.5s, 2m; without a unit seconds); allowed: 1ms to 86400s
  wirespeed: --timeout: "1x" is no time (500ms, 1.5s, 2m; without a unit seconds); allowed: 1ms to 86400s
  wirespeed: --timeout: "s" is no time (500ms, 1.5s, 2m; without a unit seconds); allowed: 1ms to 86400s
  wirespeed: --timeout: "25h" is out of range; allowed: 1ms to 86400s
  wirespeed: --timeout: "10us" is out of range; allowed: 1ms to 86400s
  wirespeed: --timeout: "0.0000000001" is no time (500ms, 1.5s, 2m; without a unit seconds); allowed: 1ms to 86400s
  wirespeed: --timeout: "99999999999999999999s" is no time (500ms, 1.5s, 2m; without a unit seconds); allowed: 1ms to 86400s
  wirespeed: --timeout: "1e3" is no time (500ms, 1.5s, 2m; without a unit seconds); allowed: 1ms to 86400s
  wirespeed: --timeout needs an argument: TIME
  wirespeed: --timeout is given twice

--backend, --memory, --format and --color:

  $ for value in '' hots host, ,host host,host,xyz 0; do try --backend "$value"; done
  wirespeed: --backend: the argument is empty; it must be NAME,...
  wirespeed: --backend: "hots" is unknown; allowed: host* (glob)
  wirespeed: --backend: "" is unknown; allowed: host* (glob)
  wirespeed: --backend: "" is unknown; allowed: host* (glob)
  wirespeed: --backend: "xyz" is unknown; allowed: host* (glob)
  wirespeed: --backend: "0" is unknown; allowed: host* (glob)
  $ try --backend
  wirespeed: --backend needs an argument: NAME,...
  $ try --backend host --backend host
  wirespeed: --backend is given twice
  $ for value in '' pined thp:pinned pinned:3k pinned: :thp pinned:thp:thp 0; do try --memory "$value"; done
  wirespeed: --memory: the argument is empty; it must be KIND[:PAGES]
  wirespeed: --memory: "pined" is no kind of host memory; allowed: pageable, pinned, wc, mapped or svm, then :4k, :thp, :2m or :1g; or huge
  wirespeed: --memory: "thp:pinned" is no kind of host memory; allowed: pageable, pinned, wc, mapped or svm, then :4k, :thp, :2m or :1g; or huge
  wirespeed: --memory: "pinned:3k" is no kind of host memory; allowed: pageable, pinned, wc, mapped or svm, then :4k, :thp, :2m or :1g; or huge
  wirespeed: --memory: "pinned:" is no kind of host memory; allowed: pageable, pinned, wc, mapped or svm, then :4k, :thp, :2m or :1g; or huge
  wirespeed: --memory: ":thp" is no kind of host memory; allowed: pageable, pinned, wc, mapped or svm, then :4k, :thp, :2m or :1g; or huge
  wirespeed: --memory: "pinned:thp:thp" is no kind of host memory; allowed: pageable, pinned, wc, mapped or svm, then :4k, :thp, :2m or :1g; or huge
  wirespeed: --memory: "0" is no kind of host memory; allowed: pageable, pinned, wc, mapped or svm, then :4k, :thp, :2m or :1g; or huge
  $ try --memory
  wirespeed: --memory needs an argument: KIND[:PAGES]
  $ try --memory huge --memory huge
  wirespeed: --memory is given twice
  $ for value in '' jsn xml JSON text,json html openmetrics; do try --format "$value"; done
  wirespeed: --format: the argument is empty; it must be NAME
  wirespeed: --format: "jsn" is unknown; allowed: text, json or csv
  wirespeed: --format: "xml" is unknown; allowed: text, json or csv
  wirespeed: --format: "JSON" is unknown; allowed: text, json or csv
  wirespeed: --format: "text,json" is unknown; allowed: text, json or csv
  wirespeed: --format: "html" is not in this build; allowed: text, json or csv
  wirespeed: --format: "openmetrics" is not in this build; allowed: text, json or csv
  $ try --format
  wirespeed: --format needs an argument: NAME
  $ try --format json --format csv
  wirespeed: --format is given twice
  $ for value in '' yes ALWAYS; do try --color "$value"; done
  wirespeed: --color: the argument is empty; it must be WHEN
  wirespeed: --color: "yes" is unknown; allowed: auto, always or never
  wirespeed: --color: "ALWAYS" is unknown; allowed: auto, always or never
  $ try --color
  wirespeed: --color needs an argument: WHEN
  $ try --color auto --color auto
  wirespeed: --color is given twice

Paths:

  $ for option in plan output machine; do
  >   try --$option ''
  >   try --$option=
  >   try --$option
  >   try --$option a --$option b
  > done
  wirespeed: --plan: the argument is empty; it must be FILE
  wirespeed: --plan: the argument is empty; it must be FILE
  wirespeed: --plan needs an argument: FILE
  wirespeed: --plan is given twice
  wirespeed: --output: the argument is empty; it must be FILE
  wirespeed: --output: the argument is empty; it must be FILE
  wirespeed: --output needs an argument: FILE
  wirespeed: --output is given twice
  wirespeed: --machine: the argument is empty; it must be PATH
  wirespeed: --machine: the argument is empty; it must be PATH
  wirespeed: --machine needs an argument: PATH
  wirespeed: --machine is given twice

Flags take nothing, and are given once:

  $ for option in quick thorough no-verify dry-run here json help version; do
  >   try --$option=yes
  >   try --$option --$option
  > done
  wirespeed: --quick takes no argument, but got "yes"
  wirespeed: --quick is given twice
  wirespeed: --thorough takes no argument, but got "yes"
  wirespeed: --thorough is given twice
  wirespeed: --no-verify takes no argument, but got "yes"
  wirespeed: --no-verify is given twice
  wirespeed: --dry-run takes no argument, but got "yes"
  wirespeed: --dry-run is given twice
  wirespeed: --here takes no argument, but got "yes"
  wirespeed: --here is given twice
  wirespeed: --json takes no argument, but got "yes"
  wirespeed: --json is given twice
  wirespeed: --help takes no argument, but got "yes"
  wirespeed: --help is given twice
  wirespeed: --version takes no argument, but got "yes"
  wirespeed: --version is given twice

Unknown options, with the nearest name; options that are not in this build:

  $ for word in --sise --formt=json --device-list --x --= -x -hh --no-verfy --Size ---size; do try "$word" probe; done
  wirespeed: unknown option "--sise"; did you mean --size?
  wirespeed: unknown option "--formt"; did you mean --format?
  wirespeed: unknown option "--device-list"
  wirespeed: unknown option "--x"
  wirespeed: unknown option "--"
  wirespeed: unknown option "-x"
  wirespeed: -h takes no argument; letters of options are not joined
  wirespeed: unknown option "--no-verfy"; did you mean --no-verify?
  wirespeed: unknown option "--Size"; did you mean --size?
  wirespeed: unknown option "---size"; did you mean --size?
  $ for word in engine=sm warmup=5 pattern=zero save=x verbose; do try --$word; done
  wirespeed: option --engine is not in this build
  wirespeed: option --warmup is not in this build
  wirespeed: option --pattern is not in this build
  wirespeed: option --save is not in this build
  wirespeed: option --verbose is not in this build
  $ try -n 2; try -v
  wirespeed: --ranks is no option of "run"; see: wirespeed run --help
  wirespeed: option --verbose is not in this build

Words that hold control characters or are very long still make one line:

  $ try --size "$(printf '1\n2\033[31m')"
  wirespeed: --size: "1?2?[31m" is no size (64K, 1M, 1MB; two: 64M/256M); allowed: 1 to 1T
  $ try --device "$(printf 'x%.0s' $(seq 5000))"
  wirespeed: --device: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx..." is no place; allowed: places, as host0,host1
  $ try "--$(printf 'x%.0s' $(seq 5000))"
  wirespeed: unknown option "--xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx..."
  $ try --format "$(printf '\377\376')" | tr -d '\376\377'
  wirespeed: --format: "" is unknown; allowed: text, json or csv
