#!/usr/bin/env python3
"""How often programs are right in which a model wrote an idiom of more than ten nodes, from the folders of the study's runs.

usage: python3 tools/study/large.py RESULTS > RESULTS/study-hearthstone/large.md

A run's answers, with the idioms in each, are in its folder, which is not kept with its record: only runs that were made here are
counted. Nodes are the constructors and tokens of an idiom. Descriptions, not tests.
"""
import json
import pathlib
import re
import sys

RESULTS = pathlib.Path(sys.argv[1])
LARGE = 10
NODE = re.compile(r'"(?:[^"\\]|\\.)*"|\(')


def answers(run):
    """For each program that was written, whether it is right and how many nodes its largest idiom has."""
    idioms = json.loads((run / "idioms.json").read_text())["idioms"] if (run / "idioms.json").exists() else []
    sizes = [len(NODE.findall(it["notation"])) for it in idioms]
    for line in (run / "predictions.jsonl").read_text().splitlines():
        it = json.loads(line)
        yield it["exact_match"], max((sizes[index] for index in it["idioms"]), default=0)


print("# Programs with a large idiom\n")
print(f"Large: more than {LARGE} nodes. Shares of the programs that are right; descriptions, not tests.\n")
print("| experiment | arm | runs | with a large idiom | right | others | right | of the right ones, with a large idiom |")
print("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |")
for arm in sorted(it for it in RESULTS.glob("study-*/*") if it.is_dir()):
    runs = [it.parent for it in sorted(arm.glob("*/predictions.jsonl")) if arm.joinpath(f"{it.parent.name}.json").exists()]
    found = [answer for run in runs for answer in answers(run)]
    large, others = ([right for right, size in found if (size > LARGE) == is_large] for is_large in (True, False))
    if large:
        share = lambda it: f"{sum(it) / len(it):.3f}" if it else "–"
        of_right = f"{sum(large) / max(1, sum(large) + sum(others)):.3f}"
        name = arm.name.replace("__", ", ").replace("_", " ")
        print(f"| {arm.parent.name} | {name} | {len(runs)} | {len(large)} | {share(large)} | {len(others)} | {share(others)} | {of_right} |")
print("\n`python3 tools/study/large.py results`")
