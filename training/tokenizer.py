"""The tokenizer: byte-level BPE in the Hugging Face format, built in two steps.

The first merges are learnt within words, without the space before them. The last merges join the
space to the first piece of a word. So a word is split the same way with and without a space, and a
small model can copy and spell words that it has never seen. Digits are separate tokens.

    python tokenizer.py OUT.json
"""
from __future__ import annotations

import json
import random
import sys
from collections import Counter
from pathlib import Path

from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

from corpus.mixture import conversation

SPECIAL = ["<|end|>", "<|system|>", "<|user|>", "<|assistant|>", "<|tool|>"]
END = 0
VOCABULARY = 2048
SPACE = "\u0120"
WORD_TOKENS = 1330
LEARN_PATTERN = r"\p{L}+|\p{N}|[^\s\p{L}\p{N}]+|\s"
USE_PATTERN = r" ?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+|\s"


def _split(pattern: str) -> pre_tokenizers.PreTokenizer:
    bytes_only = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    return pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(pattern), "isolated"), bytes_only])


def _learn_words(texts: list[str]) -> tuple[dict[str, int], list[tuple[str, str]]]:
    learner = Tokenizer(models.BPE())
    learner.pre_tokenizer = _split(LEARN_PATTERN)
    trainer = trainers.BpeTrainer(
        vocab_size=WORD_TOKENS, special_tokens=SPECIAL, show_progress=False,
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()), max_token_length=12,
    )
    learner.train_from_iterator(texts, trainer)
    model = json.loads(learner.to_str())["model"]
    return model["vocab"], [tuple(pair) for pair in model["merges"]]


def _assemble(vocabulary: dict[str, int], merges: list[tuple[str, str]]) -> Tokenizer:
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=merges))
    tokenizer.pre_tokenizer = _split(USE_PATTERN)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens(SPECIAL)
    return tokenizer


def build(samples: int = 40000, seed: int = 7) -> Tokenizer:
    rng = random.Random(seed)
    texts = [text for _ in range(samples) for _, text in conversation(rng).messages]
    vocabulary, merges = _learn_words(texts)
    first = _assemble(vocabulary, merges)
    pieces: Counter[str] = Counter()
    for encoding in first.encode_batch(texts):
        for token, following in zip(encoding.tokens, encoding.tokens[1:]):
            if token == SPACE and not following.isdigit() and SPACE not in following and following not in SPECIAL:
                pieces[following] += 1
    for piece, _ in pieces.most_common(VOCABULARY - len(vocabulary)):
        vocabulary[SPACE + piece] = len(vocabulary)
        merges.append((SPACE, piece))
    return _assemble(vocabulary, merges)


def load(path: Path) -> Tokenizer:
    return Tokenizer.from_file(str(path))


if __name__ == "__main__":
    build().save(sys.argv[1])
