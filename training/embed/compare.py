"""Prints a model's results on the evaluation sets by which designs are chosen, in one line."""
from __future__ import annotations

import time
from pathlib import Path

from . import evaluate

DOCUMENTATION = ("choosing", "final", "oblique", "unseen")
WRITTEN = ("choosing", "final", "unseen")
SEED = 7


class Sets:
    """The evaluation sets. Those about documentation need a ``checkout``. ``final`` and ``unseen`` were evaluated before,
    so they no longer measure unseen data and may be used to choose a design."""

    def __init__(self, checkout: Path | None) -> None:
        self.searches = {} if checkout is None else {
            f"{name[:5]}@{{}}": evaluate.documentation(f"questions-{name}.tsv", checkout) for name in DOCUMENTATION
        }
        self.searches["corpus@{}"] = evaluate.corpus(SEED)
        self.triples = {"made": evaluate.made_triples(SEED), **{f"{name[:5]}": evaluate.written_triples(f"triples-{name}.tsv") for name in WRITTEN}}

    def shares(self, embed: evaluate.Embed) -> dict[str, float]:
        found = {}
        for name, search in self.searches.items():
            ranks = evaluate.recall(embed, *search)[1]
            for most in (5, 1):
                found[name.format(most)] = sum(rank <= most for rank in ranks) / len(ranks)
        for name, triples in self.triples.items():
            found[f"triples {name}"] = evaluate.told_apart(embed, triples)[0]
        return found

    def show(self, title: str, model, tokenizer, dimensions: int = 0) -> None:
        began = time.time()
        shares = self.shares(evaluate.embedder(model, tokenizer, dimensions))
        print(f"{title:24} " + "  ".join(f"{name} {100 * share:.1f}" for name, share in shares.items()) + f"  ({time.time() - began:.0f} s)", flush=True)
