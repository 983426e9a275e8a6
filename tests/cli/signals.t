SIGINT and SIGTERM: the sample in hand is finished, what there is is printed and marked incomplete, exit code 128 plus
the signal. Without the signal these runs would take minutes.

  $ cat >signals.py <<'END'
  > import signal, subprocess, sys, time
  > mode, names, command = sys.argv[1], sys.argv[2].split(","), sys.argv[3:]
  > first = signal.SIG_IGN if mode == "deaf" else signal.SIG_DFL
  > process = subprocess.Popen(command, preexec_fn=lambda: signal.signal(signal.SIGINT, first))
  > caught = 0
  > while not caught >> (signal.SIGTERM - 1) & 1 and process.poll() is None:
  >     status = open("/proc/%d/status" % process.pid).read()
  >     caught = int(status.split("SigCgt:")[1].split()[0], 16)
  >     time.sleep(0.01)
  > for name in names:
  >     time.sleep(0.3)
  >     print(name, "while it runs" if process.poll() is None else "after its end", flush=True)
  >     process.send_signal(getattr(signal, "SIG" + name))
  > print("code", process.wait(30), flush=True)
  > END
  $ stop() { /usr/bin/python3 signals.py "$@"; }
  $ slow="wirespeed host_latency host_memory_read --samples 100000 --size 1M"
  $ report() { /usr/bin/python3 -c 'import json; d = json.load(open("out")); print("incomplete", d["incomplete"], sorted((t["probe"], c["status"]) for t in d["tables"] for c in t["cells"] if c["coords"] == {"row": "host0", "column": "host0"}))'; }
  $ stop hears INT $slow --format json -o out; report; rm out
  INT while it runs
  code 130
  incomplete True [('host_latency', 'interrupted'), ('host_memory_read', 'interrupted')]
  $ stop hears TERM $slow --format json -o out; report; rm out
  TERM while it runs
  code 143
  incomplete True [('host_latency', 'interrupted'), ('host_memory_read', 'interrupted')]
  $ stop hears INT $slow >out; grep -q INCOMPLETE out && echo "the text says so, too"; rm out
  the text says so, too

A sample that takes half an hour is not waited for: the second signal ends the program at once, with nothing printed.

  $ echo 'read host0 by host0.cpu 64M x1000000' >long
  $ stop hears INT,TERM wirespeed --plan long -o out; ls out
  INT while it runs
  TERM while it runs
  code 143
  ls: cannot access 'out': No such file or directory
  [2]

What a shell without job control starts in the background is deaf to SIGINT, and so SIGTERM is the first one it hears:

  $ stop deaf INT,TERM $slow --format json -o out; report
  INT while it runs
  TERM while it runs
  code 143
  incomplete True [('host_latency', 'interrupted'), ('host_memory_read', 'interrupted')]
