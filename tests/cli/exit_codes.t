0: every figure is there and verified, or verification was not wanted.

  $ run() { wirespeed --samples 6 --format csv "$@" | cut -d, -f1,10,11 | sed 's|host[0-9]*:|hostN:|' | uniq; echo "code ${PIPESTATUS[0]}"; }
  $ run host_latency --size 1M
  probe,status,reason
  host_latency,measured,
  code 0
  $ run host_memory_read --size 1M --no-verify
  probe,status,reason
  host_memory_read,measured,
  code 0
  $ run latency --size 1M
  probe,status,reason
  host_latency,measured,
  code 0

3: a cell that should have a figure has none. One that does not apply counts only if its probe was named itself, or if
nothing at all was measured.

  $ run host_latency --size 1M/2M
  probe,status,reason
  host_latency,not_applicable,a latency has no slope: --size with one size measures it
  code 3
  $ run latency --size 1M/2M
  probe,status,reason
  host_latency,not_applicable,a latency has no slope: --size with one size measures it
  code 3
  $ run 'host_lat*' --size 1M/2M
  probe,status,reason
  host_latency,not_applicable,a latency has no slope: --size with one size measures it
  code 3
  $ run host_memory_read --size 1M --memory pinned
  probe,status,reason
  host_memory_read,not_applicable,hostN:pinned: no device takes part that could pin it; CPUs work on pageable memory
  code 3
  $ run memory --backend host --size 1M --memory pinned | tail -1
  code 3
  $ run host_memory_read --size 900G | sed 's/failed,.*/failed/'
  probe,status,reason
  host_memory_read,failed
  code 3

Whoever writes a plan wants a figure of each step, except of those that say why there is none:

  $ echo 'chase host0 by host0.cpu 1M threads=2' | run --plan -
  probe,status,reason
  custom,not_applicable,"a chase runs on one thread
  code 3
  $ echo 'host_latency[row=host0 column=host0]: none "not today"' | run --plan -
  probe,status,reason
  host_latency,not_applicable,not today
  code 3
  $ printf '%s\n' 'host_latency[row=host0 column=host0]: none "not today"' 'read host0 by host0.cpu 1M' | run --plan - | tail -1
  code 0

A sample that takes longer than the timeout:

  $ echo 'read host0 by host0.cpu 64M x1000000' | run --plan - --timeout 300ms | sed 's/within 0.3 s.*/in time/' | uniq
  probe,status,reason
  custom,failed,"1 of 1 items did not end in time
  code 3
