Little address space: whatever fails for lack of it ends in a clear line or a reason in the cell, and never in a crash.
(The instrumented builds reserve terabytes before they begin.)

  $ (ulimit -v 1000000; wirespeed --version >/dev/null 2>&1) || . skip "this build does not start within 1 GB of address space"

The buffer does not fit, and the cell says so:

  $ (ulimit -v 40000; wirespeed host_memory_read --samples 6 --size 64M --format csv) >out; echo "code $?"
  code 3
  $ cut -d, -f1,10,11 out
  probe,status,reason
  host_memory_read,failed,mmap of 69214208 bytes: Cannot allocate memory

From hardly enough for the loader up to enough for all:

  $ for size in $(seq 4000 400 9000) 12000 20000 40000; do
  >   (ulimit -v $size; wirespeed host_latency --samples 6 --size 1M --format csv) >out 2>err; code=$?
  >   case $code in
  >   0|3) [ -s out ] && [ ! -s err ] || echo "$size: code $code, and $(wc -c <out) and $(wc -c <err) bytes";;
  >   71) [ "$(grep -c '^wirespeed: ' err)" = 1 ] && [ "$(wc -l <err)" = 1 ] || cat err;;
  >   *) grep -q 'loading shared libraries\|libc.so.6' err || { echo "$size: code $code"; cat err; };;
  >   esac
  > done

A plan larger than memory:

  $ yes 'read host0 by host0.cpu 1M' | head -100000 >plan
  $ (ulimit -v 30000; wirespeed --dry-run --plan plan) 2>&1 >/dev/null | sed 's/line [0-9]*, column [0-9]*: no memory.*/no memory/; s/--plan: .*no memory.*/no memory/; s/: no memory .*/: no memory/'; echo "code ${PIPESTATUS[0]}"
  wirespeed: no memory
  code 71
