"""Splits the documentation of a checkout into passages, as a search shows them. Only the evaluation uses it.

A passage is a section or a part of a long one. It begins with the headings above it; paragraphs, table rows and
code blocks are never split.
"""
from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

MAX_WORDS = 110


@dataclass(frozen=True)
class Passage:
    file: str
    #: The headings above the passage, outermost first.
    headings: tuple[str, ...]
    body: str

    @property
    def text(self) -> str:
        return plain(". ".join((*self.headings[-2:], self.body)))


def document_files(root: Path) -> list[Path]:
    """Returns all documentation pages of the repository."""
    found = [*root.glob("*.md"), *root.glob("docs/*.md"), *root.glob("src/**/README.md")]
    return sorted(path for path in found if "node_modules" not in path.parts)


def passages(root: Path) -> list[Passage]:
    return [passage for path in document_files(root) for passage in _of_page(path, root)]


def answering(found: list[Passage], page: str, snippet: str) -> set[int]:
    """Returns the indices of the passages on this page that contain a snippet. If a text has moved to another page,
    returns its passages there."""
    words = " ".join(snippet.split())
    having = {number: p.file for number, p in enumerate(found) if words in " ".join(" ".join((*p.headings, p.body)).split())}
    return {number for number, file in having.items() if file == page} or set(having)


def plain(markdown: str) -> str:
    """Returns the text of Markdown without link addresses and markup, with single spaces."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", markdown)
    text = re.sub(r"[`*|<>#]+|^[-\s|:]+$", " ", text, flags=re.M)
    return re.sub(r"\s+", " ", text).strip()


def _of_page(path: Path, root: Path) -> list[Passage]:
    name = path.relative_to(root).as_posix()
    headings: list[str] = []
    found: list[Passage] = []
    blocks: list[str] = []

    def finish() -> None:
        part: list[str] = []
        for block in blocks:
            if part and len(" ".join([*part, block]).split()) > MAX_WORDS:
                found.append(Passage(name, tuple(headings), "\n".join(part)))
                part = []
            part.append(block)
        if part:
            found.append(Passage(name, tuple(headings), "\n".join(part)))
        blocks.clear()

    for block in _blocks(path.read_text(encoding="utf-8")):
        heading = re.match(r"(#+) (.*)", block)
        if heading:
            finish()
            del headings[len(heading.group(1)) - 1 :]
            headings.append(plain(heading.group(2)))
        elif plain(block):
            blocks.append(block)
    finish()
    return found


def _blocks(text: str) -> list[str]:
    """Splits a page into headings, paragraphs, list items, table rows and code blocks."""
    blocks: list[str] = []
    code = False
    for line in text.splitlines():
        fence = line.lstrip().startswith("```")
        starts = code is False and (re.match(r"(#+ |\||\s*[-*] |\d+\. )", line) or (fence and not code))
        if fence:
            code = not code
        if not line.strip() and not code:
            blocks.append("")
        elif starts or not blocks or not blocks[-1] or (blocks[-1].startswith("#") and not code):
            blocks.append(line)
        else:
            blocks[-1] += "\n" + line
    return [block for block in blocks if block.strip()]
