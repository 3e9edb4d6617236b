#!/usr/bin/env python3
"""Exported rules against the places that patois counts: nothing may be lost.

    pip install ast-grep-cli semgrep
    cargo build --release
    python3 benches/peers/rules.py SRC... [--tool ast-grep|semgrep]

Mines SRC, writes the rules, runs the tool on SRC, and compares by file and line: how many idioms have a
rule, and of how many of these rules the tool finds every place that `patois find` reports.
"""

import argparse
import collections
import json
import subprocess
import sys
import tempfile
from pathlib import Path

TARGET = Path(__file__).resolve().parents[2] / "target" / "release"


def main():
    options = arguments()
    for source in options.sources:
        with tempfile.TemporaryDirectory() as folder:
            check(options, source.resolve(), Path(folder))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sources", type=Path, nargs="+", metavar="SRC")
    parser.add_argument("--tool", choices=["ast-grep", "semgrep"], default="ast-grep")
    parser.add_argument("--program", help="the tool itself, where it is not on PATH")
    parser.add_argument("--patois", type=Path, default=TARGET / "patois")
    parser.add_argument("--show", type=int, default=0, help="so many lost places of each idiom")
    parser.add_argument("--flags", default="", help="more flags for `patois mine`, in one string")
    return parser.parse_args()


def check(options, source, folder):
    library = folder / "idioms.json"
    mine = [options.patois, "mine", source, "--json", "--out", library, "--export", options.tool]
    report = json.loads(run(mine + options.flags.split()))
    for report in report.get("languages", [report]):
        [exported] = report["exported"]
        rules = Path(exported["file"])
        idioms = rules.with_name(rules.name.removesuffix(f".{options.tool}.yml") + ".json")
        compare(options, source, report, exported, rules, idioms)


def compare(options, source, report, exported, rules, idioms):
    ours = collections.defaultdict(set)
    for place in json.loads(run([options.patois, "find", idioms, source, "--json"], any_code=True))["places"]:
        ours[place["id"]].add((str(Path(place["file"]).resolve()), place["line"]))
    theirs = scan(options, rules, source)
    left_out = {it["idiom"] for it in exported["left_out"]}
    expressed = [it for it in sorted(ours) if it not in left_out]
    complete = 0
    n_ours = n_found = n_more = 0
    for idiom in expressed:
        lost = ours[idiom] - theirs[idiom]
        n_ours += len(ours[idiom])
        n_found += len(ours[idiom]) - len(lost)
        n_more += len(theirs[idiom] - ours[idiom])
        complete += not lost
        if lost and options.show:
            print(f"idiom {idiom}: {len(lost)} of {len(ours[idiom])} lines lost")
            for file, line in sorted(lost)[: options.show]:
                print(f"    {file}:{line}")
    total = len(expressed) + len(left_out)
    print(
        f"{source.name} {report['language']}: {len(expressed)} of {total} idioms expressed, "
        f"{complete} of {len(expressed)} rules find every place; "
        f"{n_found} of {n_ours} lines, {n_more} more"
    )
    reasons = collections.Counter(it["reason"] for it in exported["left_out"])
    for reason, count in reasons.most_common():
        print(f"    {count} left out: {reason}")


def scan(options, rules, source):
    found = collections.defaultdict(set)
    if options.tool == "ast-grep":
        program = options.program or "ast-grep"
        output = run([program, "scan", "--no-ignore", "hidden", "--rule", rules, "--json=compact", source], any_code=True)
        for match in json.loads(output):
            idiom = match["ruleId"]
            line = match["range"]["start"]["line"] + 1
            file = str(Path(match["file"]).resolve())
            found[idiom].add((file, line))
            # What is in a bracket begins behind it to us.
            text = match["text"]
            if text.startswith("("):
                blank = text[1 : len(text) - len(text[1:].lstrip())]
                found[idiom].add((file, line + blank.count("\n")))
    else:
        program = options.program or "semgrep"
        flags = ["--json", "--quiet", "--metrics=off", "--disable-version-check", "--no-git-ignore"]
        output = run([program, "scan", "--config", rules, *flags, source], any_code=True)
        for match in json.loads(output)["results"]:
            idiom = match["check_id"].rsplit(".", 1)[-1]
            found[idiom].add((str(Path(match["path"]).resolve()), match["start"]["line"]))
    return found


def run(command, any_code=False):
    done = subprocess.run([str(it) for it in command], capture_output=True, text=True)
    if done.returncode != 0 and not (any_code and done.stdout):
        sys.exit(f"{command[0]} failed: {done.stderr[-2000:]}")
    return done.stdout


if __name__ == "__main__":
    main()
