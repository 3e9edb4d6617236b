"""The records of the study: which arms there are, and what came of their runs."""
import json
import math
import pathlib
import random

# Folder of the experiment after `study-hearthstone`, and of the arm in it; what it is called.
ARMS = {
    ("", "no_idioms"): "no idioms",
    ("", "mean__coverage__20"): "mean, coverage, 20",
    ("", "atomic__compression__80"): "atomic, compression, 80",
    ("-time", "atomic__compression__80"): "atomic, equal time",
    ("-composed", "atomic__compression__80__composed"): "atomic, composed",
    ("-composed", "mean__coverage__20__composed"): "mean, composed",
    ("-phrases", "atomic__phrases__80"): "atomic, phrases, 80",
    ("-phrases", "mean__phrases__20"): "mean, phrases, 20",
    ("-selection", "mean__compression__40__selected"): "mean, selected, 40",
}


def read(results, experiment, arm):
    """The records of an arm by the names of their files: fold and seed."""
    files = sorted((pathlib.Path(results) / f"study-hearthstone{experiment}" / arm).glob("*.json"))
    return {file.stem: json.loads(file.read_text()) for file in files}


def outcomes(records):
    """How each answer came out: the card, its probability, whether it is right, and how many idioms are in it."""
    for record in records.values():
        it = record["figures"]
        for name, ln_p, right, n_idioms in zip(it["ids"], it["ln_p"], it["right"], it["n_idioms"]):
            yield name, math.exp(ln_p), int(right), n_idioms


def shares(records):
    """For each card, the share of answers that are right."""
    right = {}
    for name, _, it, _ in outcomes(records):
        right.setdefault(name, []).append(it)
    return {name: sum(it) / len(it) for name, it in right.items()}


def interval(values):
    """The 95 % interval of a mean, of 10,000 draws."""
    draw = random.Random(21)
    means = sorted(sum(draw.choices(values, k=len(values))) / len(values) for _ in range(10_000))
    return means[250], means[9_749]


def tenths(pairs):
    """Probabilities and whether they came true, in ten parts of equal size: the mean of each, and their number."""
    pairs = sorted(pairs)
    size = math.ceil(len(pairs) / 10)
    for it in (pairs[start : start + size] for start in range(0, len(pairs), size)):
        yield sum(p for p, _ in it) / len(it), sum(right for _, right in it) / len(it), len(it)


def calibration(pairs):
    """The expected calibration error."""
    return sum(n * abs(p - right) for p, right, n in tenths(pairs)) / len(pairs)
