"""Reads the fact tables in ``data/``."""
from __future__ import annotations

import re

from .wording import DATA


def rows(name: str) -> list[list[str]]:
    """The lines of a tab-separated file as lists of cells."""
    text = (DATA / f"{name}.tsv").read_text(encoding="utf-8")
    return [line.split("\t") for line in text.splitlines() if line]


def words(name: str) -> list[str]:
    """The words of a text file, each once, in order."""
    return list(dict.fromkeys((DATA / f"{name}.txt").read_text(encoding="utf-8").split()))


def every_word() -> list[str]:
    """All words in ``data/``, in small letters, of either side: parts to blend new words from."""
    texts = (re.sub(r"[{].*?[}]", " ", path.read_text(encoding="utf-8")) for path in sorted(DATA.iterdir()))
    return sorted({word for text in texts for word in re.findall("[a-z]+", text.lower()) if 2 < len(word) < 11})
