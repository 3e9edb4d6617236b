"""Scores pairs of programs with NLTK 3.10.4, for `bleu.rs` to agree with.

pip install nltk==3.10.4; python reference.py > reference.json
"""

import json
import re

from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu, sentence_bleu

CARD = '''class MarkOfTheWild(SpellCard):
    def __init__(self):
        super().__init__("Mark of the Wild", 2, CHARACTER_CLASS.DRUID, CARD_RARITY.FREE)

    def use(self, player, game):
        super().use(player, game)
        self.target.change_attack(2)
        self.target.increase_health(2)
'''
CHANGED = CARD.replace("2", "3").replace("SpellCard", "MinionCard").replace("target", "player")
SHORTER = "\n".join(CARD.splitlines()[:3])

# Gold, predicted.
PAIRS = [
    ("", ""),
    (CARD, ""),
    ("", CARD),
    (CARD, CARD),
    ("x", "x"),
    ("x", "y"),
    ("x y", "x y"),
    ("x y z", "x y z"),
    ("x y z w", "x y z w"),
    ("return", "return value"),
    ("return value", "return"),
    ("a b c d e f g h", "i j k l m n o p"),
    ("a b c d e f g h", "h g f e d c b a"),
    ("a b c d e f g h", "a b x c d y e f"),
    ("a b c d e f g h", "a b c x d e f y"),
    ("a b c", "a b c d e f g h"),
    ("a a a b", "a a a a a a"),
    ("a b", "a a a a b b b b"),
    (CARD, CHANGED),
    (CHANGED, CARD),
    (CARD, SHORTER),
    (SHORTER, CARD),
    (CARD, "pass"),
    ("x = 'a'", 'x = "a"'),
    ("camelCaseName_of_HTTPThing42x", "camel CaseName_of_HTTPThing42x"),
    ("é = 'ß\u3000→'\t\x1f\u00a0z", "é = 'ß →'\r\nz\u2028z"),
    ("$3 damage.", "$4 damage."),
]


def tokens(code):
    code = re.sub(r"([^A-Za-z0-9_])", r" \1 ", code)
    code = re.sub(r"([a-z])([A-Z])", r"\1 \2", code)
    code = re.sub(r"\s+", " ", code)
    code = code.replace('"', "`").replace("'", "`")
    return [token for token in code.split(" ") if token]


def sentence(gold, predicted):
    gold, predicted = tokens(gold), tokens(predicted)
    if not predicted:
        return 0.0
    weights = [0.25] * min(4, len(predicted))
    smoothing = SmoothingFunction().method3
    return float(sentence_bleu([gold], predicted, weights, smoothing))


def corpus(pairs):
    golds = [[tokens(gold)] for gold, _ in pairs]
    predicted = [tokens(predicted) for _, predicted in pairs]
    smoothing = SmoothingFunction().method3
    return float(corpus_bleu(golds, predicted, [0.25] * 4, smoothing))


print(
    json.dumps(
        {
            "pairs": [
                {
                    "gold": gold,
                    "predicted": predicted,
                    "tokens": tokens(predicted),
                    "sentence": sentence(gold, predicted),
                    "alone": corpus([(gold, predicted)]),
                }
                for gold, predicted in PAIRS
            ],
            # The first pairs, ever more of them.
            "corpora": [corpus(PAIRS[: n + 1]) for n in range(len(PAIRS))],
        },
        indent=1,
    )
)
