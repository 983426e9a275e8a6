#!/usr/bin/python3
"""Runs two programs in turns (A B A B ...) and compares one figure of each.

Every run is printed and logged; at the end both medians, their between-run spread, and the ratio of the medians A / B
with its 95 % interval (percentile bootstrap over the pairs, fixed seed). Speed is measured here and asserted nowhere.

    pairs.py [--pairs N] [--log FILE] --a NAME COMMAND PATTERN --b NAME COMMAND PATTERN [--scale-b FACTOR]

PATTERN is a regular expression whose first group is the figure; the last match of the output counts.
"""
import argparse
import os
import platform
import random
import re
import statistics
import subprocess
import sys


def run(command, pattern, log):
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    log.write(f"$ {command}\n{done.stdout}{done.stderr}[exit {done.returncode}]\n")
    found = re.findall(pattern, done.stdout + done.stderr, re.MULTILINE)
    if not found:
        sys.exit(f"no figure in the output of: {command} (exit {done.returncode})\n{done.stderr}")
    return float(found[-1])


def interval(a, b, rounds=20000):
    chooser = random.Random(1)
    pairs = range(len(a))
    ratios = []
    for _ in range(rounds):
        picked = [chooser.choice(pairs) for _ in pairs]
        ratios.append(statistics.median(a[i] for i in picked) / statistics.median(b[i] for i in picked))
    ratios.sort()
    return ratios[int(0.025 * rounds)], ratios[int(0.975 * rounds)]


def spread(values):
    return statistics.stdev(values) / statistics.mean(values) if len(values) > 1 else 0.0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=7)
    parser.add_argument("--log", default=os.devnull)
    parser.add_argument("--a", nargs=3, required=True, metavar=("NAME", "COMMAND", "PATTERN"))
    parser.add_argument("--b", nargs=3, required=True, metavar=("NAME", "COMMAND", "PATTERN"))
    parser.add_argument("--scale-b", type=float, default=1.0, help="factor from B's unit to A's")
    options = parser.parse_args()
    figures = {"a": [], "b": []}
    with open(options.log, "a", encoding="utf-8") as log:
        head = f"{platform.machine()} {platform.release()}, {os.cpu_count()} CPUs, load {os.getloadavg()[0]:.2f}"
        for line in (head, f"A = {options.a[0]}: {options.a[1]}", f"B = {options.b[0]}: {options.b[1]}"):
            print(line)
            log.write(line + "\n")
        for i in range(options.pairs):
            figures["a"].append(run(options.a[1], options.a[2], log))
            figures["b"].append(run(options.b[1], options.b[2], log) * options.scale_b)
            print(f"pair {i + 1}: A {figures['a'][-1]:.5g}  B {figures['b'][-1]:.5g}", flush=True)
        a, b = figures["a"], figures["b"]
        low, high = interval(a, b)
        line = (f"median A {statistics.median(a):.5g} (CV {100 * spread(a):.2f} %)  B {statistics.median(b):.5g} "
                f"(CV {100 * spread(b):.2f} %)  A/B {statistics.median(a) / statistics.median(b):.4f} [{low:.4f}, {high:.4f}]")
        print(line)
        log.write(line + "\n")


if __name__ == "__main__":
    main()
