"""The interface in one go, on the package that is named or on one of Python's own.

    python crates/python/examples/tour.py [FOLDER]
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path

import patois


def main(folder: Path) -> None:
    work = Path(tempfile.mkdtemp())

    library = patois.mine(folder, language="python", n_idioms=20, seed=1)
    best = library[0]
    print(f"{library!r}\n{best.source}\n{best.count} places, holes {', '.join(best.holes)}\n")
    library.save(work / "idioms.json")
    assert patois.IdiomLibrary.load(work / "idioms.json") == library
    print(f"{len(library.find(folder))} places of all idioms")

    for match in patois.find("$x.get($k, None)", folder)[:3]:
        print(match.line, match.column, match.bindings["x"], match.bindings["k"])

    programs = [path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.py"))]
    counts = patois.Miner(n_idioms=20, random_state=1).fit(programs).transform(programs)
    print(f"{counts.shape[0]} programs, {counts.sum()} occurrences")

    tree = patois.parse("x = f(1)", language="python")
    print(tree.children[0].kind, tree.to_sexp(), tree.derivation(library)[:3])

    answer = patois.ask(patois.Database.sample(), "How many customers are there in each country?")
    print(f"{answer.words}, {answer.confidence:.0%} sure\n{answer.to_pandas().head(3)}")

    steps = {"training.n_steps": 2, "training.batch_size": 2, "n_train": 50}
    run = patois.train(out=work / "run", overrides=steps)
    print(run.history.to_pandas()["loss"].notna().sum(), "steps,", run.evaluate("dev", limit=2))
    print(f"BLEU {patois.metrics.bleu(programs, programs):.1f}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(asyncio.__file__).parent)
