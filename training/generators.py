"""Makes training batches, in separate processes or in the process of the training."""
from __future__ import annotations

import argparse
import queue
import random
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
import torch.multiprocessing as multiprocessing

import batches
import tokenizer as tokenization
from batches import Batch

KINDS = ("everyday", "agents", "distant")
SHARES = {"everyday": 0.55, "agents": 0.35, "distant": 0.1}
AHEAD = 24
KEPT = 400
Packed = tuple[np.ndarray, np.ndarray, np.ndarray, int]


@dataclass
class Kept:
    """A batch that may be used ``left`` more times."""

    batch: Batch
    left: int


def _generate(kind: str, tokenizer: str, seed: int, tokens: int, out: "multiprocessing.Queue[Packed]") -> None:
    torch.set_num_threads(1)
    for batch in getattr(batches, kind)(tokenization.load(tokenizer), seed, tokens):
        # Sent as arrays, because each tensor would need a file descriptor.
        out.put((batch.tokens.numpy().astype(np.int16), batch.places.numpy().astype(np.int32), batch.targets.numpy().astype(np.int16), batch.used))


class Generators:
    """Supplies batches of each kind. If the processes are too slow, recent batches are repeated, at most ``repeats`` times
    each."""

    def __init__(self, args: argparse.Namespace, seed: int) -> None:
        context = multiprocessing.get_context("spawn")
        self.queues = {kind: context.Queue(AHEAD) for kind in KINDS}
        self.kept: dict[str, deque[Kept]] = {kind: deque(maxlen=KEPT) for kind in KINDS}
        self.repeats, self.repeated = args.repeats, 0
        self.rng = random.Random(seed)
        tokens = {"everyday": args.everyday_tokens, "agents": args.agent_tokens, "distant": args.everyday_tokens // 2}
        self.processes: list[multiprocessing.Process] = []
        self.streams: dict[str, Iterator[Batch]] = {}
        if not args.generators:
            tokenizer = tokenization.load(args.tokenizer)
            self.streams = {kind: getattr(batches, kind)(tokenizer, seed + number, tokens[kind]) for number, kind in enumerate(KINDS)}
            return
        for kind, share in SHARES.items():
            for _ in range(max(1, round(args.generators * share))):
                number = len(self.processes)
                process = context.Process(target=_generate, args=(kind, args.tokenizer, seed + number, tokens[kind], self.queues[kind]), daemon=True)
                process.start()
                self.processes.append(process)

    def take(self, *kinds: str) -> list[Batch]:
        return [next(self.streams[kind]) if self.streams else self._next(kind) for kind in kinds]

    def _next(self, kind: str) -> Batch:
        kept = self.kept[kind]
        try:
            packed = self.queues[kind].get_nowait()
        except queue.Empty:
            if self.repeats and kept:
                self.repeated += 1
                at = self.rng.randrange(len(kept))
                again = kept[at]
                again.left -= 1
                if not again.left:
                    del kept[at]
                return again.batch
            packed = self.queues[kind].get()
        tokens, places, targets, used = packed
        batch = Batch(torch.from_numpy(tokens.astype(np.int64)), torch.from_numpy(places.astype(np.int64)), torch.from_numpy(targets.astype(np.int64)), used)
        if self.repeats:
            kept.append(Kept(batch, self.repeats))
        return batch

    def close(self) -> None:
        for process in self.processes:
            process.terminate()
