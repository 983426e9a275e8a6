Words that are right each but not together. One line, exit code 64.

  $ try() { wirespeed "$@" >out 2>err; code=$?; cat err; [ "$(wc -l <err)" = 1 ] && [ "$code" = 64 ] && [ ! -s out ] || echo "code $code"; }

Options that contradict each other, in either order:

  $ try --quick --thorough
  wirespeed: --quick and --thorough contradict each other
  $ try --thorough --quick
  wirespeed: --quick and --thorough contradict each other
  $ for option in --time-limit=1s --quick --thorough; do try --samples 3 $option; done
  wirespeed: --samples and --time-limit contradict each other
  wirespeed: --samples and --quick contradict each other
  wirespeed: --samples and --thorough contradict each other
  $ try --thorough --time-limit 1s
  wirespeed: --time-limit and --thorough contradict each other
  $ try --dry-run --format json
  wirespeed: --dry-run and --format contradict each other
  $ try --color always --dry-run
  wirespeed: --dry-run and --color contradict each other
  $ try --device host0 --pair host0,host0
  wirespeed: --device and --pair contradict each other
  $ for option in --device=host0 --pair=host0,host1 --host-node=0 --memory=pinned --size=1M --threads=1 --quick --thorough; do
  >   try --plan x $option
  > done
  wirespeed: --device and --plan contradict each other
  wirespeed: --pair and --plan contradict each other
  wirespeed: --host-node and --plan contradict each other
  wirespeed: --memory and --plan contradict each other
  wirespeed: --size and --plan contradict each other
  wirespeed: --threads and --plan contradict each other
  wirespeed: --plan and --quick contradict each other
  wirespeed: --plan and --thorough contradict each other
  $ try --plan x host_memory_read
  wirespeed: --plan and probe "host_memory_read" contradict each other

A recorded machine can be planned for only:

  $ try --machine .
  wirespeed: a recorded machine cannot be measured: --machine goes with --dry-run
  $ try list --machine .
  wirespeed: --machine goes with --here only

Options of other commands:

  $ try list --size 1M
  wirespeed: --size is no option of "list"; see: wirespeed list --help
  $ try machine --dry-run
  wirespeed: --dry-run is no option of "machine"; see: wirespeed machine --help
  $ try help --here
  wirespeed: --here is no option of "help"; see: wirespeed help --help
  $ try run --here
  wirespeed: --here is no option of "run"; see: wirespeed run --help
  $ try --json
  wirespeed: --json is no option of "run"; see: wirespeed run --help

Commands and probes:

  $ try lst
  wirespeed: unknown command or probe "lst"; did you mean "list"?
  $ try host_memory_raed
  wirespeed: unknown probe "host_memory_raed"; did you mean "host_memory_read"? ("wirespeed list" shows them)
  $ try run list
  wirespeed: unknown probe "list" ("wirespeed list" shows them)
  $ try 'host_nothing*'
  wirespeed: no probe matches "host_nothing*" ("wirespeed list" shows them)
  $ try ''
  wirespeed: unknown probe "" ("wirespeed list" shows them)
  $ try host_memory_read host_memory_raed
  wirespeed: unknown probe "host_memory_raed"; did you mean "host_memory_read"? ("wirespeed list" shows them)
  $ try -- --quick
  wirespeed: unknown probe "--quick" ("wirespeed list" shows them)
  $ try list host_memory_read
  wirespeed: "list" takes no further words, but got "host_memory_read"
  $ try machine host0
  wirespeed: "machine" takes no further words, but got "host0"
  $ try help lst
  wirespeed: unknown command "lst"; did you mean "list"?
  $ try help run list
  wirespeed: "help" takes the name of one command
  $ for command in check compare baseline localise history report serve as; do try $command; done
  wirespeed: command "check" is not in this build
  wirespeed: command "compare" is not in this build
  wirespeed: command "baseline" is not in this build
  wirespeed: command "localise" is not in this build
  wirespeed: command "history" is not in this build
  wirespeed: command "report" is not in this build
  wirespeed: command "serve" is not in this build
  wirespeed: "as" needs the name of a tool; see: wirespeed as --help
  $ try check --help
  wirespeed: command "check" is not in this build
  $ try help check
  wirespeed: command "check" is not in this build

Options that none of the selected probes honours:

  $ try host_latency --threads 1
  wirespeed: --threads: none of the selected probes honours it; these would: host_memory_read, host_memory_write, host_memory_copy_nt, host_to_host_memcpy_cpu

Devices that this machine does not have:

  $ try host_memory_read --device host4000
  wirespeed: --device: there is no place host4000 on this machine; there are host0
  $ try host_memory_read --host-node 4000
  wirespeed: --host-node: there is no place host4000 on this machine; there are host0.* (re)

Another tool's command line begins behind the tool's name:

  $ try as no-such-tool --help
  wirespeed: unknown tool "no-such-tool"; see: wirespeed as --help
  $ try as no-such-tool@1.0
  wirespeed: unknown tool "no-such-tool"; see: wirespeed as --help
  $ try --size 1M as no-such-tool
  wirespeed: --size is no option of "as"; see: wirespeed as --help
