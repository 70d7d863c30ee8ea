"""Questions about facts: web terms, countries, opposites, plurals, colours."""
from __future__ import annotations

import random

from .sample import Exchange, containing, exact
from .tables import rows
from .wording import Split, ask, casual, quoted

GLOSSARY = [(phrase, aliases.split("|"), text) for phrase, aliases, text in rows("glossary")]
COUNTRIES = rows("countries")
OPPOSITES = list({a: (a, b) for a, b in rows("opposites")}.values())
OPPOSITES += [(b, a) for a, b in OPPOSITES if b not in {pair[0] for pair in OPPOSITES}]
PLURALS = rows("plurals")
COLOURS = rows("colours")
MIXES = rows("colour-mixes")
NOT_A_CAPITAL_COUNTRY = {"England", "Scotland"}


def typed(name: str, rng: random.Random) -> str:
    """Returns a name as users type it: sometimes in lower case."""
    return name.lower() if rng.random() < 0.25 else name


def glossary(rng: random.Random, split: Split) -> Exchange:
    phrase, aliases, text = rng.choice(GLOSSARY)
    bare = phrase.removeprefix("a ").removeprefix("an ").removeprefix("the ")
    term = rng.choice([bare, bare, *aliases])
    with_article = phrase if rng.random() < 0.5 else term
    question = ask("glossary", rng, split, a=typed(with_article, rng), term=typed(term, rng))
    return exact("glossary", casual(question, rng), text)


def capital(rng: random.Random, split: Split) -> Exchange:
    country, city, _ = rng.choice(COUNTRIES)
    question = ask("capital", rng, split, x=typed(country, rng))
    return containing("capital", casual(question, rng), f"The capital of {country} is {city}.", city, core=city)


def language(rng: random.Random, split: Split) -> Exchange:
    country, _, spoken = rng.choice(COUNTRIES)
    question = ask("language", rng, split, x=typed(country, rng))
    first = spoken.split(",")[0].split(" and ")[0]
    return containing("language", casual(question, rng), f"People in {country} speak {spoken}.", first, core=first)


def country_of(rng: random.Random, split: Split) -> Exchange:
    choices = [row for row in COUNTRIES if row[0] not in NOT_A_CAPITAL_COUNTRY]
    country, city, _ = rng.choice(choices)
    question = ask("which-country", rng, split, c=typed(city, rng))
    return containing("country", casual(question, rng), f"{city} is the capital of {country}.", country, core=country)


def opposite(rng: random.Random, split: Split) -> Exchange:
    word, other = rng.choice(OPPOSITES)
    question = ask("opposite", rng, split, q=quoted(word, rng))
    return containing("opposite", casual(question, rng), f"The opposite of {word} is {other}.", f" {other}.", core=other)


def plural(rng: random.Random, split: Split) -> Exchange:
    word, many = rng.choice(PLURALS)
    question = ask("plural", rng, split, q=quoted(word, rng), w=word)
    return containing("plural", casual(question, rng), f"The plural of {word} is {many}.", f" {many}.", core=many)


def colour(rng: random.Random, split: Split) -> Exchange:
    if rng.random() < 0.2:
        first, second, result = rng.choice(MIXES)
        if rng.random() < 0.5:
            first, second = second, first
        question = ask("colour-mix", rng, split, p=first, s=second)
        return containing("colour", casual(question, rng), f"Mixing {first} and {second} gives {result}.", f" {result}.", core=result)
    thing, shade = rng.choice(COLOURS)
    question = ask("colour-of", rng, split, x=thing)
    return containing("colour", casual(question, rng), f"{thing[:1].upper()}{thing[1:]} is {shade}.", f" {shade}.", core=shade)


FOLLOW_UPS = {"capital": capital, "language": language, "opposite": opposite, "plural": plural}


def follow_up(rng: random.Random, split: Split) -> list[Exchange]:
    """A question about a fact, then a short question ("and …?") that is only understood after the first."""
    make = FOLLOW_UPS[rng.choice(list(FOLLOW_UPS))]
    first, second = make(rng, split), make(rng, split)
    subject = {"The capital of ": " is ", "People in ": " speak ", "The opposite of ": " is ", "The plural of ": " is "}
    for start, stop in subject.items():
        if second.answer.startswith(start):
            name = second.answer[len(start) :].split(stop)[0]
            second.question = ask("follow-up", rng, split, x=typed(name, rng))
            second.question = second.question[:1].upper() + second.question[1:]
    second.kind = "follow-up"
    return [first, second]
