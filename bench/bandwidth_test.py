#!/usr/bin/python3
"""CUDA's own bandwidthTest (12.8) and wirespeed speaking its dialect, in turns (A B A B ...); beside them wirespeed's
oclBandwidthTest, if the machine has OpenCL.

    bandwidth_test.py WIRESPEED BANDWIDTHTEST DIRECTORY [PAIRS [FIRST]]   runs, one text file each into DIRECTORY
    bandwidth_test.py --table DIRECTORY                                   the tables of what is there

Runs are quick and shmoo with pinned memory and quick with pageable memory. The first table gives, per run, direction and
size, the ratio of medians wirespeed / bandwidthTest with its 95 % interval (percentile bootstrap over pairs, fixed seed)
and the coefficient of variation between runs of each; "~" marks figures whose only decimal stands for more than 1 % of
them. The second one gives the ratios of kinds of memory and of CUDA and OpenCL. The GPUs run as they are: no clocks are
touched. Builds of bandwidthTest: Samples/1_Utilities of NVIDIA/cuda-samples v12.8, the last version that has it.
"""
import os
import re
import statistics
import sys

from nvbandwidth import interval, timed, variation

CUDA_RUNS = {
    "quick": ["--csv"],
    "quick-pageable": ["--csv", "--memory=pageable"],
    "shmoo": ["--csv", "--mode=shmoo"],
}
OPENCL_RUNS = {
    "opencl": ["--csv", "--noprompt", "--memory=pinned"],
    "opencl-pageable": ["--csv", "--noprompt", "--memory=pageable"],
}
DIRECTIONS = ("H2D", "D2H", "D2D")
UNITS = {"GB/s": 1, "MB/s": 2**20 / 1e9}
ROW = re.compile(r"^\w+-(H2D|D2H|D2D)[\w-]*, Bandwidth = ([\d.]+) (GB/s|MB/s), .*, Size = (\d+) [Bb]ytes", re.M)
FINE = 5.0  # GB/s from which on a decimal is less than 1 %


def run(wirespeed, peer, directory, pairs, first):
    wirespeed, peer = os.path.abspath(wirespeed), os.path.abspath(peer)
    os.chdir(directory)  # the OpenCL samples write their logs where they run
    for i in range(first, first + pairs):
        commands = []
        for name, options in CUDA_RUNS.items():
            commands.append((f"wirespeed.{name}.{i}.txt", [wirespeed, "as", "bandwidthTest", *options]))
            commands.append((f"bandwidthTest.{name}.{i}.txt", [peer, *options]))
        for name, options in OPENCL_RUNS.items():
            commands.append((f"wirespeed.{name}.{i}.txt", [wirespeed, "as", "oclBandwidthTest", *options]))
        for path, command in commands:
            seconds, code = timed(command, path)
            print(f"{i} {' '.join(command)}: exit {code}, {seconds:.1f} s", flush=True)


def read(directory, program, name):
    """{(direction, size): [GB/s of each run that passed]}, by number of run."""
    figures = {}
    pattern = re.compile(rf"{program}\.{name}\.(\d+)\.txt")
    found = [(int(match[1]), file) for file in os.listdir(directory) if (match := pattern.fullmatch(file))]
    for _, file in sorted(found):
        with open(os.path.join(directory, file), encoding="utf-8") as text:
            content = text.read()
        if not re.search(r"^(Result = PASS|PASSED)$", content, re.M):
            print(f"{file}: it did not pass, its figures are left out")
            continue
        for direction, figure, unit, size in ROW.findall(content):
            figures.setdefault((direction, int(size)), []).append(float(figure) * UNITS[unit])
    return figures


def ratio(label, a, b):
    if not a or not b:
        return f"{label:<37} missing: {len(a)} and {len(b)} runs"
    if min(*a, *b) == 0:
        return f"{label:<37} too slow for one decimal"
    low, high = interval(a, b)
    one, other = statistics.median(a), statistics.median(b)
    mark = " " if min(one, other) >= FINE else "~"
    return (f"{label:<37}{one:>9.2f}{variation(a):>7.2f}{other:>9.2f}{variation(b):>7.2f}{mark}{one / other:>7.3f}"
            f"  {low:.3f} to {high:.3f}")


def order(key):
    return DIRECTIONS.index(key[0]), key[1]


def table(directory):
    head = f"{'CV %':>7}{'GB/s':>9}{'CV %':>7} {'ratio':>7}  interval"
    print(f"{'run, direction, bytes':<37}{'GB/s':>9}{head}   (wirespeed / bandwidthTest)")
    for name in CUDA_RUNS:
        ours, theirs = read(directory, "wirespeed", name), read(directory, "bandwidthTest", name)
        for key in sorted({*ours, *theirs}, key=order):
            print(ratio(f"{name} {key[0]} {key[1]}", ours.get(key, []), theirs.get(key, [])))
    kinds = {
        "wirespeed CUDA pinned / pageable": (("wirespeed", "quick"), ("wirespeed", "quick-pageable")),
        "bandwidthTest pinned / pageable": (("bandwidthTest", "quick"), ("bandwidthTest", "quick-pageable")),
        "wirespeed OpenCL pinned / pageable": (("wirespeed", "opencl"), ("wirespeed", "opencl-pageable")),
        "CUDA pinned / OpenCL pinned": (("wirespeed", "quick"), ("wirespeed", "opencl")),
    }
    print()
    print(f"{'kinds of memory':<37}{'GB/s':>9}{head}")
    for label, (one, other) in kinds.items():
        # Quick sizes are 32e6 bytes in CUDA's and 32 MiB in OpenCL's.
        a = {key[0]: values for key, values in read(directory, *one).items()}
        b = {key[0]: values for key, values in read(directory, *other).items()}
        for direction in DIRECTIONS if "pageable" not in label else DIRECTIONS[:2]:
            print(ratio(f"{label} {direction}", a.get(direction, []), b.get(direction, [])))


def main():
    arguments = sys.argv[1:]
    if len(arguments) == 2 and arguments[0] == "--table":
        table(arguments[1])
    elif 3 <= len(arguments) <= 5:
        pairs = int(arguments[3]) if len(arguments) > 3 else 10
        first = int(arguments[4]) if len(arguments) > 4 else 0
        run(*arguments[:3], pairs, first)
        table(os.curdir)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
