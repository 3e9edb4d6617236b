#!/usr/bin/env python3
"""Validate a folder of exam questions: scripts load, gold SQL runs, answers are well defined.

Usage: python3 check.py FOLDER [-v], where each NAME.sql in FOLDER has a NAME.jsonl beside it."""
import collections, glob, json, os, re, sqlite3, sys
verbose = "-v" in sys.argv
folders = [x for x in sys.argv[1:] if x != "-v"]
if len(folders) != 1: sys.exit(__doc__)
HERE = folders[0]
DBS = sorted(os.path.basename(x)[:-4] for x in glob.glob(os.path.join(HERE, "*.sql")))
if not DBS: sys.exit(f"no databases (*.sql) in {HERE}")
NEED = 30
WRITE = re.compile(r"^(please )?(can you )?(delete|remove|add|set|change|update|insert|drop|cancel|give .* a raise|raise|increase|mark)\b", re.I)
bad = []

def kinds(s):
    u = s.upper(); k = set()
    if u.count("SELECT") > 1: k.add("subquery")
    if "NOT IN" in u or "NOT EXISTS" in u or "EXCEPT" in u: k.add("missing/except")
    if "LEFT JOIN" in u: k.add("zero counts")
    n = len(re.findall(r"\bJOIN\b", u))
    if n: k.add("join")
    if n >= 2 and u.count("SELECT") == 1: k.add("join of 3+ tables")
    if "GROUP BY" in u: k.add("group")
    if "HAVING" in u: k.add("having")
    if re.search(r"IS (NOT )?NULL", u): k.add("null")
    if "DISTINCT" in u: k.add("distinct")
    if "LIKE" in u: k.add("partial match")
    if "BETWEEN" in u: k.add("between")
    if re.search(r"ORDER BY .* LIMIT 1$", u): k.add("superlative")
    elif re.search(r"LIMIT \d+$", u): k.add("top-n")
    elif "ORDER BY" in u: k.add("ordered list")
    if re.search(r"\b(SUM|AVG|MIN|MAX)\(", u): k.add("sum/avg/min/max")
    if "COUNT(" in u: k.add("count")
    if re.search(r"'\d{4}-\d\d", s): k.add("date")
    if re.search(r"(quantity|qty|unit_price|unitprice|price|cost)\s*\*|\*\s*\w*\.?(unit|list)", s, re.I): k.add("arithmetic")
    if re.search(r"=\s*'[^0-9']", s): k.add("value")
    if re.search(r"\bAND\b", re.sub(r"BETWEEN '?[^ ]+'? AND", "", u)): k.add("two conditions")
    return k or {"plain list"}

def level(s):
    u = s.upper(); n = len(re.findall(r"\bJOIN\b", u)); sub = u.count("SELECT") - 1
    p = n + 2 * sub + ("GROUP BY" in u) + ("HAVING" in u) + ("JULIANDAY" in u) * 3
    return "easy" if p == 0 else "medium" if p <= 2 else "hard"

def ties(con, s, name):
    """A LIMIT must not cut through equal keys; an ordered list must have one order only."""
    m = re.search(r"^SELECT (.*) ORDER BY (.+?)(?: LIMIT (\d+))?$", s)
    if not m: return
    keys = [re.sub(r" (DESC|ASC)$", "", x.strip()) for x in re.split(r",(?![^(]*\))", m[2])]
    i = s.index(" FROM ")
    t = s[:i] + ", " + ", ".join(keys) + s[i:]
    t = re.sub(r" LIMIT \d+$", "", t)
    rows = [r[-len(keys):] for r in con.execute(t)]
    n = int(m[3]) if m[3] else len(rows)
    head = rows[:n + 1]
    if len(set(head)) != len(head): bad.append(f"{name}: tie in order: {s}")
    if any(None in r for r in head[:n]): bad.append(f"{name}: NULL in sort key: {s}")

tot = collections.Counter(); allk = collections.Counter(); seen = {}; big = []
for db in DBS:
    con = sqlite3.connect(":memory:")
    path = os.path.join(HERE, db + ".sql")
    raw = open(path, encoding="utf-8").read()
    con.executescript(raw)
    size = os.path.getsize(path)
    if not 10_000 <= size <= 61_440: bad.append(f"{db}: size {size}")
    fk = con.execute("PRAGMA foreign_key_check").fetchall()
    if fk: bad.append(f"{db}: foreign keys violated {fk[:3]}")
    nt = con.execute("SELECT COUNT(*) FROM sqlite_master WHERE type='table'").fetchone()[0]
    nv = con.execute("SELECT COUNT(*) FROM sqlite_master WHERE type='view'").fetchone()[0]
    k = collections.Counter(); lv = collections.Counter(); a = u = w = 0
    for line in open(os.path.join(HERE, db + ".jsonl"), encoding="utf-8"):
        o = json.loads(line); q, s = o["question"], o["sql"]
        assert set(o) == {"question", "sql"}
        key = re.sub(r"\W+", " ", q.lower()).strip()
        if key in seen: bad.append(f"duplicate question: {q}")
        seen[key] = db
        if s is None:
            u += 1; w += bool(WRITE.search(q)); continue
        a += 1
        try: rows = con.execute(s).fetchall()
        except sqlite3.Error as e: bad.append(f"{db}: {e}: {s}"); continue
        if not any(v is not None for r in rows for v in r): bad.append(f"{db}: empty answer: {q}")
        if len(rows) >= 40: big.append((db, len(rows), q))
        dup = len(rows) - len(set(rows))
        if dup and verbose: print("   note: repeated rows:", dup, "|", q)
        ties(con, s, db)
        k.update(kinds(s)); lv[level(s)] += 1
        if verbose: print(f"{db:9} {level(s):6} {len(rows):3} rows | {q}\n      -> {rows[:40]}")
    if a < NEED: bad.append(f"{db}: only {a} answerable")
    if u < 8: bad.append(f"{db}: only {u} unanswerable")
    if not w: bad.append(f"{db}: no change request")
    print(f"{db:9} {nt} tables, {nv} views, {size} bytes; answerable {a} ({', '.join(f'{x} {lv[x]}' for x in ('easy','medium','hard'))}); unanswerable {u} (of them change requests {w})")
    print("          " + ", ".join(f"{x} {n}" for x, n in k.most_common()))
    tot["answerable"] += a; tot["unanswerable"] += u; tot["change requests"] += w; tot.update(lv); allk.update(k)
print("TOTAL    ", dict(tot)); print("KINDS    ", dict(allk.most_common()))
print("answers of 40 rows or more:", (big if verbose else len(big)) or "none")
print("PROBLEMS:" if bad else "no problems"); [print("  ", b) for b in bad]
sys.exit(bool(bad))
