"""Turns an endless stream of generated conversations into batches of similar length."""
from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch
from tokenizers import Tokenizer
from torch import Tensor

import template
from corpus.mixture import conversation, long_conversation
from corpus.sample import Conversation
from corpus.tools import with_tools

POOL = 1200


@dataclass
class Batch:
    """A batch of conversations. ``targets`` are the tokens that the assistant writes, and ``places`` the flat positions
    before them."""

    tokens: Tensor
    places: Tensor
    targets: Tensor
    used: int


def pack(samples: list[tuple[list[int], list[bool]]], multiple: int = 8) -> Batch:
    longest = max(len(ids) for ids, _ in samples) - 1
    length = -(-longest // multiple) * multiple
    tokens = torch.zeros(len(samples), length, dtype=torch.long)
    places: list[int] = []
    targets: list[int] = []
    for row, (ids, own) in enumerate(samples):
        tokens[row, : len(ids) - 1] = torch.tensor(ids[:-1])
        for at in range(1, len(ids)):
            if own[at]:
                places.append(row * length + at - 1)
                targets.append(ids[at])
    return Batch(tokens, torch.tensor(places), torch.tensor(targets), sum(len(ids) for ids, _ in samples))


def everyday(tokenizer: Tokenizer, seed: int, tokens_per_batch: int) -> Iterator[Batch]:
    """Yields shuffled batches of everyday conversations. The conversations of a batch have similar lengths."""
    return sorted_batches(tokenizer, seed, tokens_per_batch, conversation, POOL, 368)


def agents(tokenizer: Tokenizer, seed: int, tokens_per_batch: int) -> Iterator[Batch]:
    """Yields batches of conversations with tools. These are longer, and a smaller part of them is written by the
    assistant."""
    return sorted_batches(tokenizer, seed, tokens_per_batch, with_tools, POOL // 3, 1400)


def sorted_batches(
    tokenizer: Tokenizer, seed: int, tokens_per_batch: int, make: Callable[[random.Random], Conversation], count: int, longest: int
) -> Iterator[Batch]:
    rng = random.Random(seed)
    while True:
        pool = [template.encode(tokenizer, make(rng).messages) for _ in range(count)]
        pool = sorted((sample for sample in pool if len(sample[0]) <= longest), key=lambda sample: len(sample[0]))
        batches: list[list[tuple[list[int], list[bool]]]] = [[]]
        for sample in pool:
            width = -(-len(sample[0]) // 8) * 8
            if width * (len(batches[-1]) + 1) > tokens_per_batch:
                batches.append([])
            batches[-1].append(sample)
        rng.shuffle(batches)
        yield from (pack(batch) for batch in batches if batch)


def distant(tokenizer: Tokenizer, seed: int, tokens_per_batch: int) -> Iterator[Batch]:
    """Yields batches of long conversations: a fact, much unrelated talk, then a question about the fact."""
    rng = random.Random(seed)

    def length(messages: list[template.Message]) -> int:
        return len(template.encode(tokenizer, messages)[0])

    while True:
        size = rng.randint(450, 1900)
        count = max(2, tokens_per_batch // size)
        samples = [template.encode(tokenizer, long_conversation(rng, "train", size, length).messages) for _ in range(count)]
        yield pack([(ids[:2040], own[:2040]) for ids, own in samples], 64)
