#!/usr/bin/env python3
"""The study in four pictures and the table of what idioms cost and give, from its records alone.

usage: python3 tools/study/plots.py RESULTS PLOT.svg > RESULTS/study-hearthstone/plots.md

RESULTS holds the records of `configs/experiments/study-hearthstone*.toml`, a folder each. Arms of which all runs are there are counted.
Intervals are of 10,000 draws of cards. Needs matplotlib.
"""
import pathlib
import sys

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "patois"
import matplotlib.pyplot as plt

import records

RESULTS, PLOT = map(pathlib.Path, sys.argv[1:3])
PROGRAMS = {"-eighth": 60, "-quarter": 120, "-half": 240, "": 478}
MAIN = {"no_idioms": "no idioms", "mean__coverage__20": "replayed, 20", "atomic__compression__80": "atomic, 80"}
COLOURS = {"no_idioms": "#444444", "mean__coverage__20": "#1b7f5c", "atomic__compression__80": "#b3541e", "atomic__compression__80__composed": "#7a3fa0"}
# Where a budget was given: what stands there, and how the runs of an arm are labelled.
BUDGETS = [("-seconds", "twenty seconds"), ("-minute", "a minute"), ("", "equal steps"), ("-composed", "equal steps"), ("-time", "equal time")]


def figures(found):
    """Mean exact match with its interval."""
    of_cards = list(records.shares(found).values())
    low, high = records.interval(of_cards)
    return sum(of_cards) / len(of_cards), low, high


def minutes(found, arm):
    """The minutes of a core that a run takes, by what a step of the arm takes at equal steps: runs of one machine."""
    usual = records.read(RESULTS, "-composed" if arm.endswith("composed") else "", arm)
    seconds, steps = (sum(it["effort"][key] for it in usual.values()) for key in ("cpu_seconds", "n_steps"))
    n_steps = sum(it["effort"]["n_steps"] for it in found.values()) / len(found)
    return n_steps * seconds / steps / 60


def difference(found, baseline):
    """The mean difference over the cards that both were asked, as a text."""
    own, other = records.shares(found), records.shares(baseline)
    of_cards = [own[it] - other[it] for it in sorted(own.keys() & other.keys())]
    low, high = records.interval(of_cards)
    return f"{sum(of_cards) / len(of_cards):+.3f} [{low:+.3f}, {high:+.3f}]"


figure, ((time, sure), (programs, idioms)) = plt.subplots(2, 2, figsize=(9, 6.6))

print("# What idioms cost and give\n")
print("Exact match with its 95 % interval over cards, and the difference to no idioms in the same experiment. Descriptions: the tests are in the tables of the experiments.\n")
print("| budget | arm | runs | CPU minutes | exact match | difference |\n| --- | --- | ---: | ---: | ---: | ---: |")
of_arms = {arm: [] for arm in COLOURS}
seen = []  # Runs serve in several experiments.
for suffix, budget in BUDGETS:
    baseline = records.read(RESULTS, suffix, "no_idioms") or records.read(RESULTS, "", "no_idioms")
    for arm in COLOURS:
        found = records.read(RESULTS, suffix, arm)
        answers = [it["figures"]["right"] for it in found.values()]
        if len(found) < 10 or answers in seen:
            continue
        seen.append(answers)
        mean, low, high = figures(found)
        cost = minutes(found, arm)
        of_arms[arm].append((cost, mean, mean - low, high - mean))
        gained = "" if arm == "no_idioms" else difference(found, baseline)
        print(f"| {budget} | {arm.replace('__', ', ').replace('_', ' ')} | {len(found)} | {cost:.1f} | {mean:.3f} [{low:.3f}, {high:.3f}] | {gained} |")
for arm, points in of_arms.items():
    if points:
        costs, means, below, above = zip(*sorted(points))
        label = MAIN.get(arm, "atomic, composed")
        time.errorbar(costs, means, yerr=(below, above), marker="o", capsize=3, color=COLOURS[arm], label=label)
time.set_xlabel("minutes of a core for training")
time.set_ylabel("exact match")
time.set_xlim(left=0)
time.set_ylim(bottom=0)

sure.plot([0, 1], [0, 1], color="#bbbbbb", linewidth=1)
for arm, label in MAIN.items():
    answers = [(p, right) for _, p, right, _ in records.outcomes(records.read(RESULTS, "", arm))]
    means = [(p, right) for p, right, _ in records.tenths(answers)]
    sure.plot(*zip(*means), marker="o", color=COLOURS[arm], label=label)
sure.set_xlabel("probability of the program, tenths of the answers")
sure.set_ylabel("share that is right")

print("\n| programs | arm | cards | exact match | difference |\n| ---: | --- | ---: | ---: | ---: |")
for index, (arm, label) in enumerate(MAIN.items()):
    points = []
    for suffix, size in PROGRAMS.items():
        found = records.read(RESULTS, suffix, arm)
        if len(found) < 5:
            continue
        mean, low, high = figures(found)
        points.append((size * 1.04 ** (index - 1), mean, mean - low, high - mean))
        gained = "" if arm == "no_idioms" else difference(found, records.read(RESULTS, suffix, "no_idioms"))
        print(f"| {size} | {label} | {len(records.shares(found))} | {mean:.3f} [{low:.3f}, {high:.3f}] | {gained} |")
    sizes, means, below, above = zip(*points)
    programs.errorbar(sizes, means, yerr=(below, above), marker="o", capsize=3, color=COLOURS[arm], label=label)
programs.set_xscale("log", base=2)
programs.set_xticks(list(PROGRAMS.values()), [str(it) for it in PROGRAMS.values()])
programs.set_xlabel("programs learnt from")
programs.set_ylabel("exact match")
programs.set_ylim(bottom=0)

for arm, label in list(MAIN.items())[1:]:
    of_numbers = {}
    for _, _, right, n_idioms in records.outcomes(records.read(RESULTS, "", arm)):
        of_numbers.setdefault(min(n_idioms, 12), []).append(right)
    points = [(n, sum(it) / len(it)) for n, it in sorted(of_numbers.items()) if len(it) >= 20]
    idioms.plot(*zip(*points), marker="o", color=COLOURS[arm], label=label)
idioms.set_xlabel("idioms in the program that was written (12: or more)")
idioms.set_ylabel("share that is right")
idioms.set_ylim(bottom=0)

for axes in figure.axes:
    axes.legend(frameon=False, fontsize=8)
    axes.spines[["top", "right"]].set_visible(False)
figure.tight_layout()
figure.savefig(PLOT, metadata={"Date": None})
print("\n`python3 tools/study/plots.py results docs/images/study.svg`")
