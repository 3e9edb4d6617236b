#!/usr/bin/env python3
"""Stitch and patois on the same trees: seconds, and how much shorter derivations become.

    cargo build --release && cargo build --release --example export_trees
    python3 benches/peers/stitch.py

How it counts, and what came out, is in README.md beside this file.
"""

import argparse
import json
import re
import resource
import subprocess
import sys
import tempfile
import time
from importlib import metadata
from pathlib import Path

STITCH = "0.1.29"
TARGET = Path(__file__).resolve().parents[2] / "target" / "release"
TOKEN = re.compile(r"[()]|[^\s()]+")
ATOM = re.compile(r"[^\s()]+")
HOLE = re.compile(r"#\d+")


def main():
    options = arguments()
    train, dev = (export(options, split) for split in ("train", "dev"))
    rows = []
    if not options.skip_stitch:
        for threads in options.threads:
            rows += stitch_rows(options, train, dev, threads)
    if not options.skip_patois:
        rows.append(patois_row(options, train, dev))
    print(table(rows))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", default="hearthstone")
    parser.add_argument("--top", type=int, default=80, help="how many idioms (default: 80)")
    parser.add_argument("--arity", type=int, default=3, help="most holes of Stitch's (default: 3)")
    parser.add_argument("--threads", type=int, nargs="+", default=[2], help="of Stitch; a run each")
    parser.add_argument("--same-goal", action="store_true", help="Stitch: corpus size only")
    parser.add_argument("--save", type=Path, help="a folder for the libraries that Stitch finds")
    parser.add_argument("--reuse", action="store_true", help="measure what is in --save again")
    parser.add_argument("--skip-stitch", action="store_true")
    parser.add_argument("--skip-patois", action="store_true")
    parser.add_argument("--patois", type=Path, default=TARGET / "patois")
    parser.add_argument("--exporter", type=Path, default=TARGET / "examples" / "export_trees")
    parser.add_argument("--flags", default="", help="more flags for `patois mine`, in one string")
    options = parser.parse_args()
    if options.reuse and not options.save:
        parser.error("--reuse needs --save")
    return options


def export(options, what):
    """The trees of a split or the idioms of a file, one s-expression each."""
    return output([options.exporter, options.corpus, what]).splitlines()


def output(command):
    """What a command prints; its complaints go where ours go."""
    try:
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    except FileNotFoundError:
        sys.exit(f"{command[0]} is not there; build it as the first lines of {sys.argv[0]} say")
    except subprocess.CalledProcessError as error:
        sys.exit(f"{' '.join(map(str, command))} failed with status {error.returncode}")


# Stitch


def stitch_rows(options, train, dev, threads):
    """Runs Stitch on the train split; its own rewriting, then the shortest with its library."""
    names = Names()
    train, dev = ([names.rename(it) for it in split] for split in (train, dev))
    run = run_stitch(options, train, dev, threads)
    library = Library(run["abstractions"])
    for split, rewritten in ((train, run["train"]), (dev, run["dev"])):
        for program, short in zip(split, rewritten, strict=True):
            if library.read(program) != library.read(short):
                sys.exit("what Stitch has rewritten does not expand to the program that it was")
    goal = ", same goal" if options.same_goal else ""
    label = f"Stitch, {len(run['abstractions'])} idioms, {threads} threads{goal}"
    splits = [(train, run["train"]), (dev, run["dev"])]
    return [
        Row(label, run["seconds"], [own_rewriting(names, *it) for it in splits]),
        Row("its library, fewest steps", None, [library.fewest(names, *it) for it in splits]),
    ]


def own_rewriting(names, programs, rewritten):
    units = (each_node, names.count_choice)
    return [n_steps(programs, unit) / n_steps(rewritten, unit) for unit in units]


def run_stitch(options, train, dev, threads):
    """The library, the seconds it took, and both splits as Stitch rewrites them with it."""
    kind = f"{options.top}-{options.arity}-{threads}" + ("-same-goal" if options.same_goal else "")
    saved = options.save and options.save / f"stitch-{options.corpus}-{kind}.json"
    if options.reuse and saved.exists():
        return json.loads(saved.read_text())
    stitch = import_stitch()
    # By default a node costs 100, an application 1, and the size of the library counts.
    goal = {"cost_app": 0, "no_other_util": True} if options.same_goal else {}
    clock = Clock(resource.RUSAGE_SELF)
    found = stitch.compress(
        train, iterations=options.top, max_arity=options.arity, threads=threads, **goal
    )
    seconds = clock.seconds()
    run = {
        "seconds": seconds,
        "abstractions": [(it.name, it.arity, it.body) for it in found.abstractions],
        "train": found.rewritten,
        "dev": stitch.rewrite(dev, found.abstractions).rewritten,
    }
    if saved:
        options.save.mkdir(parents=True, exist_ok=True)
        saved.write_text(json.dumps(run))
    return run


def import_stitch():
    try:
        import stitch_core
    except ImportError:
        sys.exit(
            f"Stitch is not installed for {sys.executable}; install it, for example with\n\n"
            f"    python3 -m venv peers && peers/bin/pip install stitch_core=={STITCH}\n"
            f"    peers/bin/python {sys.argv[0]}\n\n"
            "or leave it out with --skip-stitch"
        )
    if (version := metadata.version("stitch_core")) != STITCH:
        print(f"this is Stitch {version}; the figures are of {STITCH}", file=sys.stderr)
    return stitch_core


class Names:
    """Short names for atoms, as Stitch gives a meaning to some characters and words."""

    def __init__(self):
        self.of = {}
        self.chosen = {}

    def rename(self, program):
        return ATOM.sub(lambda it: self.name(it[0]), program)

    def name(self, atom):
        if atom.startswith("#"):
            return atom
        name = self.of.setdefault(atom, f"a{len(self.of)}")
        self.chosen[name] = atom.startswith("+")
        return name

    def count_choice(self, name):
        """What a node counts where only choices do; a use of an abstraction is one."""
        return int(self.chosen.get(name, True))


def each_node(_name):
    return 1


def n_steps(programs, count):
    return sum(count(it) for program in programs for it in ATOM.findall(program))


class Library:
    """Abstractions, and all programs as binary applications, each distinct one held once.

    `(f x y)` is the pair of `(f x)` and `y`, as for Stitch, which may abstract `(f x)` as well. An
    atom is a name, a pair is (function number, argument number). What a node is made of has a
    smaller number than the node.
    """

    def __init__(self, abstractions):
        self.nodes = []
        self.numbers = {}
        self.arity = {}
        self.bodies = {}
        for name, arity, body in abstractions:
            self.add(name, arity, self.read(body))

    def add(self, name, arity, body):
        """An abstraction of an earlier one that lacks arguments gets holes for these, too."""
        head, inputs = self.spine(body)
        for _ in range(self.arity.get(head, 0) - len(inputs)):
            body = self.apply(body, self.intern(f"#{arity}"))
            arity += 1
        self.arity[name] = arity
        self.bodies[name] = body

    def read(self, program):
        """The node of a program, all abstractions expanded."""
        open_lists = [[]]
        for token in TOKEN.findall(program):
            if token == "(":
                open_lists.append([])
            elif token == ")":
                function, *inputs = open_lists.pop()
                for it in inputs:
                    function = self.apply(function, it)
                open_lists[-1].append(function)
            else:
                open_lists[-1].append(self.atom(token))
        [[node]] = open_lists
        return node

    def atom(self, name):
        return self.bodies[name] if self.arity.get(name) == 0 else self.intern(name)

    def apply(self, function, argument):
        node = self.intern((function, argument))
        head, inputs = self.spine(node)
        if self.arity.get(head) != len(inputs):
            return node
        return self.fill(self.bodies[head], inputs, {})

    def fill(self, body, inputs, done):
        """A body with its holes `#0`, `#1`, ... filled."""
        if body not in done:
            it = self.nodes[body]
            if isinstance(it, tuple):
                function, argument = (self.fill(part, inputs, done) for part in it)
                done[body] = self.apply(function, argument)
            else:
                done[body] = inputs[int(it[1:])] if it.startswith("#") else body
        return done[body]

    def intern(self, it):
        if it not in self.numbers:
            self.numbers[it] = len(self.nodes)
            self.nodes.append(it)
        return self.numbers[it]

    def spine(self, node):
        """What is applied in the end, and to what."""
        inputs = []
        while isinstance(self.nodes[node], tuple):
            node, argument = self.nodes[node]
            inputs.append(argument)
        return self.nodes[node], inputs[::-1]

    def fewest(self, names, programs, rewritten):
        """As `own_rewriting`, but abstractions are used wherever that is shortest.

        A hole for a function may be filled with a bare abstraction, which is not searched for; where
        Stitch is better for it, what Stitch wrote counts.
        """
        ratios = []
        roots = [self.read(it) for it in programs]
        for count in (each_node, names.count_choice):
            costs = self.costs(count)
            best = (min(costs[root], n_steps([it], count)) for root, it in zip(roots, rewritten))
            ratios.append(n_steps(programs, count) / sum(best))
        return ratios

    def costs(self, count):
        """For every node the fewest steps that write it."""
        by_root = {}
        for body in self.bodies.values():
            head, inputs = self.spine(body)
            root = None if head.startswith("#") else (head, len(inputs))
            by_root.setdefault(root, []).append(body)
        costs = []
        for number, it in enumerate(self.nodes):
            is_atom = not isinstance(it, tuple)
            cost = count(it) if is_atom else costs[it[0]] + costs[it[1]]
            head, inputs = self.spine(number)
            for body in by_root.get((head, len(inputs)), []) + by_root.get(None, []):
                holes = {}
                if self.matches(body, number, holes):
                    cost = min(cost, 1 + sum(costs[hole] for hole in holes.values()))
            costs.append(cost)
        return costs

    def matches(self, body, node, holes):
        """Whether an abstraction stands here; notes what fills its holes, equal ones equally."""
        it, found = self.nodes[body], self.nodes[node]
        if isinstance(it, tuple):
            return (
                isinstance(found, tuple)
                and self.matches(it[0], found[0], holes)
                and self.matches(it[1], found[1], holes)
            )
        if it.startswith("#"):
            return holes.setdefault(it, node) == node
        return body == node


# patois


def patois_row(options, train, dev):
    """Runs `patois mine`, and counts with its library as with Stitch's."""
    with tempfile.TemporaryDirectory() as folder:
        idioms = f"{folder}/idioms.json"
        command = [options.patois, "mine", options.corpus, "--rank", "compression", "--json", "-q"]
        command += ["--top", str(options.top), "--keep-closed", "--out", idioms]
        clock = Clock(resource.RUSAGE_CHILDREN)
        report = json.loads(output(command + options.flags.split()))
        seconds = clock.seconds()
        bodies = export(options, idioms)
    names = Names()
    train, dev, bodies = ([names.rename(it) for it in lines] for lines in (train, dev, bodies))
    holes = [len(set(HOLE.findall(it))) for it in bodies]
    library = Library([(f"i{n}", *it) for n, it in enumerate(zip(holes, bodies))])
    ratios = [library.fewest(names, it, it) for it in (train, dev)]
    for split, (counted, _) in zip(("train", "dev"), ratios):
        if abs(counted - report["compression"][split]) > 1e-9:
            sys.exit(f"patois reports {report['compression'][split]} on {split}, this is {counted}")
    return Row(f"patois, {report['idioms']} idioms {options.flags}".strip(), seconds, ratios)


# The table


class Clock:
    """Seconds on the wall, and of the processors: a busy machine stretches the former."""

    def __init__(self, who):
        self.who = who
        self.started = time.monotonic(), self.cpu()

    def cpu(self):
        used = resource.getrusage(self.who)
        return used.ru_utime + used.ru_stime

    def seconds(self):
        wall, cpu = self.started
        return time.monotonic() - wall, self.cpu() - cpu


class Row:
    """A line of the table; `ratios` are pairs, one in nodes and one in choices, for each split."""

    def __init__(self, label, seconds, ratios):
        self.label = label
        self.seconds = seconds or (None, None)
        self.ratios = ratios

    def cells(self):
        numbers = [*self.seconds, *(it for pair in self.ratios for it in pair)]
        return [self.label] + ["" if it is None else f"{it:.2f}" for it in numbers]


def table(rows):
    """The rows as Markdown."""
    head = ["", "seconds", "of CPU", "train", "train, choices", "dev", "dev, choices"]
    lines = [head, ["---"] + ["---:"] * 6] + [it.cells() for it in rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    sys.setrecursionlimit(100_000)
    main()
