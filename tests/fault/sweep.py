"""Lets the 1st, 2nd, ... n-th call fail, one run for each, until a run has fewer calls than that.

sweep.py MODE BINARY FAKE WHAT [EVERY]: WHAT is a plan or words of a command line; with EVERY only the calls 1,
1 + EVERY, ... MODE is one of
    once    a call of the driver FAKE
    dead    a call of the driver and all that follow: the device is gone
    memory  an allocation of our own code (a build with the address sanitizer: tests/fault/alloc.h)
    full    an allocation and all that follow

Each run must end with a clean error in the cells that the call befell, or in one line where it befell the run; the
other cells are measured, the JSON is whole, nothing is leaked or misused (the fake ends the process with 97 then, a
sanitizer with a code of its own).
"""
import json
import os
import subprocess
import sys
import tempfile
import time

# Waits that have no end are those of a dead device only: there are many of them.
TIMEOUT = {"once": "10s", "dead": "500ms", "memory": "10s", "full": "10s"}
# Where memory runs out, idle buffers are freed and it is tried again: another code shows what is not tried again.
CODE = {"once": -36, "dead": -5}
OPENING = {"clGetPlatformIDs", "clGetDeviceIDs"}
NO_MEMORY = 71
NO_REPORT = 74
CALLS_MAX = 10000


def devices_of(cell):
    """ocl0, ocl1, ..."""
    return {word.split(".")[0] for word in cell["plan"].split() if word.startswith("ocl")}


def orders(mode, call, log):
    if mode in CODE:
        key = "fail" if mode == "once" else "dead"
        return {"FAKE_OPENCL": f"devices=2 svm=1 code={CODE[mode]} {key}={call}", "FAKE_OPENCL_LOG": log}
    return {"FAKE_OPENCL": "devices=2 svm=1", "FAULT_ALLOC": f"{call}{'+' if mode == 'full' else ''}", "FAULT_ALLOC_LOG": log}


def run(mode, binary, fake, what, call, folder):
    log, out = os.path.join(folder, "log"), os.path.join(folder, "out")
    for path in (log, out):
        if os.path.exists(path):
            os.unlink(path)
    environment = dict(os.environ, WIRESPEED_OPENCL_LIB=fake, **orders(mode, call, log))
    words = ["--plan", what] if os.path.exists(what) else what.split()
    command = [binary, *words, "--timeout", TIMEOUT[mode], "--format", "json", "--output", out]
    started = time.monotonic()
    process = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=30)
    seconds = time.monotonic() - started
    failed = []
    if os.path.exists(log):
        with open(log, encoding="ascii") as file:
            failed = [line.split() for line in file if line.endswith("FAILS\n")]
    return process, out, failed, seconds


def judge_end(mode, process, out):
    """Of a run that ended without a result: what is wrong with that."""
    lines = process.stderr.decode().splitlines()
    if mode in CODE or process.returncode not in (NO_MEMORY, NO_REPORT):
        return f"ended with {process.returncode}: {process.stderr.decode()}"
    if len(lines) != 1 or not lines[0].startswith("wirespeed: "):
        return f"ended with {process.returncode}, but said {process.stderr.decode()}"
    if os.path.exists(out):
        return "ended without a result, and left one"
    return None


def judge_cell(mode, cell, failed):
    # A back end that does not open leaves nothing to measure, and the cell says why.
    if cell["status"] == "not_applicable" and "no memory" in cell["reason"]:
        return None
    if cell["status"] != "failed" or not cell["reason"]:
        return f"{cell['plan']}: {cell['status']}, {cell['reason']}"
    if mode in CODE and not devices_of(cell):
        return f"{cell['plan']}: failed, and has no device"
    if mode == "once" and f"error {CODE[mode]}" not in cell["reason"]:
        return f"{cell['plan']}: {cell['reason']}"
    if mode == "once" and failed[0][1] not in devices_of(cell) | {"ocl-1"}:
        return f"{cell['plan']}: failed because of {failed[0][1]}: {cell['reason']}"
    return None


def judge(mode, process, out, failed):
    """What is wrong with a run, and whether the failure shows in it."""
    if process.returncode not in (0, 3):
        return judge_end(mode, process, out), True
    if process.stdout or process.stderr:
        return f"said {process.stdout!r} and {process.stderr!r}", False
    with open(out, encoding="utf-8") as file:
        document = json.load(file)
    cells = [cell for table in document["tables"] for cell in table["cells"]]
    bad = [cell for cell in cells if cell["status"] != "measured"]
    if (process.returncode == 3) != bool(bad):
        return f"ended with {process.returncode} and {len(bad)} cells without a figure", False
    if bad and not failed:
        return "no call failed, and cells did", False
    for cell in bad:
        wrong = judge_cell(mode, cell, failed)
        if wrong:
            return wrong, False
    if mode == "once" and len(bad) > 1 and failed[0][0] not in OPENING:
        return f"{len(bad)} cells failed by one {failed[0][0]}", False
    return None, bool(bad)


def main():
    mode, binary, fake, what = sys.argv[1:5]
    every = int(sys.argv[5]) if len(sys.argv) > 5 else 1
    runs = faults = shown = 0
    by_name = {}
    longest = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for call in range(1, CALLS_MAX, every):
            process, out, failed, seconds = run(mode, binary, fake, what, call, folder)
            longest = max(longest, seconds)
            wrong, shows = judge(mode, process, out, failed)
            if wrong:
                print(f"call {call}, {failed[0] if failed else 'none'}: {wrong}", flush=True)
                faults += 1
            if not failed:
                break
            runs += 1
            shown += shows
            by_name.setdefault(failed[0][0], set()).add(shows)
        else:
            print(f"still failing after {CALLS_MAX} calls")
            faults += 1
    for name, seen in sorted(by_name.items()):
        print(f"{name}: {'shows' if True in seen else 'let through'}")
    print(f"{runs} calls failed in turn, {shown} of them show; {faults} faults; {longest:.1f} s at most")
    return faults > 0 or shown * 4 < runs or runs == 0


sys.exit(main())
