"""Lets calls of the CUDA driver fail, one run for each: cuda_sweep.py MODE BINARY FAKE_CUDA FAKE_NVML WHAT [SPREAD]

WHAT is a plan, or words of a command line whose plan is taken, without sweeps over sizes and kinds of memory, with a
sample and a loop of each step. Of each function SPREAD calls fail in turn, the first and the last among them and the
others between; without SPREAD all. A call is known by its function, its GPU and its number among those, because
threads of several GPUs make theirs in any order. MODE:
    once    the call answers 999, and the next ones are well
    dead    it and all that follow answer 719: the GPU is gone

Each run must end with a clean error in the cells that the call befell; cells that have no GPU in common with those are
measured, the JSON is whole, nothing is leaked or misused (a sanitizer ends the process with a code of its own), and
what the driver gave is given back, unless giving back is what failed. Nothing waits for a deadline.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
import time

CODE = {"once": "999", "dead": "719+"}
TIMEOUT_S = 60
# After these no GPU is known, or none of a driver that does not answer.
OPENING = {"cuDriverGetVersion", "cuDeviceGetCount"}
# When these fail, something stays behind.
GIVING_BACK = re.compile("Free|Destroy|Unload|Release|Unregister|CtxSetCurrent")


def environment(cuda, nvml, log, order=None):
    more = {"WIRESPEED_CUDA_LIB": cuda, "WIRESPEED_NVML_LIB": nvml, "FAKE_CUDA_LOG": log}
    if order:
        more["FAKE_CUDA_FAIL"] = order
    return dict(os.environ, **more)


def make_plan(binary, cuda, nvml, what, folder):
    """The path of a plan: WHAT itself, or what a command line would run, as little of it as can be."""
    if os.path.exists(what):
        return what
    path = os.path.join(folder, "plan")
    command = [binary, *what.split(), "--samples", "1", "--dry-run"]
    text = subprocess.run(command, env=environment(cuda, nvml, "/dev/null"), stdout=subprocess.PIPE, check=True,
                          encoding="utf-8").stdout
    lines = [line for line in text.splitlines(keepends=True) if not re.search(r' none "|_sweep\[|_kinds\[', line)]
    with open(path, "w", encoding="utf-8") as file:
        file.write(re.sub("^with ", "with loops=1 lead=1 ", "".join(lines), count=1, flags=re.MULTILINE))
    return path


class Run:
    """One run of the plan, with the order to fail."""

    def __init__(self, binary, cuda, nvml, plan, folder, order=None):
        log, self.out = os.path.join(folder, "log"), os.path.join(folder, "out")
        for path in (log, self.out):
            if os.path.exists(path):
                os.unlink(path)
        command = [binary, "--plan", plan, "--timeout", f"{TIMEOUT_S}s", "--format", "json", "--output", self.out]
        started = time.monotonic()
        self.process = subprocess.run(command, env=environment(cuda, nvml, log, order), stdout=subprocess.PIPE,
                                      stderr=subprocess.PIPE, timeout=120, check=False)
        self.seconds = time.monotonic() - started
        with open(log, encoding="ascii") as file:
            self.calls = [line.split() for line in file]
        self.left = next((int(call[1]) for call in self.calls if call[0] == "LEFT"), None)
        self.failed = [call for call in self.calls if call[-1] == "FAILS"]

    def cells(self):
        with open(self.out, encoding="utf-8") as file:
            document = json.load(file)
        return [cell for table in document["tables"] for cell in table["cells"]]


def choose(calls, spread):
    """Names of the calls that shall fail, as in "cuMemAlloc_v2@1#3": the third one for GPU 1."""
    by_name, seen = {}, {}
    for name, gpu, *_ in (call for call in calls if call[0] != "LEFT"):
        seen[name, gpu] = seen.get((name, gpu), 0) + 1
        by_name.setdefault(name, []).append((seen[name, gpu], gpu))
    chosen = []
    for name, made in sorted(by_name.items()):
        made.sort()
        count = min(spread or len(made), len(made))
        places = sorted({round(i * (len(made) - 1) / max(count - 1, 1)) for i in range(count)})
        chosen += [f"{name}@{made[place][1]}#{made[place][0]}" for place in places]
    return chosen


def gpus_of(cell):
    return set(re.findall(r"cuda\d+", cell["plan"]))


def judge_cells(mode, run, bad):
    name = run.failed[0][0]
    for cell in bad:
        if cell["status"] not in ("failed", "not_applicable") or not cell["reason"]:
            return f"{cell['plan']}: {cell['status']}, {cell['reason']}"
        if "did not end" in cell["reason"] or "does not answer" in cell["reason"]:
            return f"{cell['plan']} waited for a deadline: {cell['reason']}"
        if not gpus_of(cell):
            return f"{cell['plan']} has no GPU, and failed: {cell['reason']}"
        if mode == "once" and "999 CUDA_ERROR_UNKNOWN" not in cell["reason"]:
            return f"{cell['plan']}: {cell['reason']}"
    if mode == "once" and bad and name not in OPENING and not set.intersection(*map(gpus_of, bad)):
        return f"{len(bad)} cells failed by one {name}"
    return None


def judge(mode, run):
    """What is wrong with a run, and whether the failure shows in it."""
    if run.process.returncode not in (0, 3) or run.process.stdout or run.process.stderr:
        return f"ended with {run.process.returncode}: {run.process.stdout.decode()}{run.process.stderr.decode()}", False
    if not run.failed:
        return "the call that should have failed never came", False
    bad = [cell for cell in run.cells() if cell["status"] != "measured"]
    if (run.process.returncode == 3) != bool(bad):
        return f"ended with {run.process.returncode} and {len(bad)} cells without a figure", False
    if mode == "once" and run.left and not GIVING_BACK.search(run.failed[0][0]):
        return f"{run.left} things were not given back", bool(bad)
    return judge_cells(mode, run, bad), bool(bad)


def main():
    mode, binary, cuda, nvml, what = sys.argv[1:6]
    spread = int(sys.argv[6]) if len(sys.argv) > 6 else 0
    faults = shown = 0
    by_name, longest = {}, 0.0
    with tempfile.TemporaryDirectory() as folder:
        plan = make_plan(binary, cuda, nvml, what, folder)
        whole = Run(binary, cuda, nvml, plan, folder)
        if whole.process.returncode != 0 or whole.left != 0:
            print(f"without a fault: {whole.process.returncode}, {whole.left} left, {whole.process.stderr.decode()}")
            return 1
        chosen = choose(whole.calls, spread)
        for call in chosen:
            run = Run(binary, cuda, nvml, plan, folder, f"{call}:{CODE[mode]}")
            wrong, shows = judge(mode, run)
            longest = max(longest, run.seconds)
            shown += shows
            if wrong:
                print(f"{call}, {run.failed[0] if run.failed else 'none'}: {wrong}", flush=True)
                faults += 1
            if run.failed:
                by_name.setdefault(run.failed[0][0], set()).add(shows)
    for name, seen in sorted(by_name.items()):
        print(f"{name}: {'shows' if True in seen else 'let through'}")
    print(f"{len(chosen)} of {len(whole.calls) - 1} calls failed in turn, {shown} of them show; {faults} faults; "
          f"{longest:.1f} s at most")
    return faults > 0 or shown * 4 < len(chosen) or not chosen


sys.exit(main())
