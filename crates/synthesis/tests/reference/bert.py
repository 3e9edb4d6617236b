"""A small BERT with random weights, what it makes of two sequences, and gradients, all by `transformers`.

    python3 bert.py        # torch 2.15, transformers 5.23; writes bert/

The loss is a weighted sum of the last hidden states of both sequences, in double precision, nothing dropped.
"""

import json
from pathlib import Path

import torch
from safetensors.torch import save_file
from transformers import BertConfig, BertModel

PIECES = """[PAD] [UNK] [CLS] [SEP] [MASK] add one to n print ##tal twice count row ##s of the se ##con ##d table
first id text * : , x show it""".split()
SEQUENCES = [
    ([2, 5, 6, 7, 8, 3, 20, 25, 22, 23, 26, 13, 14, 3], 6),
    ([2, 9, 7, 10, 11, 1, 3], 7),
]

torch.manual_seed(3)
folder = Path(__file__).parent / "bert"
folder.mkdir(exist_ok=True)
(folder / "vocab.txt").write_text("\n".join(PIECES) + "\n")
config = BertConfig(
    vocab_size=len(PIECES), hidden_size=8, num_hidden_layers=2, num_attention_heads=2, intermediate_size=12,
    max_position_embeddings=32, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0, attn_implementation="eager",
)
keys = """model_type hidden_act hidden_size num_hidden_layers num_attention_heads intermediate_size layer_norm_eps
max_position_embeddings type_vocab_size vocab_size""".split()
(folder / "config.json").write_text(json.dumps({key: getattr(config, key) for key in keys}, indent=1) + "\n")

model = BertModel(config, add_pooling_layer=False)
with torch.no_grad():
    for name, weight in model.named_parameters():
        scale = 0.2 if "LayerNorm" in name or "bias" in name else 0.6
        weight.normal_(0.0, scale).add_(1.0 if name.endswith("LayerNorm.weight") else 0.0)
save_file({name: it.detach().clone() for name, it in model.named_parameters()}, folder / "model.safetensors")

model = model.double().eval()
expected, loss = {}, 0.0
for index, (pieces, n_first) in enumerate(SEQUENCES):
    segments = [int(it >= n_first) for it in range(len(pieces))]
    states = model(torch.tensor([pieces]), token_type_ids=torch.tensor([segments])).last_hidden_state[0]
    weights = torch.rand(states.shape, dtype=torch.float64) * 2 - 1
    loss = loss + (states * weights).sum()
    expected[f"states.{index}"], expected[f"weights.{index}"] = states.detach(), weights
names, parameters = zip(*model.named_parameters())
for name, gradient in zip(names, torch.autograd.grad(loss, parameters)):
    expected[f"gradients.{name}"] = gradient
save_file({name: it.float().contiguous() for name, it in expected.items()}, folder / "expected.safetensors")
