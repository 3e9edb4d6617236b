"""A step of training beside PyTorch: the same shapes, the same arithmetic, eager mode.

    python3 -m venv peers && peers/bin/pip install torch numpy transformers
    cargo bench -p patois-synthesis --bench step --no-run
    peers/bin/python benches/peers/pytorch.py [--threads 1] [--rounds 7]

Written as one would write it in PyTorch: padded batches (all examples are equally long, so nothing is wasted),
`nn.LSTM` for the encoders, `nn.LSTMCell` in a loop for the decoder, scores of all steps in a few products after the loop,
relation embeddings as an n x n x d tensor as in the published code, Adam. With a pretrained encoder, `transformers` reads 127
pieces a pair (six layers, 384 wide, as MiniLM-L6; its embeddings are frozen, as ours are by default), and their means go into the relation
layers. Rounds alternate with
`cargo bench -p patois-synthesis --bench step`; medians are compared, on the wall's clock and of CPU time, which says more where a
machine is shared.
"""

import argparse
import statistics
import subprocess
import time

import torch
from torch import nn
from torch.nn import functional as F

BATCH = 10
SHAPES = {
    "hearthstone": dict(steps=168, texts=68, items=0, words=30, columns=0, tables=0, copies=93, rules=400, subtokens=737, word=256),
    "spider": dict(steps=28, texts=5, items=6, words=13, columns=28, tables=5, copies=38, rules=240, subtokens=2167, word=100),
}
SHAPES["pretrained"] = dict(SHAPES["spider"], pieces=127)
HIDDEN, ACTION, SYMBOL, ATTENTION, HEADS, LAYERS, INNER, TYPES, FORMS = 256, 128, 64, 64, 8, 4, 1024, 25, 14


class RelationLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.k, self.v = (nn.Linear(HIDDEN, HIDDEN) for _ in range(3))
        self.relation_k, self.relation_v = (nn.Embedding(TYPES, HIDDEN // HEADS) for _ in range(2))
        self.norm1, self.norm2 = nn.LayerNorm(HIDDEN), nn.LayerNorm(HIDDEN)
        self.inner, self.outer = nn.Linear(HIDDEN, INNER), nn.Linear(INNER, HIDDEN)
        self.dropout = nn.Dropout(0.1)

    def forward(self, x, relations):
        batch, n, _ = x.shape
        q, k, v = (f(x).view(batch, n, HEADS, -1).transpose(1, 2) for f in (self.q, self.k, self.v))
        rk, rv = self.relation_k(relations), self.relation_v(relations)  # [batch, n, n, d]
        scores = q @ k.transpose(2, 3) + (q.transpose(1, 2) @ rk.transpose(2, 3)).transpose(1, 2)
        a = torch.softmax(scores / (HIDDEN // HEADS) ** 0.5, dim=-1)
        z = a @ v + (a.transpose(1, 2) @ rv).transpose(1, 2)
        y = self.norm1(x + self.dropout(z.transpose(1, 2).reshape(batch, n, HIDDEN)))
        return self.norm2(y + self.dropout(self.outer(self.dropout(F.relu(self.inner(y))))))


class Network(nn.Module):
    def __init__(self, s):
        super().__init__()
        self.s = s
        lstm = lambda: nn.LSTM(s["word"], HIDDEN // 2, bidirectional=True, batch_first=True)
        if "pieces" in s:
            self.bert = bert()
            self.projection = nn.Linear(self.bert.config.hidden_size, HIDDEN)
        else:
            self.words = nn.Embedding(501, s["word"])
            self.question = lstm()
        if s["columns"]:
            if "pieces" not in s:
                self.column, self.table = lstm(), lstm()
            self.layers = nn.ModuleList(RelationLayer() for _ in range(LAYERS))
            self.items = nn.Linear(HIDDEN, ACTION)
            self.pointer = nn.Linear(HIDDEN, HIDDEN)
        self.actions = nn.Embedding(s["rules"] + s["subtokens"] + 3, ACTION)
        self.symbols = nn.Embedding(60, SYMBOL)
        self.cell = nn.LSTMCell(2 * ACTION + SYMBOL + 2 * HIDDEN, HIDDEN)
        self.query, self.key = nn.Linear(HIDDEN, ATTENTION, bias=False), nn.Linear(HIDDEN, ATTENTION)
        self.scorer = nn.Linear(ATTENTION, 1, bias=False)
        self.rule = nn.Sequential(nn.Linear(HIDDEN, HIDDEN), nn.Tanh(), nn.Linear(HIDDEN, s["rules"]))
        self.vocabulary = nn.Linear(HIDDEN, s["subtokens"] + 1)
        self.copying = nn.Linear(HIDDEN, 2 * HIDDEN + FORMS + 1)

    def encode(self, b):
        if "pieces" in self.s:
            states = self.bert(b["pieces"], token_type_ids=b["segments"]).last_hidden_state
            return self.relate(self.projection(b["means"] @ states), b)
        drop = lambda x: x * F.dropout(torch.ones_like(x[:, :1]), 0.2)
        words, _ = self.question(drop(self.words(b["words"])))
        if not self.s["columns"]:
            return words, words
        ends = []
        for module, name in ((self.column, "columns"), (self.table, "tables")):
            rows = b[name].flatten(0, 1)
            _, (h, _) = module(drop(self.words(rows)))
            ends.append(h.transpose(0, 1).reshape(BATCH, -1, HIDDEN))
        return self.relate(torch.cat([*ends, words], dim=1), b)

    def relate(self, x, b):
        for layer in self.layers:
            x = layer(x, b["relations"])
        return x, x[:, -self.s["words"] :]

    def forward(self, b):
        s = self.s
        memory, words = self.encode(b)
        previous, parent_action = self.actions(b["previous"]), self.actions(b["parent_actions"])
        symbol = self.symbols(b["symbols"])
        keys = self.key(memory)
        h, c = memory.new_zeros(BATCH, HIDDEN), memory.new_zeros(BATCH, HIDDEN)
        mask_h = F.dropout(torch.ones_like(h), 0.2)
        mask_c = F.dropout(torch.ones_like(h), 0.2)
        mask_x = F.dropout(memory.new_ones(BATCH, 1, 2 * ACTION + SYMBOL), 0.2)
        embedded = torch.cat([previous, parent_action, symbol], dim=-1) * mask_x
        states, rows = [], torch.arange(BATCH)
        for t in range(s["steps"]):
            a = torch.softmax(self.scorer(torch.tanh(self.query(h).unsqueeze(1) + keys)), dim=1)
            context = (a * memory).sum(1) * mask_c
            if t == 0:
                parent = h
            else:
                parent = torch.stack([states[p][i] for i, p in enumerate(b["parents"][t])])
            x = torch.cat([embedded[:, t], context, parent], dim=-1)
            out, c = self.cell(x, (h, c))
            h = out * mask_h
            states.append(h)
        states = torch.stack(states, dim=1)  # [batch, steps, hidden]
        n_texts, n_items = s["texts"], s["items"]
        loss = 0.0
        texts = states[:, :n_texts]
        generated = torch.log_softmax(self.vocabulary(texts), -1)
        q = self.copying(texts)
        first, last = (part @ words.transpose(1, 2) / HIDDEN**0.5 for part in (q[..., :HIDDEN], q[..., HIDDEN : 2 * HIDDEN]))
        index = lambda scores, which: torch.gather(scores, 2, b[which].unsqueeze(1).expand(-1, n_texts, -1))
        form = q[..., 2 * HIDDEN : -1][..., 3:4]
        copied = torch.log_softmax(index(first, "copy_first") + index(last, "copy_last") + form, -1)
        gate = q[..., -1:]
        ln_p = torch.logaddexp(
            F.logsigmoid(gate) + generated.gather(2, b["subtokens"].unsqueeze(2)),
            F.logsigmoid(-gate) + copied.gather(2, b["copied"].unsqueeze(2)),
        )
        loss = loss - ln_p.sum()
        if n_items:
            scores = self.pointer(states[:, n_texts : n_texts + n_items]) @ memory[:, : s["columns"]].transpose(1, 2) / HIDDEN**0.5
            loss = loss - torch.log_softmax(scores, -1).gather(2, b["items"].unsqueeze(2)).sum()
        logits = self.rule(states[:, n_texts + n_items :]) + b["possible"]
        loss = loss - torch.log_softmax(logits, -1).gather(2, b["accepted"]).mean(2).sum()
        return loss / BATCH


def bert():
    from transformers import BertConfig, BertModel

    sizes = dict(hidden_size=384, num_hidden_layers=6, num_attention_heads=12, intermediate_size=1536)
    model = BertModel(BertConfig(vocab_size=30522, **sizes), add_pooling_layer=False)
    model.embeddings.requires_grad_(False)
    return model


def piece_batch(s, n_elements):
    """Pieces, segments, and for each element the mean over its pieces as a row of weights."""
    if "pieces" not in s:
        return {}
    element = torch.arange(s["pieces"]) * n_elements // s["pieces"]
    means = F.one_hot(element, n_elements).T.float()
    means = (means / means.sum(1, keepdim=True)).expand(BATCH, -1, -1)
    pieces = torch.randint(30522, (BATCH, s["pieces"]))
    return dict(pieces=pieces, segments=(torch.arange(s["pieces"]) > 15).long().expand(BATCH, -1), means=means)


def batch(s):
    r = lambda high, *shape: torch.randint(high, shape)
    n, t = s["columns"] + s["tables"] + s["words"], s["steps"]
    possible = torch.full((s["rules"],), float("-inf"))
    possible[:40] = 0
    parents = [[0] * BATCH] + [r(i, BATCH).tolist() for i in range(1, t)]
    n_rules = t - s["texts"] - s["items"]
    return dict(
        words=r(500, BATCH, s["words"]), columns=r(500, BATCH, s["columns"], 3), tables=r(500, BATCH, s["tables"], 2),
        relations=r(TYPES, BATCH, n, n), previous=r(s["rules"], BATCH, t), parent_actions=r(s["rules"], BATCH, t),
        symbols=r(60, BATCH, t), parents=parents, possible=possible, accepted=r(40, BATCH, n_rules, 2),
        subtokens=r(s["subtokens"], BATCH, s["texts"]), copied=r(s["copies"], BATCH, s["texts"]),
        copy_first=r(s["words"], BATCH, s["copies"]), copy_last=r(s["words"], BATCH, s["copies"]),
        items=r(max(s["columns"], 1), BATCH, s["items"]), **piece_batch(s, n),
    )


def torch_ms(network, optimizer, batches, n_steps):
    """Medians over steps: on the wall's clock, and of all threads."""
    times = []
    for i in range(n_steps + 1):
        start = time.perf_counter(), time.process_time()
        optimizer.zero_grad()
        network(batches[i % len(batches)]).backward()
        optimizer.step()
        times.append((time.perf_counter() - start[0], time.process_time() - start[1]))
    return [statistics.median(column) * 1e3 for column in zip(*times[1:])]


def patois_ms(command, name, threads, n_steps):
    command = [*command, name, str(threads), str(n_steps)]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    wall, cpu = output.split("\t")[2:]
    return [float(wall.split()[0]), float(cpu.split()[1])]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--steps", type=int, default=10)
    parser.add_argument("--shape", choices=SHAPES, help="one of the shapes, instead of all")
    parser.add_argument("--step", help="a compiled bench `step` to run, instead of that of the sources at hand")
    arguments = parser.parse_args()
    command = [arguments.step] if arguments.step else "cargo bench -q -p patois-synthesis --bench step --".split()
    torch.set_num_threads(arguments.threads)
    for name, s in SHAPES.items():
        if arguments.shape not in (None, name):
            continue
        torch.manual_seed(1)
        network = Network(s).train()
        trained = [it for it in network.parameters() if it.requires_grad]
        optimizer = torch.optim.Adam(trained, lr=2.5e-4)
        batches = [batch(s) for _ in range(5)]
        rounds = []
        for _ in range(arguments.rounds):
            theirs = torch_ms(network, optimizer, batches, arguments.steps)
            rounds.append((theirs, patois_ms(command, name, arguments.threads, arguments.steps)))
        print(f"{name}, {arguments.threads} threads, PyTorch {torch.__version__}")
        for index, clock in enumerate(("wall", "cpu")):
            theirs, ours = (statistics.median(it[who][index] for it in rounds) for who in (0, 1))
            ratio = statistics.median(theirs[index] / ours[index] for theirs, ours in rounds)
            print(f"  {clock}: PyTorch {theirs:.1f} ms, patois {ours:.1f} ms, ratio {ratio:.2f}")


main()
