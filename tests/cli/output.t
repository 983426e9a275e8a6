A report that cannot be written is an error with exit code 74, and leaves nothing half-written behind.

  $ run() { wirespeed host_latency --samples 6 --size 1M --format csv "$@" 2>err; code=$?; cat err >&2; echo "code $code" >&2; }
  $ bound() { if [ "$(id -u)" = 0 ]; then setpriv --bounding-set=-dac_override,-dac_read_search "$@"; else "$@"; fi; }

A disk that is full, a standard output that is closed, a pipe that nobody reads:

  $ run >/dev/full
  wirespeed: cannot write to standard output: No space left on device
  code 74
  $ run >&-
  wirespeed: cannot write to standard output: Bad file descriptor
  code 74
  $ run --output /dev/full
  wirespeed: cannot write /dev/full: No space left on device
  code 74
  $ { sleep 0.5; run; } | true
  wirespeed: cannot write to standard output: Broken pipe
  code 74
  $ wirespeed --help >/dev/full
  wirespeed: cannot write to standard output: No space left on device
  [74]
  $ wirespeed list >&-
  wirespeed: cannot write to standard output: Bad file descriptor
  [74]
  $ wirespeed --version >&-
  wirespeed: cannot write to standard output: Bad file descriptor
  [74]
  $ wirespeed --dry-run >/dev/full
  wirespeed: cannot write to standard output: No space left on device
  [74]
  $ wirespeed machine >/dev/full
  wirespeed: cannot write to standard output: No space left on device
  [74]

The reader of a pipe that stops early is no success, but nothing hangs either:

  $ { wirespeed --help; echo "code $?" >code; } | head -1; cat code; rm code
  usage: wirespeed [run] [OPTION...] [PROBE...]
  code 0
  $ { sleep 0.5; wirespeed --help; echo "code $?" >&2; } | true
  wirespeed: cannot write to standard output: Broken pipe
  code 74

Unwritable places are found before anything is measured:

  $ mkdir closed; chmod a-w closed
  $ run --output /nowhere/report.csv
  wirespeed: cannot write /nowhere/report.csv: No such file or directory
  code 74
  $ run --output .
  wirespeed: cannot write .: Is a directory
  code 74
  $ run --output ./closed/
  wirespeed: cannot write ./closed/: Is a directory
  code 74
  $ touch plain; run --output plain/report.csv
  wirespeed: cannot write plain/report.csv: Not a directory
  code 74
  $ bound wirespeed host_latency --output closed/report.csv
  wirespeed: cannot write closed/report.csv: Permission denied
  [74]
  $ run --output "$(printf 'n%.0s' $(seq 300)).csv" 2>&1 | sed 's/nnnn*/NAME/'
  wirespeed: cannot write NAME: File name too long
  code 74

A file is replaced as a whole, keeps its place behind a link, and has no remains beside it:

  $ echo old >report.csv; ln -s report.csv link.csv
  $ run --output link.csv >/dev/null
  code 0
  $ ls; [ -L link.csv ] && head -1 report.csv | grep -c probe
  closed
  err
  link.csv
  plain
  report.csv
  1

A pipe whose reader leaves in the middle:

  $ { yes 'read host0 by host0.cpu 1M' | head -9000 | wirespeed --dry-run --plan - 2>err; echo "code $?" >>err; } | head -1
  with verify=ends statistic=median precision=0.005 time-limit=1s timeout=30s seed=1
  $ cat err
  wirespeed: cannot write to standard output: Broken pipe
  code 74

It keeps the permissions of the file that it replaces, and respects them:

  $ chmod 640 report.csv; run --output report.csv; stat -c %a report.csv
  code 0
  640
  $ chmod 440 report.csv; bound wirespeed host_latency --output report.csv
  wirespeed: cannot write report.csv: Permission denied
  [74]

A dash is standard output:

  $ run --output - | grep -c probe; ls ./- 2>/dev/null
  code 0
  1
  [2]
