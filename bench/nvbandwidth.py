#!/usr/bin/python3
"""nvbandwidth's single-node tests by nvbandwidth and by wirespeed as nvbandwidth, in turns (A B A B ...), by nvbandwidth's
own policy: 512 MiB, 16 copies behind 4 untimed ones, 3 samples, all verified.

    nvbandwidth.py WIRESPEED NVBANDWIDTH DIRECTORY [PAIRS [FIRST]]     runs, one JSON file each into DIRECTORY
    nvbandwidth.py --table DIRECTORY                                   the table of what is there

Each test's figure is the sum over its matrix, as nvbandwidth prints it (of two-way copies between devices: of the total;
of two-way copies with the host by kernel: half of both lanes, as nvbandwidth halves them). The table gives the ratio of
medians wirespeed / nvbandwidth with its 95 % interval (percentile bootstrap over pairs, fixed seed), and the coefficient
of variation between runs of each. Both run with the GPUs as they are: no clocks are touched.
"""
import glob
import json
import os
import random
import statistics
import subprocess
import sys
import time

TESTS = """host_to_device_memcpy_ce device_to_host_memcpy_ce host_to_device_bidirectional_memcpy_ce
device_to_host_bidirectional_memcpy_ce device_to_device_memcpy_read_ce device_to_device_memcpy_write_ce
device_to_device_bidirectional_memcpy_read_ce device_to_device_bidirectional_memcpy_write_ce all_to_host_memcpy_ce
all_to_host_bidirectional_memcpy_ce host_to_all_memcpy_ce host_to_all_bidirectional_memcpy_ce all_to_one_write_ce
all_to_one_read_ce one_to_all_write_ce one_to_all_read_ce host_to_device_memcpy_sm device_to_host_memcpy_sm
host_to_device_bidirectional_memcpy_sm device_to_host_bidirectional_memcpy_sm device_to_device_memcpy_read_sm
device_to_device_memcpy_write_sm device_to_device_bidirectional_memcpy_read_sm
device_to_device_bidirectional_memcpy_write_sm all_to_host_memcpy_sm all_to_host_bidirectional_memcpy_sm
host_to_all_memcpy_sm host_to_all_bidirectional_memcpy_sm all_to_one_write_sm all_to_one_read_sm one_to_all_write_sm
one_to_all_read_sm host_device_latency_sm device_to_device_latency_sm device_local_copy""".split()


def timed(command, output):
    start = time.monotonic()
    with open(output, "w", encoding="utf-8") as file:
        code = subprocess.run(command, stdout=file, stderr=subprocess.STDOUT, check=False).returncode
    return time.monotonic() - start, code


def run(wirespeed, peer, directory, pairs, first):
    for i in range(first, first + pairs):
        ours = [wirespeed, "as", "nvbandwidth@0.9", "-j"]
        theirs = [peer, "-j"]
        seconds, code = timed(ours, os.path.join(directory, f"wirespeed.{i}.json"))
        print(f"{i} {' '.join(ours)}: exit {code}, {seconds:.1f} s", flush=True)
        seconds, code = timed(theirs, os.path.join(directory, f"nvbandwidth.{i}.json"))
        print(f"{i} {' '.join(theirs)}: exit {code}, {seconds:.1f} s", flush=True)


def native_figures(result):
    """Of wirespeed's own results, as the first logs have them."""
    figures = {}
    for table in result["tables"]:
        names = [quantity["name"] for quantity in table["quantities"]]
        name = "total" if "total" in names else names[0]
        values = [cell["quantities"][name]["value"] for cell in table["cells"]]
        if any(value is not None for value in values):
            figures[table["probe"]] = sum(value for value in values if value is not None)
        if table["quantities"][0]["bytes"] == "read + written":
            figures[table["probe"]] /= 2  # nvbandwidth counts a byte that is copied once
        if table["probe"].endswith("_bidirectional_memcpy_sm") and not table["probe"].startswith("device_to_device"):
            figures[table["probe"]] /= 2
    return figures


def figures_of(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    result = json.loads(text[text.index("{"):])
    if "tables" in result:
        return native_figures(result)
    return {test["name"]: test["sum"] for test in result["nvbandwidth"]["testcases"] if "sum" in test}


def interval(a, b, rounds=10000):
    chooser = random.Random(1)
    count = min(len(a), len(b))
    ratios = []
    for _ in range(rounds):
        picked = [chooser.randrange(count) for _ in range(count)]
        ratios.append(statistics.median(a[i] for i in picked) / statistics.median(b[i] for i in picked))
    ratios.sort()
    return ratios[int(0.025 * rounds)], ratios[int(0.975 * rounds)]


def variation(values):
    return 100 * statistics.stdev(values) / statistics.mean(values) if len(values) > 1 else 0.0


def table(directory):
    def numbered(name):
        return sorted(glob.glob(os.path.join(directory, f"{name}.*.json")), key=lambda path: int(path.split(".")[-2]))

    ours = [figures_of(path) for path in numbered("wirespeed")]
    theirs = [figures_of(path) for path in numbered("nvbandwidth")]
    print(f"{'test':<50}{'wirespeed':>10}{'CV %':>7}{'nvband.':>10}{'CV %':>7}{'ratio':>8}  interval")
    for test in TESTS:
        a = [run[test] for run in ours if test in run]
        b = [run[test] for run in theirs if test in run]
        if not a or not b:
            print(f"{test:<50} missing: {len(a)} runs of wirespeed, {len(b)} of nvbandwidth")
            continue
        low, high = interval(a, b)
        print(f"{test:<50}{statistics.median(a):>10.5g}{variation(a):>7.2f}{statistics.median(b):>10.5g}"
              f"{variation(b):>7.2f}{statistics.median(a) / statistics.median(b):>8.4f}  [{low:.4f}, {high:.4f}]")


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "--table":
        table(sys.argv[2])
    elif len(sys.argv) in (4, 5, 6):
        pairs = int(sys.argv[4]) if len(sys.argv) > 4 else 5
        run(sys.argv[1], sys.argv[2], sys.argv[3], pairs, int(sys.argv[5]) if len(sys.argv) > 5 else 1)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
