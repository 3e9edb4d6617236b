#!/usr/bin/env python3
"""Exact match against the number of programs that were learnt from, from the records of four experiments.

usage: python3 tools/study/curves.py RESULTS PLOT.svg > RESULTS/study-hearthstone/curves.md

RESULTS holds `study-hearthstone`, and the same with `-half`, `-quarter` and `-eighth` behind it. Intervals are of 10,000 draws of cards.
Needs matplotlib for the plot.
"""
import json
import pathlib
import random
import sys

RESULTS, PLOT = map(pathlib.Path, sys.argv[1:3])
SIZES = {"eighth": 60, "quarter": 120, "half": 240, "": 478}
ARMS = {"no_idioms": "no idioms", "mean__coverage__20": "mean, coverage, 20", "atomic__compression__80": "atomic, compression, 80"}


def shares(folder):
    """For each card, the share of answers that are right."""
    right = {}
    for file in sorted(folder.glob("*.json")):
        figures = json.loads(file.read_text())["figures"]
        for name, is_right in zip(figures["ids"], figures["right"]):
            right.setdefault(name, []).append(int(is_right))
    return {name: sum(it) / len(it) for name, it in right.items()}


def interval(values):
    draw = random.Random(21)
    means = sorted(sum(draw.choices(values, k=len(values))) / len(values) for _ in range(10_000))
    return means[250], means[9_749]


def differences(own, baseline):
    both = sorted(own.keys() & baseline.keys())
    return [own[it] - baseline[it] for it in both]


POINTS = {arm: [] for arm in ARMS}
print("# Exact match and the number of programs\n")
print("Difference: to no idioms with as many programs, over cards, with its 95 % interval. Descriptions, not tests.\n")
print("| programs | arm | cards | exact match | difference |\n| ---: | --- | ---: | ---: | ---: |")
for suffix, size in SIZES.items():
    folder = RESULTS / "-".join(filter(None, ["study-hearthstone", suffix]))
    baseline = shares(folder / "no_idioms")
    for arm, name in ARMS.items():
        own = shares(folder / arm)
        if not own:
            continue
        mean = sum(own.values()) / len(own)
        low, high = interval(list(own.values()))
        POINTS[arm].append((size, mean, mean - low, high - mean))
        difference = ""
        if arm != "no_idioms":
            of_cards = differences(own, baseline)
            low, high = interval(of_cards)
            difference = f"{sum(of_cards) / len(of_cards):+.3f} [{low:+.3f}, {high:+.3f}]"
        print(f"| {size} | {name} | {len(own)} | {mean:.3f} | {difference} |")
print("\n`python3 tools/study/curves.py results docs/images/study-curves.svg`")

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "patois"
import matplotlib.pyplot as plt

figure, axes = plt.subplots(figsize=(6, 3.6))
for index, (arm, points) in enumerate(POINTS.items()):
    sizes, means, below, above = zip(*points)
    shifted = [size * 1.03 ** (index - 1) for size in sizes]
    axes.errorbar(shifted, means, yerr=(below, above), marker="o", capsize=3, label=ARMS[arm])
axes.set_xscale("log", base=2)
axes.set_xticks(list(SIZES.values()), [str(it) for it in SIZES.values()])
axes.set_xlabel("programs learnt from")
axes.set_ylabel("exact match")
axes.set_ylim(bottom=0)
axes.legend(frameon=False)
figure.tight_layout()
figure.savefig(PLOT, metadata={"Date": None})
