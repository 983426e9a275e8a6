The table of probes; with --here, whether this machine can run them.

  $ wirespeed list | grep '^host_memory_read ' | tr -s ' '
  host_memory_read memory a node's CPUs read a node's memory
  $ wirespeed list --here | grep '^host_memory_read ' | tr -s ' '
  host_memory_read yes
  $ wirespeed list | cut -d' ' -f1 >names; wirespeed list --here | cut -d' ' -f1 | cmp - names

Neither the list nor help nor version loads a library while running, or looks for one:

  $ for command in list --help --version; do
  >   LD_DEBUG=files wirespeed $command 2>&1 >/dev/null | grep -c 'dynamically loaded by'
  > done
  0
  0
  0
  [1]
