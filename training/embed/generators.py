"""Makes tokenized batches of pairs in separate processes, ahead of training."""
from __future__ import annotations

import multiprocessing
import os
import random
import zlib
from pathlib import Path
from typing import NamedTuple

import numpy as np

from . import pairs, tokenizer as tokenization

MAX_TOKENS = 224
AHEAD = 48


class Batch(NamedTuple):
    """The texts of ``n`` pairs and their ``m`` near misses: n queries, then n found texts, then m near misses."""

    #: All tokens, one text after the other, and how many each text has [2 n + m].
    tokens: np.ndarray
    lengths: np.ndarray
    #: Two pairs with the same number are not used as negatives for each other [n].
    groups: np.ndarray
    #: The indices of the pairs that have a near miss [m].
    near_rows: np.ndarray


class BatchMaker:
    def __init__(self, tokenizer: Path, seed: int, size: int) -> None:
        self.source, self.tokenizer = pairs.Source(), tokenization.load(tokenizer)
        self.rng, self.size = random.Random(seed), size
        # Cached because found texts occur repeatedly, and are the longest.
        self.known: dict[str, list[int]] = {}

    def make(self) -> Batch:
        made = pairs.batch(self.source, self.rng, self.size)
        near = [row for row, pair in enumerate(made) if pair.near_miss is not None]
        new = [*(pair.query for pair in made), *(made[row].near_miss or "" for row in near)]
        unknown = sorted({pair.found for pair in made if pair.found not in self.known})
        cut = [encoding.ids[:MAX_TOKENS] or [0] for encoding in self.tokenizer.encode_batch([*new, *unknown])]
        self.known.update(zip(unknown, cut[len(new) :]))
        texts = [*cut[: len(made)], *(self.known[pair.found] for pair in made), *cut[len(made) : len(new)]]
        if len(self.known) > 50_000:
            self.known.clear()
        return Batch(
            np.concatenate([np.array(text, np.int16) for text in texts]),
            np.array([len(text) for text in texts], np.int16),
            np.array([zlib.crc32(pair.group.encode()) for pair in made], np.int64),
            np.array(near, np.int64),
        )


def _run(tokenizer: Path, seed: int, size: int, out: "multiprocessing.Queue[Batch]") -> None:
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    maker = BatchMaker(tokenizer, seed, size)
    while True:
        out.put(maker.make())


class Generators:
    """Makes batches in ``processes`` processes; with 0, in the process of the training."""

    def __init__(self, tokenizer: Path, seed: int, size: int, processes: int) -> None:
        self.maker = None if processes else BatchMaker(tokenizer, seed, size)
        context = multiprocessing.get_context("spawn")
        self.queue: "multiprocessing.Queue[Batch]" = context.Queue(AHEAD)
        self.processes = [context.Process(target=_run, args=(tokenizer, seed * 1000 + n, size, self.queue), daemon=True) for n in range(processes)]
        for process in self.processes:
            process.start()

    def take(self) -> Batch:
        return self.maker.make() if self.maker else self.queue.get()

    def close(self) -> None:
        for process in self.processes:
            process.terminate()
