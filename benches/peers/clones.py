#!/usr/bin/env python3
"""Copies planted in real code, and how many of them are found.

    cargo build --release
    python3 benches/peers/clones.py SRC... [--cpd pmd] [--seed 1]

From the functions of SRC (Python), some are drawn; each is copied into a file of its own under another name, as it
is (exact), with its local names renamed (renamed), with one number or string changed (literal), with a statement put
in (inserted), or with one taken out (deleted). A plant is found if a tool reports two places that belong together, one in the copy and one in the
original, which have at least half of its lines. PMD's CPD is asked for at least 50 tokens, patois for 5 lines.
"""

import argparse
import ast
import io
import json
import random
import re
import shutil
import subprocess
import sys
import tempfile
import tokenize
import xml.etree.ElementTree as xml
from pathlib import Path

TARGET = Path(__file__).resolve().parents[2] / "target" / "release"
KINDS = ["exact", "renamed", "literal", "inserted", "deleted"]


def main():
    options = arguments()
    chosen = random.Random(options.seed)
    functions = [it for source in options.sources for it in functions_of(source)]
    found = {tool: dict.fromkeys(KINDS, 0) for tool in ("patois", "CPD")}
    for kind in KINDS:
        drawn = chosen.sample(functions, len(functions))
        with tempfile.TemporaryDirectory() as folder:
            plants = plant(Path(folder), drawn, kind, options.plants, chosen)
            found["patois"][kind] = count(plants, patois(options, folder))
            if options.cpd:
                found["CPD"][kind] = count(plants, cpd(options, folder))
    print(f"| of {options.plants} | {' | '.join(KINDS)} |")
    print("| --- |" + " ---: |" * len(KINDS))
    for tool, counts in found.items():
        if tool == "patois" or options.cpd:
            print(f"| {tool} | {' | '.join(str(counts[it]) for it in KINDS)} |")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sources", type=Path, nargs="+", metavar="SRC")
    parser.add_argument("--plants", type=int, default=20, help="of each kind (default: 20)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--patois", type=Path, default=TARGET / "patois")
    parser.add_argument("--cpd", help="the script `pmd`, to compare with")
    return parser.parse_args()


class Function:
    """A function of a file, from its first line to its last."""

    def __init__(self, file, node, text):
        self.file = file
        self.node = node
        self.first, self.last = node.lineno, node.end_lineno
        self.lines = text.splitlines()[self.first - 1 : self.last]


def functions_of(source):
    """Functions of 8 to 40 lines, with at least four statements; nothing that is there twice already."""
    found, seen = [], set()
    for file in sorted(source.rglob("*.py")):
        text = file.read_text(errors="replace")
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and not node.decorator_list:
                function = Function(file, node, text)
                body = ast.dump(ast.Module(node.body, []))
                n_code = len({it.lineno for it in ast.walk(node) if hasattr(it, "lineno")})
                if 8 <= n_code <= 40 and len(node.body) >= 4 and body not in seen:
                    seen.add(body)
                    found.append(function)
    return found


def plant(folder, functions, kind, wanted, chosen):
    """Writes originals, whole files, and copies; for each plant both places."""
    plants = []
    for function in functions:
        if len(plants) == wanted:
            break
        copy = changed(function, kind, chosen)
        if copy is None:
            continue
        original = folder / f"original{len(plants)}.py"
        shutil.copy(function.file, original)
        target = folder / f"copy{len(plants)}.py"
        target.write_text(f"import plants\n\n\n{copy}\n")
        try:
            ast.parse(target.read_text())
        except SyntaxError:
            target.unlink()
            continue
        n_lines = len(copy.splitlines())
        plants.append(((original.name, function.first, function.last), (target.name, 4, 3 + n_lines)))
    if len(plants) < wanted:
        sys.exit(f"there are only {len(plants)} functions to change so: {kind}")
    return plants


def changed(function, kind, chosen):
    """The text of a copy, at the left margin; none where the function has nothing to change so."""
    lines = list(function.lines)
    node = function.node
    statement = lambda it: (it.lineno - function.first, it.end_lineno - function.first)
    docstring = ast.get_docstring(node, clean=False) is not None
    inner = node.body[1 if docstring else 0 :]
    if kind == "literal":
        constants = [
            it
            for part in inner
            for it in ast.walk(part)
            if isinstance(it, ast.Constant) and type(it.value) in (int, str) and it.lineno == it.end_lineno
        ]
        if not constants:
            return None
        it = chosen.choice(constants)
        at = it.lineno - function.first
        text = lines[at].encode()
        new = b"'planted'" if isinstance(it.value, str) else b"4711"
        lines[at] = (text[: it.col_offset] + new + text[it.end_col_offset :]).decode()
    elif kind in ("inserted", "deleted"):
        if len(inner) < 4:
            return None
        middle = chosen.choice(inner[1:-1])
        first, last = statement(middle)
        indent = re.match(r"\s*", lines[first])[0]
        if kind == "inserted":
            lines.insert(first, f"{indent}plants.grow(plants.seed, 4711)")
        else:
            del lines[first : last + 1]
    text = "\n".join(lines)
    if kind == "renamed":
        arguments = [it.arg for it in node.args.args if it.arg not in ("self", "cls")]
        bound = [it.id for it in ast.walk(node) if isinstance(it, ast.Name) and isinstance(it.ctx, ast.Store)]
        names = sorted(set(arguments + bound))
        if not names or any(isinstance(it, (ast.Global, ast.Nonlocal)) for it in ast.walk(node)):
            return None
        text = renamed(text, names)
    text = re.sub(rf"\bdef {node.name}\b", f"def {node.name}_planted", text, count=1)
    margin = len(re.match(r"\s*", text)[0])
    return "\n".join(line[margin:] if not line[:margin].strip() else line for line in text.splitlines())


def renamed(text, names):
    """The same code with other local names; names of keyword arguments and attributes are not local."""
    margin = len(re.match(r"\s*", text)[0])
    lines = [line[margin:] if not line[:margin].strip() else line for line in text.splitlines(keepends=True)]
    tokens = list(tokenize.generate_tokens(io.StringIO("".join(lines)).readline))
    depth, is_head, out = 0, True, []
    for before, token, after in zip([None, *tokens], tokens, [*tokens[1:], None]):
        depth += (token.string in "([{") - (token.string in ")]}") if token.type == tokenize.OP else 0
        is_head &= token.type != tokenize.NEWLINE
        is_keyword = depth > 0 and not is_head and after is not None and after.string == "="
        is_local = token.type == tokenize.NAME and token.string in names and not is_keyword
        if is_local and not (before is not None and before.string == "."):
            out.append((token.start, token.end))
    for (line, first), (_, last) in reversed(out):
        lines[line - 1] = f"{lines[line - 1][:last]}_x{lines[line - 1][last:]}"
    return "".join(lines)


def count(plants, classes):
    """How many plants have a class with a place in the original and one in the copy."""
    n_found = 0
    for places in plants:
        n_found += any(all(any(has(place, it) for it in group) for place in places) for group in classes)
    return n_found


def has(place, reported):
    """Whether what was reported has at least half of the lines of a place."""
    (file, first, last), (found, line, end_line) = place, reported
    shared = min(last, end_line) - max(first, line) + 1
    return file == found and 2 * shared >= last - first + 1


def patois(options, folder):
    command = [options.patois, "duplicates", folder, "--json", "--quiet"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(done.stderr)
    classes = []
    for language in json.loads(done.stdout)["languages"]:
        for duplicate in language["duplicates"]:
            places = duplicate["places"]
            classes.append([(Path(it["file"]).name, it["line"], it["end_line"]) for it in places])
    return classes


def cpd(options, folder):
    command = [options.cpd, "cpd", "--minimum-tokens", "50", "--language", "python", "--format", "xml", "--dir", folder]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 4):
        sys.exit(done.stderr)
    text = re.sub(r"\sxmlns(:\w+)?=\"[^\"]*\"|\sxsi:schemaLocation=\"[^\"]*\"", "", done.stdout)
    classes = []
    for duplication in xml.fromstring(text).iter("duplication"):
        files = duplication.iter("file")
        classes.append([(Path(it.get("path")).name, int(it.get("line")), int(it.get("endline"))) for it in files])
    return classes


if __name__ == "__main__":
    main()
