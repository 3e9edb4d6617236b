#!/usr/bin/env python3
"""What teaching adds: 20 corrected pairs and 10 names for each of three databases with untidy names, measured on the other questions.

usage: python3 exams/teach.py [PATOIS] [STEPS] [SEED...]

For each database: asked as it is, with what was said beside it (`FILE.patois`), and by a model that was taught it. A seed decides which
questions are the pairs; 1, 2 and 3 unless given.
"""
import json
import pathlib
import random
import sqlite3
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PATOIS = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "target/release/patois")
STEPS = sys.argv[2] if len(sys.argv) > 2 else "200"
SEEDS = [int(it) for it in sys.argv[3:]] or [1, 2, 3]

NOTES = {
    "hr": {
        "emp": "employees", "emp.emp_nm": "employee name", "emp.hr_dt": "hire date", "emp.sal": "salary",
        "emp.ft_flg": "works full time", "emp.ctr_end_dt": "contract end date", "lv_req": "leave requests",
        "lv_req.lv_typ": "leave type", "trn": "trainings", "dept.bdgt_amt": "budget",
    },
    "staff_exp": {
        "EMP.ENAME": "employee name", "EMP.HIREDT": "hire date", "EMP.TERMDT": "leaving date", "EXP_CLM": "expense claims",
        "EXP_CLM.DT_SUB": "date submitted", "EXP_CLM.DT_PD": "date paid", "EXP_CLM.PURP": "purpose", "EXP_LN": "expenses",
        "EXP_LN.MRCH_NM": "merchant", "EXP_LN.RCPT_FLG": "has a receipt",
    },
    "tel_cntr": {
        "sub": "customers", "sub.f_name": "first name", "sub.l_name": "last name", "pln": "plans", "pln.mth_fee": "monthly fee",
        "cntr": "contracts", "cntr.hs_mdl": "phone model", "cll": "calls", "cll.dur_sec": "duration in seconds", "inv": "invoices",
    },
}


def pairs(name):
    practice = ROOT / f"exams/practice/{name}.jsonl"
    if practice.exists():
        script = practice.with_suffix(".sql").read_text()
        rows = [json.loads(line) for line in practice.read_text().splitlines()]
        return script, [it for it in rows if it["sql"]]
    everyday = ROOT / "corpora/everyday"
    rows = [json.loads(line) for line in (everyday / "questions.jsonl").read_text().splitlines()]
    rows = [{"question": it["text"], "sql": it["code"]} for it in rows if it["database"] == name]
    return (everyday / f"database/{name}.sql").read_text(), rows


def right(database, exam, *more):
    out = subprocess.run([PATOIS, "ask", str(database), "--exam", str(exam), "--json", *more], capture_output=True, text=True)
    if out.returncode:
        sys.exit(out.stderr)
    found = json.loads(out.stdout)
    return sum(it["is_right"] for it in found["results"]), found["questions"]


def measure(name, notes, seed):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        script, rows = pairs(name)
        file = folder / f"{name}.sqlite"
        database = sqlite3.connect(file)
        database.executescript(script)
        database.commit()
        tables = [it[0] for it in database.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")]
        database.close()
        random.Random(seed).shuffle(rows)
        exam = folder / "exam.jsonl"
        exam.write_text("".join(json.dumps(it) + "\n" for it in rows[20:]))
        before, n = right(file, exam)
        lines = [{"kind": "memory", "version": 1, "tables": tables}]
        lines += [{"kind": "lesson", "question": it["question"], "code": it["sql"]} for it in rows[:20]]
        for place, words in notes.items():
            table, _, column = place.partition(".")
            lines.append({"kind": "note", "table": table, "words": words} | ({"column": column} if column else {}))
        pathlib.Path(f"{file}.patois").write_text("".join(json.dumps(it) + "\n" for it in lines))
        said, _ = right(file, exam)
        taught = subprocess.run([PATOIS, "teach", str(file), "--out", str(folder / "model"), "--steps", STEPS, "--json"], capture_output=True, text=True)
        if taught.returncode:
            sys.exit(taught.stderr)
        seconds = json.loads(taught.stdout)["seconds"]
        after, _ = right(file, exam, "--model", str(folder / "model"))
        print(f"{name}, seed {seed}: of {n} other questions {before} right, with what was said {said}, taught {after} ({seconds:.0f} s)", flush=True)
        return n, before, said, after


for name, notes in NOTES.items():
    n, before, said, after = map(sum, zip(*(measure(name, notes, seed) for seed in SEEDS)))
    print(f"{name}: of {n} {before} right, with what was said {said}, taught {after}", flush=True)
