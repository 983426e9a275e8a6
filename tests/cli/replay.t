A printed plan is a plan: it prints itself again, and its replay fills the same cells.

  $ wirespeed --dry-run >plan; wirespeed --dry-run --plan plan | cmp - plan
  $ wirespeed --dry-run -o file; cmp file plan
  $ wirespeed --dry-run --plan - <plan | cmp - plan
  $ keys() { /usr/bin/python3 -c 'import json, sys; print(*sorted(json.dumps([t["probe"], sorted(c["coords"].items()), c["plan"]]) for t in json.load(open(sys.argv[1]))["tables"] for c in t["cells"]), sep="\n")' "$1"; }
  $ quick="--samples 6 --size 1M --threads 1 --format json"
  $ wirespeed $quick -o first.json
  $ wirespeed --samples 6 --size 1M --threads 1 --dry-run -o plan; wirespeed --plan plan --format json -o second.json
  $ keys first.json >first; keys second.json >second; cmp first second; [ "$(wc -l <first)" -ge 4 ] && echo "the same cells"
  the same cells

The command line's settings win over the plan's, as in the report:

  $ wirespeed --plan plan --samples 7 --seed 9 --no-verify --timeout 5s --dry-run | head -1
  with samples=7 verify=none statistic=median precision=0.005 time-limit=1s timeout=5s seed=9
  $ grep -v ^with plan | wirespeed --plan - --time-limit 3s --dry-run | head -1
  with verify=ends statistic=median precision=0.005 time-limit=3s timeout=30s seed=1
  $ wirespeed --plan plan --time-limit 3s --dry-run
  wirespeed: --plan: "plan": its samples=6 contradicts --time-limit
  [64]
  $ wirespeed --plan plan --samples 7 --seed 9 --no-verify --format json | grep -o '"samples": 7,.*"verify": "none".*"seed": "0x9"'
  "samples": 7, "lead_loops": 0, "loops": null, "verify": "none", "statistic": "median", "precision": 0.005, "time_limit_ns": 1000000000, "timeout_ns": 30000000000, "seed": "0x9"

An edited plan runs as edited: size, loops, threads, and a step of its own.

  $ cat >own <<'END'
  > with samples=6
  > # comments are allowed
  > mine: read host0 by host0.cpu 3M x5 threads=1
  > host_latency[row=host0 column=host0]: chase host0 by host0.cpu 2M
  > host_latency[row=host0 column=far]: none "not there"
  > END
  $ wirespeed --plan own --format json >out; echo "code $?"
  code 0
  $ /usr/bin/python3 - <<'END'
  > import json
  > d = json.load(open("out"))
  > for table in d["tables"]:
  >     for cell in table["cells"]:
  >         print(table["probe"], cell["coords"], cell["status"], cell["reason"])
  > lanes = d["steps"][0]["lanes"]
  > print(set(lanes["loops"]), set(lanes["bytes"]), len(lanes["loops"]))
  > END
  custom {'step': 'mine'} measured None
  host_latency {'row': 'host0', 'column': 'host0'} measured None
  host_latency {'row': 'host0', 'column': 'far'} not_applicable not there
  {5} {15728640} 6

A plan of several ranks, run by one:

  $ echo 'read r0/host0 by r0/host0.cpu 1M' | wirespeed --plan -
  wirespeed: --plan: step 1: r0/host0: one rank alone has no number before its places
  [64]

A place that this machine does not have, a verb and an option that this build does not have:

  $ echo 'read host4000 by host4000.cpu 1M' | wirespeed --plan - --format csv | cut -d, -f1,10,11; echo "code ${PIPESTATUS[1]}"
  probe,status,reason
  custom,failed,there is no NUMA node 4000
  custom,failed,there is no NUMA node 4000
  custom,failed,there is no NUMA node 4000
  code 3
  $ echo 'triad host0 by host0.cpu 1M' | wirespeed --plan - --dry-run
  wirespeed: --plan: standard input: triad is not available in this build: step 1, 1: triad host0 by host0.cpu 1M
  [64]
  $ echo 'host0 -> host0 by host0.cpu 1M blocking' | wirespeed --plan - --dry-run
  wirespeed: --plan: standard input: blocking is not available in this build: step 1, 1: host0 -> host0 by host0.cpu 1M blocking
  [64]

An option that the build has, but not the engine, is not passed over:

  $ echo 'read host0 by host0.cpu 1M peer=on' | wirespeed --plan - --format csv | cut -d, -f1,10,11
  probe,status,reason
  custom,not_applicable,item option peer means nothing to host0.cpu
  custom,not_applicable,item option peer means nothing to host0.cpu
  custom,not_applicable,item option peer means nothing to host0.cpu
