Help of the program, of a command, and by the command "help". What stands in it is held to the option table by a unit
test.

  $ wirespeed --help | head -17
  usage: wirespeed [run] [OPTION...] [PROBE...]
         wirespeed COMMAND [OPTION...]
  
  How fast is every link of this machine? Without a probe's name, the quick set of
  probes is measured.
  
  Commands:
    run                      measure probes, given by name, pattern (host_*) or
                             family; the default command
    list                     print the table of probes
    machine                  print the places of this machine and the versions of
                             what was loaded
    launch                   start ranks on this machine that measure together
    as                       speak another tool, its command line in and its text
                             out; a link to this program with its name does, too
    help                     print the help of the program or of a command
  
  $ wirespeed list --help
  usage: wirespeed list [OPTION...]
  
  print the table of probes
  
  What to measure:
        --backend NAME,...   open only these back ends (host* (glob)
  
  How to measure:
        --machine PATH       a recorded machine, a folder or a topology in XML:
                             only for plans and lists
  
  General:
        --here               say for each probe whether it can run on this
                             machine, and open the back ends for it
    -h, --help               print this help; behind a command, that of the
                             command
    -V, --version            print the version
  $ wirespeed help machine
  usage: wirespeed machine [OPTION...]
  
  print the places of this machine and the versions of what was loaded
  
  What to measure:
        --backend NAME,...   open only these back ends (host* (glob)
  
  How to measure:
        --machine PATH       a recorded machine, a folder or a topology in XML:
                             only for plans and lists
  
  What to print:
        --json               print JSON
    -o, --output FILE        write to this file, whole or not at all
  
  General:
    -h, --help               print this help; behind a command, that of the
                             command
    -V, --version            print the version

  $ wirespeed --help >a; wirespeed -h >b; wirespeed help >c; cmp a b && cmp a c
  $ wirespeed run --help >a; wirespeed help run >b; wirespeed --size 1M run -h >c; cmp a b && cmp a c

The version wins over everything else:

  $ wirespeed list --version --help
  wirespeed 0.1.0
