"""Sentences that stand in this repository's code, an own text about its own subject: comments, names of tests, what people are told."""
from __future__ import annotations

import re
from pathlib import Path

from .passages import ROOT

_BLOCK = re.compile(r"/\*\*(.*?)\*/", re.S)
_LINES = re.compile(r"(?:^[ \t]*// .*\n)+", re.M)
_QUOTED = re.compile(r"(?:test|it)\(\s*'([^'\n]{20,})'")
_TOLD = re.compile(r"['`]([A-Z][a-z]*[ ,][^'`\n]{25,})['`]")


def remarks(root: Path = ROOT) -> list[str]:
    """Comments of at least six words, the names of tests, which are sentences, and messages for people."""
    found: list[str] = []
    for folder in ("src", "test"):
        for path in sorted((root / folder).glob("**/*.ts")):
            text = path.read_text(encoding="utf-8")
            for match in _BLOCK.finditer(text):
                found.append(re.sub(r"^\s*\* ?", "", match.group(1), flags=re.M))
            for match in _LINES.finditer(text):
                found.append(re.sub(r"^\s*// ?", "", match.group(0), flags=re.M))
            found += [*_QUOTED.findall(text), *_TOLD.findall(text)]
    cleaned = [re.sub(r"\s+", " ", re.sub(r"\{@link (\w+)\}|\$\{[^}]*\}|@\w+|`", r" \1 ", text)).strip() for text in found]
    return sorted({text for text in cleaned if len(text.split()) >= 6 and "oxlint" not in text})
