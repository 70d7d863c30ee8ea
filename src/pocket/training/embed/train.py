"""Contrastive training: each query has to find its own text among all texts of the batch.

    python -m embed.train --tokenizer tokenizer.json --out run --seconds 1000
"""
from __future__ import annotations

import argparse
import math
import random
import time
from collections import Counter
from pathlib import Path

import torch
import torch.nn.functional as F
from tokenizers import Tokenizer
from torch import Tensor

from model import Shape

from . import evaluate, pairs, thesaurus, tokenizer as tokenization
from .encoder import Encoder, padded
from .package import load_package, write_package

#: The whole vectors, and the lengths to which a client may cut them.
DIMENSIONS = (512, 256, 128)
MOST_TOKENS = 224
#: How often a pair is trained on before others are made.
USES = 3


class Pool:
    """Pairs that are made and cut into tokens ahead, which costs as much as training on them a few times."""

    def __init__(self, source: pairs.Source, tokenizer: Tokenizer, count: int, seed: int) -> None:
        made = pairs.batch(source, random.Random(seed), count)
        groups = {group: number for number, group in enumerate(sorted({pair.group for pair in made}))}
        self.groups = torch.tensor([groups[pair.group] for pair in made])
        self.has_near_miss = torch.tensor([pair.near_miss is not None for pair in made])
        texts = ([pair.query for pair in made], [pair.found for pair in made], [pair.near_miss or "" for pair in made])
        self.parts = [padded([encoding.ids for encoding in tokenizer.encode_batch(part)], MOST_TOKENS) for part in texts]

    def batch(self, rows: Tensor) -> list[tuple[Tensor, Tensor]]:
        """Query, found text and near miss of these rows, the last only where there is one."""
        chosen = []
        for (ids, mask), which in zip(self.parts, (rows, rows, rows[self.has_near_miss[rows]])):
            longest = int(mask[which].sum(1).max())
            chosen.append((ids[which, :longest], mask[which, :longest]))
        return chosen


def initial_weights(model: Encoder, source: pairs.Source, encode: Tokenizer, kinship: float) -> None:
    """Before any training: TF-IDF folded into few columns, where words that may stand for each other are alike.

    A token is as long as it is telling. Its direction is its own, and to a part that of the thesaurus lines and
    topics it belongs to.
    """
    texts = [*source.documents, *source.remarks, *(pair.found for pair in pairs.batch(source, random.Random(5), 4000))]
    seen = Counter(token for encoding in encode.encode_batch(texts) for token in set(encoding.ids))
    rare = math.log(1 + len(texts))
    weights = torch.tensor([math.log((1 + len(texts)) / (1 + seen[token])) / rare for token in range(model.shape.vocab_size)])
    size = model.shape.hidden_size
    shared = torch.zeros(model.shape.vocab_size, size)
    lines = [(line, 1.0) for section in ("verbs", "nouns", "adjectives") for line in thesaurus.sections()[section]]
    lines += [(words, 0.5) for words in thesaurus.topics().values()]
    for words, strength in lines:
        direction = F.normalize(torch.randn(size), dim=0) * strength
        tokens = {token for word in words for token in _telling(encode, word)}
        shared[list(tokens)] += direction
    shared /= shared.norm(dim=1, keepdim=True).clamp(min=1)
    with torch.no_grad():
        own = F.normalize(model.embedding.weight, dim=-1)
        model.embedding.weight.copy_(F.normalize(own + kinship * shared, dim=-1) * (0.05 + weights[:, None]))


def _telling(encode: Tokenizer, phrase: str) -> list[int]:
    """The first token of each word of a phrase that is not a little one."""
    words = [word for word in phrase.split() if word not in pairs.LITTLE] or phrase.split()
    return [encode.encode(word).ids[0] for word in words]


def widened(model: Encoder, package: Path) -> None:
    """Puts the embedding of a narrower trained model in front; the other columns stay as they were before training."""
    trained = load_package(package)[0].embedding.weight.detach()
    with torch.no_grad():
        weight = model.embedding.weight
        own = weight[:, trained.shape[1] :].norm(dim=1).mean() if trained.shape[1] < weight.shape[1] else 1
        weight.mul_(0.5 * trained.norm(dim=1).mean() / own)
        weight[:, : trained.shape[1]] = trained


def loss_of(query: Tensor, found: Tensor, near: Tensor, near_rows: Tensor, groups: Tensor, sizes: tuple[int, ...], scale: float) -> Tensor:
    """How badly the right text stands out, for each length of vector that a client may use."""
    same = (groups[:, None] == groups[None, :]) & ~torch.eye(len(groups), dtype=torch.bool, device=groups.device)
    right = torch.arange(len(groups), device=groups.device)
    total = query.new_zeros(())
    for size in sizes:
        q, f, n = (F.normalize(vectors[:, :size], dim=-1) for vectors in (query, found, near))
        scores = (q @ f.T * scale).masked_fill(same, -1e4)
        # A near miss is a negative for its own query, and for all others like any text.
        total = total + F.cross_entropy(torch.cat([scores, q @ n.T * scale], 1), right)
        margin = ((q[near_rows] * n).sum(1) - (q[near_rows] * f[near_rows]).sum(1)) * scale
        total = total + F.softplus(margin).mean()
    return total / len(sizes)


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--tokenizer", type=Path, required=True)
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--seconds", type=float, default=1000)
    options.add_argument("--size", type=int, default=512, help="pairs in a batch")
    options.add_argument("--pool", type=int, default=8_000, help="pairs made ahead")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--hidden", type=int, default=DIMENSIONS[0])
    options.add_argument("--bits", type=int, default=4, choices=[4, 8])
    options.add_argument("--start", type=Path, help="package of a trained model without layers to go on from, of as many columns or fewer")
    options.add_argument("--average", action="store_true", help="publish the mean of the weights before and after this run")
    options.add_argument("--layers", type=int, default=0)
    options.add_argument("--kinship", type=float, default=1.0, help="how alike words of one thesaurus line begin")
    options.add_argument("--rate", type=float, default=2e-3)
    args = options.parse_args()
    torch.manual_seed(args.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    source, tokenizer = pairs.Source(), tokenization.load(args.tokenizer)
    shape = Shape(vocab_size=(tokenizer.get_vocab_size() + 63) // 64 * 64, hidden_size=args.hidden, num_hidden_layers=args.layers,
                  num_attention_heads=4, num_key_value_heads=4, head_dim=32, intermediate_size=256)
    model = Encoder(shape)
    initial_weights(model, source, tokenizer, args.kinship)
    if args.start:
        widened(model, args.start)
    with torch.no_grad():
        little = sorted({token for word in pairs.LITTLE for token in tokenizer.encode(word).ids})
        model.embedding.weight[little] *= 0.4
    model.to(device).train()
    first = {name: value.detach().float().cpu().clone() for name, value in model.state_dict().items()}
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.rate, betas=(0.9, 0.98), weight_decay=0.0, fused=True)
    began, step, saved = time.time(), 0, time.time()

    def save() -> None:
        same = Encoder(shape)
        same.load_state_dict({name: value.detach().float().cpu() for name, value in model.state_dict().items()})
        write_package(same, args.tokenizer, args.out, args.bits)

    while (gone := (time.time() - began) / args.seconds) < 1:
        if step % (USES * args.pool // args.size) == 0:
            pool = Pool(source, tokenizer, args.pool, args.seed * 1000 + step)
        optimizer.param_groups[0]["lr"] = args.rate * min(1, (step + 1) / 20) * (1 if gone < 0.3 else (1 - gone) / 0.7)
        optimizer.zero_grad()
        rows = torch.randint(args.pool, (args.size,))
        vectors = [model.summed(ids.to(device), mask.to(device)) for ids, mask in pool.batch(rows)]
        near_rows = pool.has_near_miss[rows].nonzero()[:, 0]
        sizes = (args.hidden, DIMENSIONS[1 + step % 2])
        loss = loss_of(*vectors, near_rows.to(device), pool.groups[rows].to(device), sizes, 20)
        loss.backward()
        optimizer.step()
        step += 1
        if step % 50 == 0:
            print(f"step {step} {time.time() - began:.0f} s loss {loss.item():.3f}", flush=True)
        if time.time() - saved > 60:
            save()
            saved = time.time()
    if args.average:
        last = model.state_dict()
        model.load_state_dict({name: (value + last[name].cpu()) / 2 for name, value in first.items()})
    save()
    print(f"{step} steps", flush=True)
    packed, encode = load_package(args.out)
    for dimensions in DIMENSIONS:
        print(f"{dimensions} numbers", flush=True)
        evaluate.show(evaluate.report(evaluate.embedder(packed, encode, dimensions), 7, "choosing"))


if __name__ == "__main__":
    main()
