Colours and progress belong to terminals. (script gives the program one.)

  $ command -v script >/dev/null || . skip "no script(1) here"
  $ esc=$(printf '\033')
  $ run="wirespeed host_latency --samples 40 --size 1M"
  $ unset NO_COLOR; export TERM=xterm

No terminal, no escape sequences at all:

  $ $run >out 2>err; grep -c "$esc" out err
  out:0
  err:0
  [1]

Progress goes to standard error only if that is a terminal, and is taken off again before the report:

  $ script -qec "$run 2>&1 >/dev/null" /dev/null </dev/null >seen; grep -c '\[1/' seen
  1
  $ tail -c 4 seen | od -An -c
    \r 033   [   K

Colours:

  $ $run --color always | grep -qc "$esc" && echo coloured
  coloured
  $ script -qec "$run 2>/dev/null" /dev/null </dev/null | grep -qc "$esc" && echo coloured
  coloured
  $ script -qec "$run --color never 2>/dev/null" /dev/null </dev/null | grep -c "$esc"
  0
  [1]
  $ script -qec "NO_COLOR=1 $run 2>/dev/null" /dev/null </dev/null | grep -c "$esc"
  0
  [1]
  $ script -qec "TERM=dumb $run" /dev/null </dev/null | grep -c "$esc"
  0
  [1]
  $ script -qec "$run --output out.txt 2>/dev/null" /dev/null </dev/null; grep -c "$esc" out.txt
  0
  [1]
