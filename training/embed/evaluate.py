"""Measures how well a model finds texts, compared with TF-IDF.

    python -m embed.evaluate --package ../public/models/pocket-embed --documents ../documents
"""
from __future__ import annotations

import argparse
import math
import random
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np

from . import passages, sentences

DATA = Path(__file__).resolve().parent / "data"
#: Converts texts [n] to vectors [n, columns] whose products are similarities.
Embed = Callable[[list[str]], np.ndarray]


class TfIdf:
    """The baseline: term frequency times smoothed inverse document frequency of unmodified words, compared by cosine."""

    def __init__(self, documents: list[str]) -> None:
        counted = [Counter(self._words(text)) for text in documents]
        seen = Counter(word for words in counted for word in words)
        self.columns = {word: number for number, word in enumerate(sorted(seen))}
        self.weights = {word: math.log((1 + len(documents)) / (1 + count)) + 1 for word, count in seen.items()}

    def __call__(self, texts: list[str]) -> np.ndarray:
        rows = np.zeros((len(texts), len(self.columns)), np.float32)
        for row, text in zip(rows, texts):
            for word, count in Counter(self._words(text)).items():
                if word in self.columns:
                    row[self.columns[word]] = count * self.weights[word]
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)

    @staticmethod
    def _words(text: str) -> list[str]:
        return re.findall(r"\w\w+", text.lower())


def recall(embed: Embed, documents: list[str], questions: list[str], right: list[set[int]], most: int = 5) -> tuple[float, list[int]]:
    """Returns the share of questions with a right document among the first results, and the best rank for each question."""
    scores = embed(questions) @ embed(documents).T
    order = np.argsort(-scores, axis=1, kind="stable")
    ranks = [next(rank for rank, document in enumerate(row, 1) if document in answers) for row, answers in zip(order, right)]
    return sum(rank <= most for rank in ranks) / len(ranks), ranks


def documentation(file: str, checkout: Path) -> tuple[list[str], list[str], list[set[int]]]:
    """Returns the passages of a checkout's documentation, hand-written questions, and the passages that answer each."""
    found = passages.passages(checkout)
    questions, right = [], []
    for line in (DATA / file).read_text(encoding="utf-8").splitlines():
        page, snippet, question = line.split("\t")
        answers = passages.answering(found, page, snippet)
        if not answers:
            raise SystemExit(f"{file}: no passage of {page} has {snippet!r}")
        questions.append(question)
        right.append(answers)
    return [p.text for p in found], questions, right


def corpus(seed: int, count: int = 600) -> tuple[list[str], list[str], list[set[int]]]:
    """Returns the answers in Pocket's corpus, and questions in wordings that training does not use."""
    rng = random.Random(seed)
    answers = sorted({sentences.exchange(rng, "train")[1] for _ in range(6000)})
    numbers = {answer: number for number, answer in enumerate(answers)}
    questions, right = [], []
    while len(questions) < count:
        question, answer = sentences.exchange(rng, "eval")
        if answer in numbers:
            questions.append(question)
            right.append({numbers[answer]})
    return answers, questions, right


def made_triples(seed: int, count: int = 1000) -> list[sentences.Triple]:
    rng = random.Random(seed)
    return [sentences.triple(rng, "eval") for _ in range(count)]


def written_triples(file: str) -> list[sentences.Triple]:
    lines = (DATA / file).read_text(encoding="utf-8").splitlines()
    return [sentences.Triple(*line.split("\t")) for line in lines]


def told_apart(embed: Embed, triples: list[sentences.Triple]) -> tuple[float, list[sentences.Triple]]:
    """Returns the share of triples whose paraphrase is nearer than the near miss, and the other triples."""
    anchors, same, other = (embed([triple[part] for triple in triples]) for part in range(3))
    right = (anchors * same).sum(1) > (anchors * other).sum(1)
    return float(right.mean()), [triple for triple, good in zip(triples, right) if not good]


def report(embed: Embed, seed: int, suffix: str, checkout: Path | None, wrong: bool = False) -> dict[str, tuple[float, float]]:
    """Returns each measure for the model and for TF-IDF.

    ``suffix`` is part of the names of the hand-written files. Without a ``checkout``, searches in the documentation
    are not measured.
    """
    results = {}
    searches = {"corpus": corpus(seed)}
    if checkout is not None:
        searches["documentation"] = documentation(f"questions-{suffix}.tsv", checkout)
    for name, (documents, questions, right) in searches.items():
        share, ranks = recall(embed, documents, questions, right)
        plain = TfIdf(documents)
        results[f"{name}, recall@5"] = share, recall(plain, documents, questions, right)[0]
        results[f"{name}, recall@1"] = recall(embed, documents, questions, right, 1)[0], recall(plain, documents, questions, right, 1)[0]
        if wrong:
            for question, rank in zip(questions, ranks):
                if rank > 5:
                    print(f"  {name}: {rank:4} {question}")
    for name, triples in {"triples, made": made_triples(seed), "triples, written": written_triples(f"triples-{suffix}.tsv")}.items():
        share, failed = told_apart(embed, triples)
        results[name] = share, told_apart(TfIdf([text for triple in triples for text in triple]), triples)[0]
        if wrong and name == "triples, written":
            for triple in failed:
                print("  ", " | ".join(triple))
    return results


def show(results: dict[str, tuple[float, float]]) -> None:
    for name, (ours, plain) in results.items():
        print(f"{name:26} {100 * ours:6.1f} %   TF-IDF {100 * plain:6.1f} %", flush=True)


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--package", type=Path, required=True)
    options.add_argument("--seed", type=int, default=20261122)
    options.add_argument("--set", default="final", help="which hand-written questions and triples")
    options.add_argument("--documents", type=Path, help="checkout of the commit that the questions are about, see README.md")
    options.add_argument("--dimensions", type=int, default=0, help="so many of the first numbers of each vector")
    options.add_argument("--wrong", action="store_true")
    args = options.parse_args()
    from .package import load_package

    model, tokenizer = load_package(args.package)
    show(report(embedder(model, tokenizer, args.dimensions), args.seed, args.set, args.documents, args.wrong))


def embedder(model, tokenizer, dimensions: int = 0) -> Embed:
    from .encoder import embed_texts

    def embed(texts: list[str]) -> np.ndarray:
        vectors = embed_texts(model, tokenizer, texts).numpy()
        cut = vectors[:, : dimensions or vectors.shape[1]]
        return cut / np.maximum(np.linalg.norm(cut, axis=1, keepdims=True), 1e-9)

    return embed


if __name__ == "__main__":
    main()
