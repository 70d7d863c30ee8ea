"""Changes a sentence: to a paraphrase with another order, or to a near miss with another meaning."""
from __future__ import annotations

import random
import re
from functools import cache

from . import thesaurus

_NUMBER = re.compile(r"\b\d+\b")
_VERB = re.compile(r"\b(is|are|was|were|can|may|must|will|has|does|do)\b(?! not)")
_NOT = re.compile(r"\b(is|are|was|were|can|may|must|will|does|do) not\b")
_AROUND = re.compile(r"\b(from|to|before|after|with|without|in|out of|above|below|first|last|always|never|all|none|more|less|only|also)\b")
_AGAINST = {"from": "to", "to": "from", "before": "after", "after": "before", "with": "without", "without": "with", "in": "out of", "out of": "in",
            "above": "below", "below": "above", "first": "last", "last": "first", "always": "never", "never": "always", "all": "none of", "none": "all",
            "more": "less", "less": "more", "only": "not only", "also": "not"}


def turned(text: str, rng: random.Random) -> str:
    """Sometimes moves the part after a comma or a preposition to the front."""
    if rng.random() < 0.5:
        return text
    at = [match.start() for match in re.finditer(r"(?<=,) | (?=(?:when|if|while|in|on|with|for|after|before|from|by|because|until|where) )", text)]
    if not at:
        return text
    cut = rng.choice(at)
    return f"{text[cut:].strip(' .,')}, {text[:cut].strip(' .,')}"


def changed(text: str, rng: random.Random) -> str | None:
    """Changes one number, negation, opposite, direction or word. Returns None if the text has none of these."""
    ways = [_other_number, _negated, _opposite, _other_direction, _other_word, _other_word, _swapped]
    rng.shuffle(ways)
    lower = text.lower()
    return next((made for way in ways if (made := way(lower, rng)) and made != lower), None)


def _replaced(text: str, match: re.Match[str], by: str) -> str:
    return text[: match.start()] + by + text[match.end() :]


def _other_number(text: str, rng: random.Random) -> str | None:
    found = list(_NUMBER.finditer(text))
    if not found:
        return None
    match = rng.choice(found)
    return _replaced(text, match, str(rng.choice([int(match[0]) + rng.randint(1, 9), rng.randint(1, 99), int(match[0]) * 10])))


def _negated(text: str, rng: random.Random) -> str | None:
    if match := _NOT.search(text):
        return _replaced(text, match, match[1])
    match = _VERB.search(text)
    return _replaced(text, match, f"{match[1]} not") if match else None


def _other_direction(text: str, rng: random.Random) -> str | None:
    found = list(_AROUND.finditer(text))
    if not found:
        return None
    match = rng.choice(found)
    return _replaced(text, match, _AGAINST[match[1]])


def _opposite(text: str, rng: random.Random) -> str | None:
    found = [match for match in re.finditer(r"[a-z]+", text) if match[0] in thesaurus.opposites()]
    if not found:
        return None
    match = rng.choice(found)
    return _replaced(text, match, rng.choice(thesaurus.opposites()[match[0]]))


@cache
def _of_a_kind() -> tuple[dict[str, int], list[list[str]]]:
    """Returns the kind of each word in the thesaurus (noun, past form of a verb, …), and the words of each kind."""
    kinds: dict[str, int] = {}
    words: list[list[str]] = []
    for section in ("verbs", "nouns", "adjectives"):
        lines, forms = thesaurus.groups(section), {"verbs": 5, "nouns": 2}.get(section, 1)
        for form in range(forms):
            these = lines[form::forms] if section == "verbs" else lines[form * len(lines) // forms : (form + 1) * len(lines) // forms]
            one = sorted({word for line in these for word in line if " " not in word})
            kinds.update({word: len(words) for word in one})
            words.append(one)
    return kinds, words


def _other_word(text: str, rng: random.Random) -> str | None:
    kinds, words = _of_a_kind()
    found = [match for match in re.finditer(r"[a-z]{3,}", text) if match[0] in kinds]
    if not found:
        return None
    match = rng.choice(found)
    other = rng.choice(words[kinds[match[0]]])
    return None if other in thesaurus.alternatives()[match[0]] else _replaced(text, match, other)


def _swapped(text: str, rng: random.Random) -> str | None:
    """Swaps two words of the same kind."""
    kinds, _ = _of_a_kind()
    found = [match for match in re.finditer(r"[a-z]{3,}", text) if match[0] in kinds]
    pairs = [(one, two) for one in found for two in found if one.start() < two.start() and one[0] != two[0] and kinds[one[0]] == kinds[two[0]]]
    if not pairs:
        return None
    one, two = rng.choice(pairs)
    return text[: one.start()] + two[0] + text[one.end() : two.start()] + one[0] + text[two.end() :]
