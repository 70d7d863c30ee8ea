"""The tokenizer: stems and endings in the WordPiece format, on byte-level characters.

A known stem with a known ending is not a token of its own, so that "download" and "downloading" share
the token of the stem. An unknown word is split into common pieces, which query and text share. Every text
can be tokenized, because single bytes are tokens, too.

    python -m embed.tokenizer OUT.json
"""
from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path

from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers

from . import pairs, sentences, thesaurus

VOCABULARY = 8192
PATTERN = r"\p{L}+|\p{N}|[^\s\p{L}\p{N}]+"
ENDINGS = ["s", "es", "ed", "d", "ing", "er", "ers", "ly", "able", "ies", "ied", "ment", "ments", "ness", "ion", "ions", "or", "ors", "al", "y"]
DOUBLED = [letter + ending for letter in "bdglmnprt" for ending in ("ed", "ing", "er", "ers")]
PIECES = 2600


def count_words() -> Counter[str]:
    """Counts the words of the training texts, the thesaurus and the topics."""
    counts: Counter[str] = Counter()
    split = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W\d_]+")
    own = pairs.Source()
    for text in [*(text for line in (*own.triples, *own.notes) for text in line), *sentences.sample_texts(30_000)]:
        counts.update(word.lower() for word in split.findall(text))
    for word in [*thesaurus.alternatives(), *thesaurus.opposites(), *(w for ws in thesaurus.topics().values() for w in ws)]:
        counts.update({part: 3 for part in re.findall(r"[a-z]+", word.lower())})
    return counts


def stems(counts: Counter[str]) -> Counter[str]:
    """Returns the words that get a token of their own, with their counts."""
    kept: Counter[str] = Counter()
    for word, count in counts.items():
        kept[_stem(word, counts)] += count
    return kept


def _stem(word: str, counts: Counter[str]) -> str:
    for ending in sorted([*ENDINGS, *DOUBLED], key=len, reverse=True):
        stem = word.removesuffix(ending)
        if stem == word or len(stem) < 3:
            continue
        if counts[stem] and not stem.endswith("ss" if ending == "s" else "??"):
            return stem
        # In "cach-ing" and "quer-ies" the stem has lost its last letter, and gets a token in addition to the whole
        # word.
        if ending in ("ing", "er", "ers", "able", "or", "ors", "ion", "ions") and counts[stem + "e"] and len(stem) > 3:
            return stem
        if ending in ("ies", "ied") and counts[stem + "y"]:
            return stem
    return word


def build() -> Tokenizer:
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    names = ["[UNK]", *letters, *(f"##{letter}" for letter in letters)]
    names += [f"##{ending}" for ending in [*ENDINGS, *DOUBLED] if len(ending) > 1]
    counts = count_words()
    known = stems(counts)
    starts, insides = Counter[str](), Counter[str]()
    for word in counts:
        for length in (2, 3, 4):
            starts[word[:length]] += 1 if len(word) > length else 0
            insides.update(word[at : at + length] for at in range(1, len(word) - length + 1))
    names += [f"##{piece}" for piece, _ in insides.most_common(PIECES)]
    names += [piece for piece, _ in starts.most_common(PIECES // 2) if piece not in known]
    names += [word for word, _ in sorted(known.items(), key=lambda item: (-item[1], item[0])) if len(word) > 1]
    names = [name for name in dict.fromkeys(names) if all(letter in letters for letter in name.removeprefix("##"))]
    vocabulary = {name: number for number, name in enumerate(names[:VOCABULARY])}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]", max_input_chars_per_word=100_000))
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFKD(), normalizers.StripAccents(), normalizers.Lowercase()])
    bytes_only = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    whole = pre_tokenizers.Split(Regex(PATTERN), "removed", invert=True)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([whole, bytes_only])
    tokenizer.decoder = decoders.WordPiece()
    return tokenizer


def load(path: Path) -> Tokenizer:
    return Tokenizer.from_file(str(path))


if __name__ == "__main__":
    made = build()
    made.save(sys.argv[1])
    print(made.get_vocab_size(), made.encode("Downloading cached queries: xylophonic WebGPU café 42 日本").tokens)
