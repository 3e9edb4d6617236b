"""How long the metrics take beside NLTK's BLEU and the official script of Spider, on the same programs, turn by turn.

    pip install patois nltk func_timeout sqlparse tqdm
    PATOIS_DATA=... python benches/peers/metrics.py FOLDER

FOLDER holds `evaluation.py`, `process_sql.py`, `exec_eval.py` and `parse.py` of test-suite-sql-eval. What is predicted is the program of
the next example, for Spider the next one about the same database. Times are of this process and of all its threads: the processor's.
"""

from __future__ import annotations

import contextlib
import functools
import io
import os
import re
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from nltk import word_tokenize
from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu, sentence_bleu

from patois import metrics

TURNS = 5


def tokens(code: str) -> list[str]:
    """The published tokens of code."""
    code = re.sub(r"([^A-Za-z0-9_])", r" \1 ", code)
    code = re.sub(r"([a-z])([A-Z])", r"\1 \2", code)
    code = re.sub(r"\s+", " ", code)
    return [it for it in code.replace('"', "`").replace("'", "`").split(" ") if it]


def compare(name: str, ours: Callable[[], float], theirs: Callable[[], float]) -> None:
    """Runs both, turn by turn, and prints the least time of each."""
    times: dict[str, list[float]] = {"ours": [], "theirs": []}
    results = {}
    for _ in range(TURNS):
        for key, work in (("ours", ours), ("theirs", theirs)):
            started = time.process_time()
            results[key] = work()
            times[key].append(time.process_time() - started)
    mine, other = min(times["ours"]), min(times["theirs"])
    print(f"{name}: {mine * 1e3:.1f} ms, theirs {other * 1e3:.1f} ms: {other / mine:.0f} times as fast; {results}")


def bleu(data: Path) -> None:
    lines = (data / "hearthstone" / "train_hs.out").read_text(encoding="utf-8").splitlines()
    gold = [line.replace("\u00a7", "\n") for line in lines]
    predicted = [*gold[1:], gold[0]]
    smooth = SmoothingFunction().method3

    def theirs() -> float:
        pairs = [(tokens(a), tokens(b)) for a, b in zip(gold, predicted)]
        for a, b in pairs:
            sentence_bleu([a], b, smoothing_function=smooth)
        return float(corpus_bleu([[a] for a, _ in pairs], [b for _, b in pairs], smoothing_function=smooth))

    def ours() -> float:
        metrics.sentence_bleu(gold, predicted)
        return metrics.bleu(gold, predicted)

    compare(f"BLEU, each and all of {len(gold)} programs", ours, theirs)


def spider(data: Path, script: Path) -> None:
    sys.path.insert(0, str(script))
    import evaluation
    import process_sql

    # Sentences are not told apart: one query is one. It spares the script a model that is not there.
    process_sql.word_tokenize = functools.partial(word_tokenize, preserve_line=True)
    folder, tables = data / "spider" / "database", data / "spider" / "tables.json"
    lines = (data / "spider" / "dev_gold.sql").read_text(encoding="utf-8").splitlines()
    gold, databases = zip(*(line.rsplit("\t", 1) for line in lines if line))
    same = [b if databases[i] == databases[(i + 1) % len(gold)] else a for i, (a, b) in enumerate(zip(gold, [*gold[1:], gold[0]]))]
    work = Path(tempfile.mkdtemp())
    (work / "gold.sql").write_text("".join(f"{a}\t{b}\n" for a, b in zip(gold, databases)))
    (work / "pred.sql").write_text("".join(f"{it}\n" for it in same))
    os.chdir(work)

    def theirs() -> float:
        kmaps = evaluation.build_foreign_key_map_from_json(str(tables))
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            evaluation.evaluate("gold.sql", "pred.sql", str(folder), "match", kmaps, False, False, False)
        line = next(it for it in printed.getvalue().splitlines() if it.startswith("exact match"))
        return float(line.split()[-1])

    def ours() -> float:
        read = [line.rsplit("\t", 1) for line in Path("gold.sql").read_text().splitlines()]
        predicted = Path("pred.sql").read_text().splitlines()
        found = metrics.spider_exact_match([it[0] for it in read], predicted, [it[1] for it in read], tables=tables)
        return sum(found) / len(found)

    compare(f"exact set match of {len(gold)} queries", ours, theirs)


if __name__ == "__main__":
    bleu(Path(os.environ["PATOIS_DATA"]).absolute())
    spider(Path(os.environ["PATOIS_DATA"]).absolute(), Path(sys.argv[1]).absolute())
