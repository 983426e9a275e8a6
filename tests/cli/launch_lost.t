Ranks that are killed, stopped or interrupted while others measure. Each kill comes half a second after somebody has
started threads, which is to fill the first step's memory: its precision cannot be reached, so that it takes all of its
time on any machine.

A rank that is killed is named, and the others go on; nothing is left behind:

  $ cat >plan <<END
  > with time-limit=1s precision=0.000001
  > first: read r0/host0 by r0/host0.cpu 64M
  > last: read r1/host0 by r1/host0.cpu 1M
  > END
  $ cat >long <<END
  > with time-limit=30s precision=0.000001
  > first: read r1/host0 by r1/host0.cpu 64M
  > END
  $ start() {
  >   first= second= third=
  >   wirespeed launch -n 3 -- --format csv "$@" >out 2>err &
  >   parent=$!
  >   until read -r first second </proc/$parent/task/$parent/children; [ "$second" ]; do sleep 0.05; done
  >   until set -- /proc/$parent/task/* /proc/$first/task/*; [ $# -gt 2 ]; do sleep 0.05; done
  >   sleep 0.5
  > } 2>/dev/null
  $ finish() {
  >   wait $parent; echo "code $?"; cat err
  >   awk -F, '$5 == "bandwidth" { print $2, $10, $11 }' out | sed "s/process $first)/process N)/"
  >   for child in $first $second; do [ ! -d /proc/$child ] || grep -q ' [ZX] ' /proc/$child/stat || echo "$child is left"; done
  > }
  $ start --plan plan; kill -KILL $first; finish
  code 3
  first measured 
  last failed rank 1 (process N) was killed by signal 9 (Killed)

Also in the middle of its own step:

  $ start --plan long; kill -KILL $first; finish
  code 3
  first failed rank 1 (process N) was killed by signal 9 (Killed)

A rank that is stopped is named after the time that it is given:

  $ start --plan plan --timeout 1s; kill -STOP $first; finish >report
  $ sed 's/ (asked to .*)//' report
  code 3
  first measured 
  last failed rank 1 (process N) does not answer: it is stopped

  $ start --plan long --timeout 1s; kill -STOP $first; finish >report
  $ head -1 report; grep ',bandwidth,' out | grep -cE ',failed,.*(rank 1 .process|by r1/host0.cpu)'
  code 3
  1

A signal to all of them, as the terminal sends it, is rank 0's to obey:

  $ start --plan plan; kill -TERM $first $second $parent; finish
  code 143
  first interrupted interrupted
  last interrupted interrupted

And when rank 0 is killed, they end:

  $ { start --plan plan; kill -STOP $second; kill -KILL $parent; sleep 0.5; finish; } 2>/dev/null
  code 137
