Ranks on this machine: wirespeed launch -n N -- run ...

  $ try() { wirespeed launch "$@" 2>err; code=$?; cat err; [ "$(wc -l <err)" = 1 ] && [ "$code" = 64 ] || echo "code $code"; }

Bad input, before anything is started:

  $ try
  wirespeed: "launch" needs -n N, the number of ranks, 1 to 1024; as in: wirespeed launch -n 2 -- run PROBE...
  $ try -- run
  wirespeed: "launch" needs -n N, the number of ranks, 1 to 1024; as in: wirespeed launch -n 2 -- run PROBE...
  $ for value in '' 0 -1 1025 99999999999999999999 2x 1.5 many; do try -n "$value" -- run; done
  wirespeed: --ranks: the argument is empty; it must be N
  wirespeed: --ranks: "0" is out of range; allowed: 1 to 1024
  wirespeed: --ranks: "-1" is no whole number; allowed: 1 to 1024
  wirespeed: --ranks: "1025" is out of range; allowed: 1 to 1024
  wirespeed: --ranks: "99999999999999999999" is out of range; allowed: 1 to 1024
  wirespeed: --ranks: "2x" is no whole number; allowed: 1 to 1024
  wirespeed: --ranks: "1.5" is no whole number; allowed: 1 to 1024
  wirespeed: --ranks: "many" is no whole number; allowed: 1 to 1024
  $ try -n
  wirespeed: --ranks needs an argument: N
  $ try -n 2 --ranks 2 -- run
  wirespeed: --ranks is given twice
  $ try -n 2
  wirespeed: "launch" needs a command behind --; as in: wirespeed launch -n 2 -- run PROBE...
  $ try -n 2 run host_memory_read
  wirespeed: "launch": the command stands behind --, but got "run"; as in: wirespeed launch -n 2 -- run PROBE...
  $ try -n 2 --quick -- run
  wirespeed: --quick is no option of "launch"; see: wirespeed launch --help
  $ for command in list machine help 'launch -n 2 -- run' --version 'run --help'; do try -n 2 -- $command; done
  wirespeed: "launch": ranks can only run "run", not "list"
  wirespeed: "launch": ranks can only run "run", not "machine"
  wirespeed: "launch": ranks can only run "run", not "help"
  wirespeed: "launch": ranks can only run "run", not "launch"
  wirespeed: "launch": ranks can only run "run", not "--version"
  wirespeed: "launch": ranks can only run "run", not "--help"
  $ try -n 2 -- run --sized 1M
  wirespeed: unknown option "--sized"; did you mean --size?

And behind it:

  $ try -n 2 -- run host_memory_raed
  wirespeed: unknown probe "host_memory_raed"; did you mean "host_memory_read"? ("wirespeed list" shows them)
  $ echo 'read host0 by host0.cpu 1M' >plan; try -n 2 -- --plan plan
  wirespeed: --plan: step 1: host0: of 2 ranks, whose? A place is written r0/host0 to r1/host0
  $ echo 'read r2/host0 by r2/host0.cpu 1M' >plan; try -n 2 -- --plan plan
  wirespeed: --plan: step 1: r2/host0: there is no rank 2, only 0 to 1
  $ echo 'r0/host0 -> r1/host0 by r0/host0.cpu 1M' >plan; try -n 2 -- --plan plan
  wirespeed: --plan: step 1: r0/host0 and r1/host0 belong to two ranks, and "->" does not reach from one to the other

A row for every rank; one rank alone has no prefix:

  $ wirespeed launch -n 2 -- run host_memory_read --device host0 --size 1M --samples 2 | sed -n '/^ *host0$/,/^$/p' |
  >   awk '{ print $1, ($2 ~ /^[0-9.]+$/ ? "GB/s" : $2) }' | head -3
  host0 
  r0/host0 GB/s
  r1/host0 GB/s
  $ wirespeed launch -n 2 -- run host_memory_read --device host0 --size 1M --samples 2 --format csv |
  >   awk -F, '{ print $1, $2, $3, $10, $15 }'
  probe row column status verified
  host_memory_read r0/host0 host0 measured yes
  host_memory_read r1/host0 host0 measured yes
  $ wirespeed launch -n 1 -- host_memory_read --device host0 --size 1M --samples 2 --format csv | cut -d, -f2,3,10
  row,column,status
  host0,host0,measured

The JSON has the places of all ranks, and lanes by the clocks of their ranks:

  $ wirespeed launch -n 3 -- run host_memory_read --device host0 --size 1M --samples 2 --format json >result.json
  $ /usr/bin/python3 - <<END
  > import json
  > result = json.load(open("result.json"))
  > print(sorted({place["place"] for place in result["machine"]["places"] if place["place"].endswith("host0")}))
  > for cell in result["tables"][0]["cells"]:
  >     print(cell["coords"], cell["status"])
  > text = json.dumps(result["steps"])
  > print([clock for clock in ("r0/host:monotonic", "r1/host:monotonic", "r2/host:monotonic") if clock in text])
  > END
  ['r0/host0', 'r1/host0', 'r2/host0']
  {'row': 'r0/host0', 'column': 'host0'} measured
  {'row': 'r1/host0', 'column': 'host0'} measured
  {'row': 'r2/host0', 'column': 'host0'} measured
  ['r0/host:monotonic', 'r1/host:monotonic', 'r2/host:monotonic']

A plan over ranks is printed and replayed:

  $ wirespeed launch -n 2 -- --dry-run host_memory_read --device host0 --size 1M --samples 2 >plan
  $ grep -o '^host_memory_read.* by' plan | sed 's/:thp//'
  host_memory_read[row=r0/host0 column=host0]: read r0/host0 by
  host_memory_read[row=r1/host0 column=host0]: read r1/host0 by
  $ wirespeed launch -n 2 -- --plan plan --format csv | cut -d, -f2,3,10
  row,column,status
  r0/host0,host0,measured
  r1/host0,host0,measured

One step may have items of several ranks, which run at the same time:

  $ cat >plan <<END
  > with samples=2
  > both: read r0/host0 by r0/host0.cpu 1M + read r1/host0 by r1/host0.cpu 1M
  > END
  $ wirespeed launch -n 2 -- --plan plan --format csv | awk -F, '$5 == "bandwidth" { print $2, $10, $15 }'
  both measured yes
