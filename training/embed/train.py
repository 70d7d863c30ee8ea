"""Contrastive training: each query must find its own text among all texts of the batch.

    python -m embed.train --tokenizer tokenizer.json --out runs --seconds 1000 --designs sum,narrow

Several designs are trained on the same batches. Each is written as a package into a folder of its name.
Uses a GPU if there is one.
"""
from __future__ import annotations

import argparse
import math
import random
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import torch
import torch.nn.functional as F
from tokenizers import Tokenizer
from torch import Tensor

from model import Shape
from weights import read_weights

from . import compare, pairs, thesaurus, tokenizer as tokenization
from .encoder import Encoder
from .generators import Batch, Generators
from .package import GROUP, load_package, write_package

#: Lengths to which clients may truncate vectors.
CUTS = (256, 128)
#: Limits in tokens of the groups of texts that are padded to the same length.
BUCKETS = (12, 32, 96, 224)
SCALE = 20.0


@dataclass(frozen=True)
class Design:
    """A network to train. ``bits`` is the size of a packed weight; each of the ``heads`` has 32 columns."""

    columns: int
    bits: int
    layers: int = 0
    heads: int = 2
    intermediate: int = 64
    #: Name of the package in ``--starts`` with the initial weights. Default: random weights.
    start: str = ""
    #: Highest learning rates.
    embedding_rate: float = 2e-3
    layer_rate: float = 1e-3
    #: Weight of an additional loss on the sum of the token embeddings alone, which keeps that sum useful without layers.
    without_layers: float = 0.0
    #: Share of the tokens that are dropped from a text, so that the vector does not depend on a single word.
    left_out: float = 0.0

    def shape(self, vocabulary: int) -> Shape:
        return Shape(vocab_size=vocabulary, hidden_size=self.columns, num_hidden_layers=self.layers, num_attention_heads=self.heads,
                     num_key_value_heads=self.heads, head_dim=32, intermediate_size=self.intermediate)


DESIGNS = {
    "sum": Design(512, 4),
    "middle": Design(384, 4, layers=1, without_layers=0.3, left_out=0.15),
    "again": Design(384, 4, layers=1, start="middle", embedding_rate=4e-4, layer_rate=4e-4, without_layers=0.3, left_out=0.15),
    "far-again": Design(384, 4, layers=1, start="middle", embedding_rate=1e-3, layer_rate=7e-4, without_layers=0.3, left_out=0.3),
    "near-again": Design(384, 4, layers=1, start="middle", embedding_rate=1e-3, layer_rate=7e-4, without_layers=0.1, left_out=0.15),
}


def initial_weights(model: Encoder, source: pairs.Source, encode: Tokenizer, kinship: float) -> None:
    """Initializes the embedding like TF-IDF, folded into few columns, with similar vectors for synonyms.

    The length of a token's vector grows with the token's rarity. Its direction is partly random and partly shared
    within the thesaurus lines and topics that contain it.
    """
    texts = [*source.texts, *(pair.found for pair in pairs.batch(source, random.Random(5), 4000))]
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
    little = sorted({token for word in pairs.LITTLE for token in encode.encode(word).ids})
    with torch.no_grad():
        own = F.normalize(model.embedding.weight, dim=-1)
        model.embedding.weight.copy_(F.normalize(own + kinship * shared, dim=-1) * (0.05 + weights[:, None]))
        model.embedding.weight[little] *= 0.4


def _telling(encode: Tokenizer, phrase: str) -> list[int]:
    """Returns the first token of each content word of a phrase."""
    words = [word for word in phrase.split() if word not in pairs.LITTLE] or phrase.split()
    return [encode.encode(word).ids[0] for word in words]


def as_packed(weight: Tensor, bits: int) -> Tensor:
    """Returns a matrix with the rounding of the packed weights (see quantise.py)."""
    most = 2 ** (bits - 1) - 1
    grouped = weight.reshape(weight.shape[0], -1, GROUP)
    scales = (grouped.abs().amax(-1, keepdim=True) / most).clamp(min=1e-12)
    return ((grouped / scales).round().clamp(-most, most) * scales).reshape(weight.shape)


class Texts:
    """The texts of a batch on the device, grouped by length."""

    def __init__(self, batch: Batch, device: torch.device) -> None:
        lengths = torch.from_numpy(batch.lengths).long()
        tokens = torch.from_numpy(batch.tokens).to(device).long()
        starts = (lengths.cumsum(0) - lengths).to(device)
        self.count, self.pairs = len(lengths), len(batch.groups)
        self.buckets: list[tuple[Tensor, Tensor, Tensor]] = []
        shorter = 0
        for most in BUCKETS:
            which = ((lengths > shorter) & (lengths <= most)).nonzero()[:, 0]
            shorter = most
            if len(which):
                places = torch.arange(int(lengths[which].max()), device=device)
                which, length = which.to(device), lengths[which].to(device)
                mask = places < length[:, None]
                ids = tokens[(starts[which][:, None] + places).clamp(max=len(tokens) - 1)]
                self.buckets.append((which, ids.masked_fill(~mask, 0), mask))
        self.groups = torch.from_numpy(batch.groups).to(device)
        self.near_rows = torch.from_numpy(batch.near_rows).to(device)
        # Tokens may be dropped only from pairs without a near miss, because a near miss may differ in a single word.
        self.may_lose = torch.ones(self.count, dtype=torch.bool, device=device)
        self.may_lose[2 * self.pairs :] = False
        self.may_lose[self.near_rows] = False
        self.may_lose[self.pairs + self.near_rows] = False

    def vectors(self, model: Encoder, left_out: float, without_layers: bool = False) -> tuple[Tensor, Tensor, Tensor]:
        """Returns the vectors of the queries, the found texts and the near misses, not normalized."""
        order = torch.cat([which for which, _, _ in self.buckets])
        masks = [mask for _, _, mask in self.buckets]
        if left_out:
            for number, (which, _, mask) in enumerate(self.buckets):
                lost = (torch.rand(mask.shape, device=mask.device) < left_out) & self.may_lose[which][:, None]
                lost[:, 0] = False
                masks[number] = mask & ~lost
        summed = torch.cat([model.summed(ids, mask, without_layers).float() for (_, ids, _), mask in zip(self.buckets, masks)])
        every = torch.zeros_like(summed).index_copy(0, order, summed)
        return every[: self.pairs], every[self.pairs : 2 * self.pairs], every[2 * self.pairs :]


def loss_of(query: Tensor, found: Tensor, near: Tensor, texts: Texts, sizes: tuple[int, ...], near_misses: bool = True) -> Tensor:
    """Returns the contrastive loss, averaged over the vector lengths in ``sizes``."""
    right = torch.arange(texts.pairs, device=query.device)
    same = (texts.groups[:, None] == texts.groups[None, :]).fill_diagonal_(False)
    total = query.new_zeros(())
    for size in sizes:
        q, f, n = (F.normalize(vectors[:, :size], dim=-1) for vectors in (query, found, near))
        scores = (q @ f.T * SCALE).masked_fill(same, -1e4)
        if not near_misses:
            total = total + F.cross_entropy(scores, right)
            continue
        # All queries use a near miss as a negative. For its own query, the margin below compares it once more.
        total = total + F.cross_entropy(torch.cat([scores, q @ n.T * SCALE], 1), right)
        margin = ((q[texts.near_rows] * n).sum(1) - (q[texts.near_rows] * f[texts.near_rows]).sum(1)) * SCALE
        total = total + F.softplus(margin).mean()
    return total / len(sizes)


class Training:
    """The training of one design."""

    def __init__(self, name: str, model: Encoder, device: torch.device) -> None:
        self.name, self.design, self.bits, self.device = name, DESIGNS[name], DESIGNS[name].bits, device
        self.model = model.to(device).train()
        self.matrices = [parameter for parameter in model.parameters() if parameter.dim() == 2]
        layers = [parameter for key, parameter in model.named_parameters() if key != "embedding.weight"]
        groups = [{"params": [model.embedding.weight], "base": self.design.embedding_rate}, *([{"params": layers, "base": self.design.layer_rate}] if layers else [])]
        self.optimizer = torch.optim.AdamW(groups, lr=1.0, betas=(0.9, 0.98), weight_decay=0.0, fused=True)

    def learn(self, texts: Texts, cut: int, factor: float, packed: bool) -> Tensor:
        """Makes one step. ``packed``: the loss is computed with rounded weights, but the step changes the exact ones."""
        for group in self.optimizer.param_groups:
            group["lr"] = group["base"] * factor
        exact = [parameter.data for parameter in self.matrices]
        if packed:
            for parameter in self.matrices:
                parameter.data = as_packed(parameter.data, self.bits)
        with torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=self.device.type == "cuda" and len(self.model.layers) > 0):
            vectors = texts.vectors(self.model, self.design.left_out)
        sizes = (self.model.shape.hidden_size, cut)
        loss = loss_of(*vectors, texts, sizes)
        if self.design.without_layers:
            plain = loss_of(*texts.vectors(self.model, self.design.left_out, True), texts, sizes, near_misses=False)
            loss = loss + self.design.without_layers * plain
        loss.backward()
        for parameter, data in zip(self.matrices, exact):
            parameter.data = data
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        return loss.detach()

    def save(self, tokenizer: Path, folder: Path) -> Path:
        same = Encoder(self.model.shape)
        same.load_state_dict({name: value.detach().float().cpu() for name, value in self.model.state_dict().items()})
        write_package(same, tokenizer, folder / self.name, self.bits)
        return folder / self.name


def begin_with(model: Encoder, folder: Path) -> None:
    """Loads the weights of a package. If the shape differs, loads only the embedding, rotated to its principal components."""
    config, weights = read_weights(folder)
    same = {key: torch.from_numpy(value) for key, value in weights.items()}
    if all(key in same and same[key].shape == value.shape for key, value in model.state_dict().items()):
        model.load_state_dict(same)
        return
    embedding = same["embedding.weight"]
    directions = torch.linalg.svd(embedding, full_matrices=False).Vh
    with torch.no_grad():
        model.embedding.weight.copy_(embedding @ directions[: model.shape.hidden_size].T)


def factor_of(gone: float, step: int) -> float:
    """Returns the factor of the learning rates: warm-up, constant, then linear decay to 0."""
    return min(1, (step + 1) / 60, (1 - gone) / 0.7)


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--tokenizer", type=Path, required=True)
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--seconds", type=float, default=1000, help="of training; start and evaluation come on top")
    options.add_argument("--designs", default="sum", help=f"with commas between: {', '.join(DESIGNS)}")
    options.add_argument("--starts", type=Path, default=Path("start"), help="folder of the packages that designs begin with")
    options.add_argument("--size", type=int, default=512, help="pairs in a batch")
    options.add_argument("--generators", type=int, default=0, help="processes that make pairs; 0: the training does it itself")
    options.add_argument("--looks", type=int, default=3, help="how often the designs are compared, and written, on the way")
    options.add_argument("--packed-from", type=float, default=0.4, help="share of the time from which on the loss is that of packed weights")
    options.add_argument("--kinship", type=float, default=1.0, help="how alike words of one thesaurus line begin")
    options.add_argument("--documents", type=Path, help="checkout of the commit that the evaluation's questions are about, see README.md")
    options.add_argument("--seed", type=int, default=1)
    args = options.parse_args()
    torch.manual_seed(args.seed)
    torch.set_float32_matmul_precision("high")
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    generators = Generators(args.tokenizer, args.seed, args.size, args.generators)
    source, tokenizer = pairs.Source(), tokenization.load(args.tokenizer)
    trainings = []
    for name in args.designs.split(","):
        model = Encoder(DESIGNS[name].shape((tokenizer.get_vocab_size() + 63) // 64 * 64))
        initial_weights(model, source, tokenizer, args.kinship)
        if DESIGNS[name].start:
            begin_with(model, args.starts / DESIGNS[name].start)
        trainings.append(Training(name, model, device))
    sets = compare.Sets(args.documents)
    began = time.time()
    step, looks = 0, 0
    while trainings and (gone := (time.time() - began) / args.seconds) < 1:
        texts = Texts(generators.take(), device)
        losses: dict[str, Tensor] = {}
        for training in list(trainings):
            try:
                losses[training.name] = training.learn(texts, CUTS[step % 2], factor_of(gone, step), gone > args.packed_from)
            except RuntimeError as failure:
                # For example if memory runs out. The other designs continue.
                print(f"{training.name} is left out: {failure}", flush=True)
                trainings.remove(training)
        step += 1
        if step % 50 == 0 or step == 1:
            print(f"step {step} {time.time() - began:.0f} s loss {' '.join(f'{loss.item():.3f}' for loss in losses.values())}", flush=True)
        if gone * (args.looks + 1) > looks + 1:
            looks += 1
            for training in trainings:
                sets.show(f"{training.name} {100 * gone:.0f} %", training.model, tokenizer)
                training.save(args.tokenizer, args.out / f"look-{looks}")
    generators.close()
    print(f"{step} steps", flush=True)
    for training in trainings:
        packed, encode = load_package(training.save(args.tokenizer, args.out))
        for dimensions in (0, *CUTS):
            sets.show(f"{training.name}, packed, {dimensions or 'all'}", packed.to(device), encode, dimensions)


if __name__ == "__main__":
    main()
