#!/usr/bin/env python3
"""Where idioms help, if anywhere: outcomes of a study by what the programs are like, from its records alone.

usage: python3 tools/study/where.py RESULTS HEARTHSTONE > RESULTS/study-hearthstone/where.md

RESULTS holds the records of `configs/experiments/study-hearthstone*.toml`, a folder each, HEARTHSTONE the dataset. Arms with all ten runs
are counted. These are descriptions: nothing is tested here.
"""
import ast
import collections
import pathlib
import sys

import records

RESULTS, DATA = map(pathlib.Path, sys.argv[1:3])
N_RUNS = 10
RECORDS = {name: records.read(RESULTS, *arm) for arm, name in records.ARMS.items()}
RECORDS = {name: it for name, it in RECORDS.items() if len(it) == N_RUNS}
ARMS = list(RECORDS)


def programs():
    found = {}
    for name in ("train_hs", "dev_hs"):
        lines = (DATA / f"{name}.out").read_text().splitlines()
        for number, line in enumerate(lines, 1):
            # A line that goes on was joined with the next one, without its end.
            code = line.replace("\\ ", "").replace("§", "\n")
            try:
                found[f"{name}.in:{number}"] = ast.parse(code)
            except SyntaxError:
                continue
    return found


def depth(node):
    return 1 + max((depth(it) for it in ast.iter_child_nodes(node)), default=0)


def parts(tree):
    """The names of classes, functions and attributes that a program is made of, without the card's own."""
    own = {it.name for it in ast.walk(tree) if isinstance(it, ast.ClassDef)}
    names = {it.id for it in ast.walk(tree) if isinstance(it, ast.Name)} | {it.attr for it in ast.walk(tree) if isinstance(it, ast.Attribute)}
    return frozenset(names - own)


TREES = programs()
PARTS = {name: parts(tree) for name, tree in TREES.items()}
SIZES = {name: sum(1 for _ in ast.walk(tree)) for name, tree in TREES.items()}
DEPTHS = {name: depth(tree) for name, tree in TREES.items()}


def novelty(name, fold):
    """Whether a program has a part that training has not, is a new combination of known parts, or has the parts of another one."""
    others = [it for it in PARTS if it not in fold]
    if PARTS[name] - frozenset().union(*(PARTS[it] for it in others)):
        return "with a part that was never seen"
    if PARTS[name] in {PARTS[it] for it in others}:
        return "with the parts of a card that was seen"
    return "new combinations of parts that were seen"


def quarters(values):
    order = sorted(values.values())
    bounds = [order[len(order) * it // 4] for it in (1, 2, 3)]
    names = [f"up to {bounds[0] - 1}", f"{bounds[0]} to {bounds[1] - 1}", f"{bounds[1]} to {bounds[2] - 1}", f"{bounds[2]} and more"]
    return lambda value: names[sum(value >= it for it in bounds)], names


def table(title, groups, order):
    print(f"\n| {title} | outcomes | " + " | ".join(ARMS) + " |")
    print("| --- | ---: |" + " ---: |" * len(ARMS))
    for name in order:
        outcomes = [groups[name][arm] for arm in ARMS]
        if outcomes[0]:
            print(f"| {name} | {len(outcomes[0])} | " + " | ".join(f"{sum(it) / len(it):.3f}" for it in outcomes) + " |")


by_size, sizes = quarters(SIZES)
by_depth, depths = quarters(DEPTHS)
NOVELTIES = ["with the parts of a card that was seen", "new combinations of parts that were seen", "with a part that was never seen"]
groups = {kind: collections.defaultdict(lambda: collections.defaultdict(list)) for kind in ("size", "depth", "novelty")}
for arm, runs in RECORDS.items():
    for run in runs.values():
        fold = set(run["figures"]["ids"])
        for name, _, right, _ in records.outcomes({arm: run}):
            groups["size"][by_size(SIZES[name])][arm].append(right)
            groups["depth"][by_depth(DEPTHS[name])][arm].append(right)
            groups["novelty"][novelty(name, fold)][arm].append(right)

print("# Where idioms help, if anywhere\n")
print(f"Exact match by what the right program is like; {N_RUNS} runs of each arm, whose folds and seeds are the same. Descriptions, not tests.")
table("nodes of Python's syntax tree", groups["size"], sizes)
table("depth of the tree", groups["depth"], depths)
table("cards", groups["novelty"], NOVELTIES)
ANSWERS = {arm: list(records.outcomes(runs)) for arm, runs in RECORDS.items()}
print("\n| | " + " | ".join(ARMS) + " |\n| --- |" + " ---: |" * len(ARMS))
print("| idioms in a program that was written | " + " | ".join(f"{sum(n for *_, n in it) / len(it):.1f}" for it in ANSWERS.values()) + " |")
errors = (records.calibration([(p, right) for _, p, right, _ in it]) for it in ANSWERS.values())
print("| calibration error of the program's probability | " + " | ".join(f"{it:.3f}" for it in errors) + " |")
print("\n`python3 tools/study/where.py results HEARTHSTONE`")
