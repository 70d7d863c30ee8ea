"""Reads the tables in ``data/``."""
from __future__ import annotations

import re

from .wording import DATA


def rows(name: str) -> list[list[str]]:
    """Returns the rows of a tab-separated file, each as a list of cells."""
    text = (DATA / f"{name}.tsv").read_text(encoding="utf-8")
    return [line.split("\t") for line in text.splitlines() if line]


def words(name: str) -> list[str]:
    """Returns the words of a text file in order, without duplicates."""
    return list(dict.fromkeys((DATA / f"{name}.txt").read_text(encoding="utf-8").split()))


def every_word() -> list[str]:
    """Returns all words in ``data/`` in lower case, of both splits. Parts of them form new words."""
    texts = (re.sub(r"[{].*?[}]", " ", path.read_text(encoding="utf-8")) for path in sorted(DATA.iterdir()))
    return sorted({word for text in texts for word in re.findall("[a-z]+", text.lower()) if 2 < len(word) < 11})
