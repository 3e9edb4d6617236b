#!/usr/bin/env python3
"""How fast `patois serve` answers, alone and with many clients, and what it holds in memory.

usage: python3 benches/serve/load.py PATOIS DATABASE QUESTIONS.jsonl [N]

QUESTIONS has one object with `question` a line. Asked are 200 of them one after the other, then N (10,000 unless
given) by 8 clients at once, over connections that are kept. Clients are one process with eight threads: they take a
few per cent of the time themselves.
"""
import http.client
import itertools
import json
import pathlib
import statistics
import subprocess
import sys
import threading
import time

PATOIS, DATABASE, QUESTIONS = sys.argv[1:4]
N_QUESTIONS = int(sys.argv[4]) if len(sys.argv) > 4 else 10_000
N_ALONE, N_CLIENTS = 200, 8


def client(port, take, latencies, statuses):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    for question in iter(take, None):
        body = json.dumps({"question": question})
        started = time.perf_counter()
        connection.request("POST", "/api/ask", body, {"Content-Type": "application/json"})
        reply = connection.getresponse()
        reply.read()
        latencies.append(1000 * (time.perf_counter() - started))
        statuses.append(reply.status)
    connection.close()


def asked(port, n_questions, n_clients):
    """Milliseconds of each question, and questions a second."""
    lock, questions, latencies, statuses = threading.Lock(), itertools.cycle(QUEUE), [], []
    left = itertools.islice(questions, n_questions)

    def take():
        with lock:
            return next(left, None)

    threads = [threading.Thread(target=client, args=(port, take, latencies, statuses)) for _ in range(n_clients)]
    started = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seconds = time.perf_counter() - started
    wrong = [it for it in statuses if it != 200]
    if wrong or len(statuses) != n_questions:
        sys.exit(f"{len(statuses)} of {n_questions} answered, {len(wrong)} of them with another status than 200: {wrong[:3]}")
    return sorted(latencies), n_questions / seconds


def megabytes(process):
    for line in pathlib.Path(f"/proc/{process.pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) // 1024


QUEUE = [json.loads(line)["question"] for line in pathlib.Path(QUESTIONS).read_text().splitlines()]
port = 8765
server = subprocess.Popen([PATOIS, "serve", DATABASE, "--port", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
try:
    for _ in range(100):
        time.sleep(0.1)
        try:
            asked(port, 5, 1)
            break
        except ConnectionError:
            continue
    alone, _ = asked(port, N_ALONE, 1)
    print(f"alone: median of {N_ALONE} {statistics.median(alone):.1f} ms, 95 % below {alone[int(0.95 * N_ALONE)]:.1f}, longest {alone[-1]:.1f}")
    first = megabytes(server)
    asked(port, 500, N_CLIENTS)
    before = megabytes(server)
    together, rate = asked(port, N_QUESTIONS, N_CLIENTS)
    print(f"{N_CLIENTS} clients: {rate:.1f} questions a second, median {statistics.median(together):.0f} ms, longest {together[-1]:.0f}")
    print(f"memory: {first} MB, {before} MB after 500 questions of {N_CLIENTS} clients, {megabytes(server)} MB after {N_QUESTIONS} more")
finally:
    server.terminate()
    server.wait()
