"""Outputs and gradients of every layer, computed by PyTorch with plain operations, in double precision.

    python3 make.py > values.json        # torch 2.9

Each case lists the inputs, the weights of a sum over the outputs (the loss), the outputs, and the loss's gradients
with respect to the inputs. Nothing here is shared with the layers that are checked.
"""

import json

import torch

torch.manual_seed(7)
torch.set_default_dtype(torch.float64)


def draw(*shape):
    return (torch.rand(*shape) * 2 - 1).requires_grad_()


def numbers(tensor):
    return {"shape": list(tensor.shape), "values": [float(f"{x:.9g}") for x in tensor.detach().flatten().tolist()]}


def case(inputs, output):
    weights = torch.rand(output.shape) * 2 - 1
    gradients = torch.autograd.grad((output * weights).sum(), inputs)
    return {
        "inputs": [numbers(x) for x in inputs],
        "weights": numbers(weights),
        "output": numbers(output),
        "gradients": [numbers(x) for x in gradients],
    }


def linear():
    x, weight, bias = draw(5, 4), draw(4, 7), draw(1, 7)
    return case([x, weight, bias], torch.nn.functional.linear(x, weight.T, bias[0]))


def tanh():
    x = draw(3, 5)
    return case([x], torch.tanh(x * 1))


def layer_norm():
    x, gain, bias = draw(4, 6), draw(1, 6), draw(1, 6)
    return case([x, gain, bias], torch.nn.functional.layer_norm(x, [6], gain[0], bias[0]))


def lstm():
    """torch.nn.LSTM over packed sequences of lengths 4, 2, 2. Its input weights are the identity, so that the
    inputs are what the layer calls gates; rows come step by step, as in a packed sequence."""
    size, lengths = 3, [4, 2, 2]
    rows, weight = draw(sum(lengths), 4 * size), draw(size, 4 * size)
    module = torch.nn.LSTM(4 * size, size, bias=False)
    batch_sizes = torch.tensor([sum(l > t for l in lengths) for t in range(max(lengths))])

    def run(rows, weight):
        packed = torch.nn.utils.rnn.PackedSequence(rows, batch_sizes)
        parameters = {"weight_ih_l0": torch.eye(4 * size), "weight_hh_l0": weight.T}
        output, _ = torch.func.functional_call(module, parameters, (packed,))
        return output.data

    return case([rows, weight], run(rows, weight))


def attend():
    """Relation-aware attention with a vector for every pair, as it is written in the paper."""
    heads, d, types = 2, 3, 4
    groups = [(0, 4), (4, 7)]
    projected, keys, values = draw(7, 3 * heads * d), draw(types, d), draw(types, d)
    outputs, relations = [], []
    for start, end in groups:
        n = end - start
        relation = torch.randint(types, (n, n))
        relations.append(relation.flatten().tolist())
        q, k, v = (projected[start:end, i * heads * d : (i + 1) * heads * d].view(n, heads, d) for i in range(3))
        pair_keys, pair_values = keys[relation], values[relation]  # [n, n, d]
        scores = torch.einsum("ihd,ijhd->hij", q, k[None] + pair_keys[:, :, None]) / d**0.5
        a = torch.softmax(scores, dim=-1)
        outputs.append(torch.einsum("hij,ijhd->ihd", a, v[None] + pair_values[:, :, None]).reshape(n, heads * d))
    result = case([projected, keys, values], torch.cat(outputs))
    result["relations"] = relations
    return result


def decode():
    """The decoder's recurrence, one example and one step at a time, with torch.nn.LSTMCell. The inputs are those
    of the layer: contributions to the gates, contributions of the elements, keys, one weight for everything that a
    state contributes, and the weights of attention."""
    size, attention = 3, 4
    lengths, parents = [4, 2], [[None, 0, 0, 2], [None, 0]]
    elements = [(0, 3), (3, 5)]
    masks = torch.tensor([[1.25, 0.0, 1.25], [1.25, 1.25, 1.25]])
    rows = [[0, 2, 4, 5], [1, 3]]
    gates, contributed, keys = draw(6, 4 * size), draw(5, 4 * size), draw(5, attention)
    weight, scorer = draw(size, 8 * size + attention), draw(1, attention)
    cell = torch.nn.LSTMCell(4 * size, size, bias=False)
    eye, none = torch.eye(4 * size), torch.zeros(4 * size, size)
    output = [None] * 6
    for example, length in enumerate(lengths):
        states, h, c = [], torch.zeros(size), torch.zeros(1, size)
        start, end = elements[example]
        for step in range(length):
            query = h @ weight[:, 8 * size :]
            a = torch.softmax(torch.tanh(query + keys[start:end]) @ scorer[0], dim=0)
            total = gates[rows[example][step]] + h @ weight[:, : 4 * size] + a @ contributed[start:end]
            parent = parents[example][step]
            if parent is not None:
                total = total + states[parent] @ weight[:, 4 * size : 8 * size]
            parameters = {"weight_ih": eye, "weight_hh": none}
            state, c = torch.func.functional_call(cell, parameters, (total[None], (torch.zeros(1, size), c)))
            output[rows[example][step]] = state[0]
            h = state[0] * masks[example]
            states.append(h)
    return case([gates, contributed, keys, weight, scorer], torch.stack(output))


def rules():
    logits = draw(3, 6)
    choices = [(0, [0, 2, 5], [1]), (1, [1, 3], [0, 1]), (2, [0, 1, 2, 3, 4, 5], [4])]
    output = []
    for row, possible, asked in choices:
        allowed = torch.full((6,), float("-inf")).index_fill(0, torch.tensor(possible), 0.0)
        ln_p = torch.log_softmax(logits[row] + allowed, dim=0)
        output += [ln_p[possible[i]] for i in asked]
    return case([logits], torch.stack(output)[:, None])


def items():
    queries, rows = draw(2, 4), draw(5, 4)
    scores = queries @ rows.T / 2.0
    output = torch.stack([torch.log_softmax(scores[0, 1:5], 0)[3], torch.log_softmax(scores[1, 0:3], 0)[1]])
    return case([queries, rows], output[:, None])


def texts():
    """Copies: word 0 alone and form 0, words 0 to 2 and form 1, word 2 alone and form 0; words are rows 1 to 3.
    Row 0 is piece 3, not copied; row 1 is copy 1 only; row 2 is piece 0 and copies 0 and 2."""
    size, forms = 3, 2
    vocabulary, copying, words = draw(3, 5), draw(3, 2 * size + forms + 1), draw(4, size)
    copies = [(0, 0, 0), (0, 2, 1), (2, 2, 0)]
    output = []
    for row, piece, copied in [(0, 3, []), (1, None, [1]), (2, 0, [0, 2])]:
        q = copying[row]
        first, last, form, gate = q[:size], q[size : 2 * size], q[2 * size : -1], q[-1]
        own = words[1:4]
        scores = torch.stack([(first @ own[f] + last @ own[l]) / size**0.5 + form[k] for f, l, k in copies])
        p = (1 - torch.sigmoid(gate)) * torch.softmax(scores, 0)[copied].sum()
        if piece is not None:
            p = p + torch.sigmoid(gate) * torch.softmax(vocabulary[row], 0)[piece]
        output.append(torch.log(p))
    return case([vocabulary, copying, words], torch.stack(output)[:, None])


def optimizer(make):
    x = draw(2, 3)
    start = numbers(x)
    gradients = [torch.rand(2, 3) * 2 - 1 for _ in range(4)]
    optimizer = make([x])
    for gradient in gradients:
        x.grad = gradient.clone()
        optimizer.step()
    return {"start": start, "gradients": [numbers(g) for g in gradients], "end": numbers(x)}


def adam(parameters):
    return torch.optim.Adam(parameters, lr=2.5e-4, betas=(0.9, 0.999), eps=1e-9)


def adadelta(parameters):
    return torch.optim.Adadelta(parameters, lr=1.0, rho=0.95, eps=1e-6)


layers = [linear, tanh, layer_norm, lstm, attend, decode, rules, items, texts]
print(json.dumps({
    "layers": {f.__name__: f() for f in layers},
    "optimizers": {f.__name__: optimizer(f) for f in [adam, adadelta]},
}))
