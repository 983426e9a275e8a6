#!/usr/bin/python3
"""How long a whole run takes: wirespeed --quick, nvbandwidth's single-node tests by wirespeed (natively, and as
nvbandwidth), and by nvbandwidth.

    whole_list.py WIRESPEED DIRECTORY [PAIRS [NVBANDWIDTH [PEER_RUNS]]]    runs in turns, the outputs into DIRECTORY
    whole_list.py --table DIRECTORY                                       where the time went, and how precise cells are

Times are of whole processes, from exec to exit, by this script's clock; they stand in times.csv. nvbandwidth and what
runs as it take a minute, so that they may run less often than the others (PEER_RUNS, from the first turn on);
nvbandwidth.py --table compares their figures.
"""
import csv
import glob
import json
import os
import statistics
import sys

from nvbandwidth import TESTS, timed

KINDS = ("quick", "list")


def run(wirespeed, directory, pairs, peer, peer_runs):
    commands = {"quick": [wirespeed, "--quick", "--format", "json"],
                "list": [wirespeed, "run", *TESTS, "--format", "json"]}
    with open(os.path.join(directory, "times.csv"), "a", encoding="utf-8") as times:
        for i in range(1, pairs + 1):
            turn = dict(commands)
            if peer and i <= peer_runs:
                turn["nvbandwidth"] = [peer, "-j"]
                turn["wirespeed"] = [wirespeed, "as", "nvbandwidth@0.9", "-j"]
            for kind, command in turn.items():
                seconds, code = timed(command, os.path.join(directory, f"{kind}.{i}.json"))
                times.write(f"{kind},{i},{seconds:.3f},{code}\n")
                times.flush()
                print(f"{i} {' '.join(command)[:100]}: exit {code}, {seconds:.2f} s", flush=True)


def step_times(step):
    """Inside its samples, and between them, in seconds."""
    samples = step.get("samples")
    if not samples or not samples["host_start_ns"]:
        return 0.0, 0.0
    starts, ends = samples["host_start_ns"], samples["host_end_ns"]
    inside = sum(end - start for start, end in zip(starts, ends))
    return inside / 1e9, (ends[-1] - starts[0] - inside) / 1e9


def parts(result, whole):
    inside = sum(step_times(step)[0] for step in result["steps"])
    between = sum(step_times(step)[1] for step in result["steps"])
    return {"whole process": whole, "start of the drivers, end of the process": whole - result["elapsed_s"],
            "inside samples": inside, "between samples of a step": between,
            "between steps: memory, filling, warm-up, verification": result["elapsed_s"] - inside - between}


def precision(results):
    """How many cells reached what was wanted, and the worst precision of those that did not, over the runs."""
    reached, cells, others = [], [], {}
    for result in results:
        count = total = 0
        for table in result["tables"]:
            for cell in table["cells"]:
                if cell["status"] != "measured":
                    continue
                total += 1
                known = cell["precision"] is not None and cell["precision"] <= result["settings"]["precision"]
                count += known
                if not known:
                    others.setdefault(table["probe"], []).append(cell["precision"])
        reached.append(count)
        cells.append(total)
    print(f"  cells as precise as wanted: {min(reached)} to {max(reached)} of {max(cells)}{'; the others:' if others else ''}")
    for probe, found in others.items():
        known = [value for value in found if value is not None]
        without = len(found) - len(known)
        text = [f"{100 * max(known):.2f} % at worst"] if known else []
        text += [f"{without} without an interval"] if without else []
        print(f"    {probe}: {len(found)} times, {', '.join(text)}")


def table(directory):
    walls = {}
    with open(os.path.join(directory, "times.csv"), encoding="utf-8") as times:
        for kind, number, seconds, code in csv.reader(times):
            walls.setdefault(kind, {})[int(number)] = float(seconds)
            if code != "0":
                print(f"{kind}.{number}: exit {code}")
    for kind, seconds in walls.items():
        values = list(seconds.values())
        print(f"{kind}: median {statistics.median(values):.2f} s, {min(values):.2f} to {max(values):.2f}, {len(values)} runs")
    for kind in KINDS:
        runs = []
        for path in sorted(glob.glob(os.path.join(directory, f"{kind}.*.json"))):
            with open(path, encoding="utf-8") as file:
                runs.append((json.load(file), walls[kind][int(path.split(".")[-2])]))
        if not runs:
            continue
        print(f"{kind}, medians over {len(runs)} runs:")
        split = [parts(result, whole) for result, whole in runs]
        for part in split[0]:
            print(f"  {statistics.median(run[part] for run in split):6.2f} s  {part}")
        precision([result for result, _ in runs])


def main():
    arguments = sys.argv[1:]
    if len(arguments) == 2 and arguments[0] == "--table":
        table(arguments[1])
    elif 2 <= len(arguments) <= 5:
        run(arguments[0], arguments[1], int(arguments[2]) if len(arguments) > 2 else 5,
            arguments[3] if len(arguments) > 3 else None, int(arguments[4]) if len(arguments) > 4 else 1)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
