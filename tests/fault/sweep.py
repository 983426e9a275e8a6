"""Fails the 1st, 2nd, ... n-th call of a driver, one run for each, until a run has fewer calls than that.

sweep.py once|dead BINARY FAKE PLAN [EVERY]: "once": that call alone, "dead": it and all that follow; with EVERY only the
calls 1, 1 + EVERY, ... Each run must end with a clean error in the cells that the call befell; the others are measured,
the JSON is whole, nothing is leaked or misused (the fake ends the process with 97 then, a sanitizer with its own code).
"""
import json
import os
import subprocess
import sys
import tempfile
import time

# Waits that have no end are those of a dead device only: there are many of them.
TIMEOUT = {"once": "10s", "dead": "500ms"}
# Where memory runs out, idle buffers are freed and it is tried again: another code shows what is not tried again.
CODE = {"once": -36, "dead": -5}
OPENING = {"clGetPlatformIDs", "clGetDeviceIDs"}
CALLS_MAX = 2000


def device_of(cell):
    """ocl0, ocl1, ... or None."""
    for word in cell["plan"].split():
        if word.startswith("ocl"):
            return word.split(".")[0]
    return None


def run(mode, binary, fake, plan, call, folder):
    log, out = os.path.join(folder, "log"), os.path.join(folder, "out")
    for path in (log, out):
        if os.path.exists(path):
            os.unlink(path)
    environment = dict(
        os.environ,
        WIRESPEED_OPENCL_LIB=fake,
        FAKE_OPENCL=f"devices=2 code={CODE[mode]} {'fail' if mode == 'once' else 'dead'}={call}",
        FAKE_OPENCL_LOG=log,
    )
    command = [binary, "--plan", plan, "--timeout", TIMEOUT[mode], "--format", "json", "--output", out]
    started = time.monotonic()
    process = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=30)
    seconds = time.monotonic() - started
    with open(log, encoding="ascii") as file:
        failed = [line.split() for line in file if line.endswith("FAILS\n")]
    return process, out, failed, seconds


def judge(mode, process, out, failed):
    """What is wrong with a run, and how many cells have failed."""
    if process.stdout or process.stderr:
        return f"said {process.stdout!r} and {process.stderr!r}", 0
    if process.returncode not in (0, 3):
        return f"ended with {process.returncode}", 0
    with open(out, encoding="utf-8") as file:
        document = json.load(file)
    cells = [cell for table in document["tables"] for cell in table["cells"]]
    bad = [cell for cell in cells if cell["status"] != "measured"]
    if (process.returncode == 3) != bool(bad):
        return f"ended with {process.returncode} and {len(bad)} cells without a figure", 0
    for cell in bad:
        if cell["status"] != "failed" or not cell["reason"]:
            return f"{cell['plan']}: {cell['status']}, {cell['reason']}", 0
        if device_of(cell) is None:
            return f"{cell['plan']}: failed, and has no device", 0
    if not failed:
        return ("no call failed, and cells did" if bad else None), len(bad)
    name, device = failed[0][0], failed[0][1]
    if mode == "dead":
        return None, len(bad)
    for cell in bad:
        if f"error {CODE[mode]}" not in cell["reason"]:
            return f"{cell['plan']}: {cell['reason']}", 0
        if device not in ("ocl-1", device_of(cell)):
            return f"{cell['plan']}: failed because of {device}: {cell['reason']}", 0
    if len(bad) > 1 and name not in OPENING:
        return f"{len(bad)} cells failed by one {name}", 0
    return None, len(bad)


def main():
    mode, binary, fake, plan = sys.argv[1:5]
    every = int(sys.argv[5]) if len(sys.argv) > 5 else 1
    runs = faults = failures = 0
    by_name = {}
    longest = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for call in range(1, CALLS_MAX, every):
            process, out, failed, seconds = run(mode, binary, fake, plan, call, folder)
            longest = max(longest, seconds)
            wrong, bad = judge(mode, process, out, failed)
            if wrong:
                print(f"call {call}, {failed[0] if failed else 'none'}: {wrong}")
                faults += 1
            if not failed:
                break
            runs += 1
            failures += bad > 0
            by_name.setdefault(failed[0][0], set()).add(bad > 0)
        else:
            print(f"still failing after {CALLS_MAX} calls")
            faults += 1
    for name, seen in sorted(by_name.items()):
        print(f"{name}: {'seen in cells' if True in seen else 'let through'}")
    print(f"{runs} calls failed in turn, {failures} of them in a cell; {faults} faults; {longest:.1f} s at most")
    return faults > 0 or failures * 4 < runs or runs == 0


sys.exit(main())
