"""Random arguments and results of tools. Each value belongs either to training or to the evaluation."""
from __future__ import annotations

import random

from .letters import invented
from .memory import COLOURS, FOODS
from .tables import rows, words
from .wording import Split, of_side, side

NAMES, PLACES, WORDS = words("names"), words("places"), words("words")
COUNTRIES = [row[0] for row in rows("countries")]
LANGUAGES = sorted({row[2].split(",")[0].split(" and ")[0] for row in rows("countries")})
CURRENCIES = "EUR USD GBP CHF JPY SEK NOK DKK PLN CZK CAD AUD euros dollars pounds francs yen crowns pesos rupees".split()
MEASURES = "metres feet miles kilometres inches yards litres gallons grams pounds ounces kilos degrees minutes hours seconds".split()
ROOMS = "kitchen|bedroom|bathroom|living room|garage|cellar|hall|office|attic|garden|nursery|dining room|hallway|study".split("|")
WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
MONTHS = "January February March April May June July August September October November December".split()
COMPANIES = "AAPL MSFT NVDA TSLA AMZN GOOG SAP IBM Apple Tesla Google Siemens Toyota Nokia Sony Lego".split()
CLUBS = "United City Rovers Eagles Lions Stars Bears Tigers Hawks Wolves".split()
ENDINGS = "txt md json csv log py ts html pdf".split()
COMMANDS = "ls -la|git status|npm test|pwd|whoami|date|df -h|cat {f}|rm {f}|mkdir {w}|npm run build|python {f}|echo {w}|ping {w}.com|git pull|top".split("|")
PHRASES = ("the {n} is {a}|I am {a} today|meet me at the {n}|buy {n} and {n2}|bring the {n} for {p}|we need a new {n}|the {a} {n} costs {d} euros|call {p} about the {n}|"
           "{p} likes the {n}|see you at {t}|the {n} comes at {t}|thanks for the {n}|I will be late|where is the {n}|water the {n}|{p} has a {a} {n}|I am at the {n}").split("|")
TASKS = ("call {p}|buy {n}|clean the {n}|water the {n}|pay the {n}|bring the {n} to {p}|buy {n} and {n2}|write to {p}|feed the {n}|fix the {n}|read the {n}|pick up {p}|"
         "order {n}|send the {n} to {p}|wash the {n}|check the {n}|take out the {n}|visit {p}|book the {n}|cancel the {n}").split("|")
TITLES = ("{n} meeting|lunch with {p}|dinner with {p}|{n} review|{p} birthday|team {n}|{a} {n}|dentist|{n} and {n2}|The {a} {n}|The {n}|{n} class|call with {p}|{n} of {c}|doctor|{n} party|"
          "{n} {n2}|{a} {n} {n2}").split("|")
TOPICS = ("{n}|{a} {n}|{n} and {n2}|{n} {n2}|{p}|{c}|the {n} of {c}|{n} in {c}|{p} {n}|how to paint a {n}|{a} {n} {n2}|history of {n}|best {n}|cheap {n} in {c}|electric {n}|climate|football|new {n} models").split("|")


def word(rng: random.Random, split: Split) -> str:
    return rng.choice(of_side(WORDS, split)) if rng.random() < 0.65 else invented(rng, split)


def person(rng: random.Random, split: Split) -> str:
    name = rng.choice(of_side(NAMES, split)) if rng.random() < 0.7 else invented(rng, split).capitalize()
    return f"{name} {invented(rng, split).capitalize()}" if rng.random() < 0.15 else name


def place(rng: random.Random, split: Split) -> str:
    return rng.choice(of_side(PLACES, split)) if rng.random() < 0.75 else invented(rng, split).capitalize()


def time(rng: random.Random) -> str:
    hour = rng.randint(1, 12)
    return rng.choice([f"{hour} {rng.choice(['am', 'pm'])}", f"{rng.randint(0, 23)}:{rng.choice(['00', '15', '30', '45', '05'])}", f"{hour}{rng.choice(['am', 'pm'])}", f"{rng.randint(0, 23):02}:{rng.randint(0, 59):02}",
                       f"{hour} o'clock", "noon", "midnight", f"{hour}:30 {rng.choice(['am', 'pm'])}"])


def day(rng: random.Random) -> str:
    """Returns a day as users write it."""
    month, number = rng.choice(MONTHS), rng.randint(1, 28)
    return rng.choice([rng.choice(["today", "tomorrow"]), rng.choice(["tomorrow", "tonight", "next week"]), rng.choice(WEEKDAYS), rng.choice(WEEKDAYS), f"next {rng.choice(WEEKDAYS)}", date(rng),
                       f"{month} {number}", f"{number} {month}", f"the {number}th of {month}"])


def date(rng: random.Random) -> str:
    return f"20{rng.randint(20, 35)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"


def file(rng: random.Random, split: Split) -> str:
    name = word(rng, split)
    if rng.random() < 0.25:
        name += rng.choice("-_") + word(rng, split)
    folder = rng.choice(["", "", "", "/tmp/", "./", f"{word(rng, split)}/", f"/home/{word(rng, split)}/", "src/"])
    return f"{folder}{name}.{rng.choice(ENDINGS)}"


def expression(rng: random.Random) -> str:
    def number() -> str:
        return str(rng.randint(0, rng.choice([9, 99, 99, 999, 9999]))) + (f".{rng.randint(1, 9)}" if rng.random() < 0.1 else "")

    text = number()
    for _ in range(rng.choice([1, 1, 1, 2, 2, 3])):
        sign = rng.choice("++--**/")
        text += f" {sign} {number()}"
    if rng.random() < 0.15:
        text = f"({text}) {rng.choice('*/+-')} {number()}"
    return text.replace(" ", "") if rng.random() < 0.35 else text


def phrase(patterns: list[str], rng: random.Random, split: Split) -> str:
    for _ in range(20):
        text = rng.choice(patterns)
        for slot, make in (("{n}", word), ("{n2}", word), ("{a}", word), ("{p}", person), ("{c}", place), ("{w}", word), ("{f}", file)):
            if slot in text:
                text = text.replace(slot, make(rng, split))
        if "{t}" in text:
            text = text.replace("{t}", time(rng))
        text = text.replace("{d}", str(rng.randint(2, 90)))
        if "{" not in text and (len(text) < 4 or side(text, 8) == split or split == "train" and rng.random() < 0.02):
            return text
    return text


def value(kind: str, rng: random.Random, split: Split) -> str | int | float | list[str]:
    """Returns a random value of a kind. ``data/tools.txt`` names the kinds."""
    kind, _, rest = kind.partition(":")
    match kind:
        case "int":
            least, most = map(int, rest.split(":"))
            return rng.randint(least, most)
        case "one":
            return rng.choice(rest.split(","))
        case "decimal":
            return round(rng.uniform(0.1, rng.choice([2, 20, 90])), rng.choice([1, 2]))
        case "place":
            return place(rng, split) + (rng.choice([", " + rng.choice(["CA", "NY", "TX", "UK", "FR"]), f", {rng.choice(COUNTRIES)}"]) if rng.random() < 0.07 else "")
        case "person":
            return person(rng, split)
        case "word":
            return word(rng, split)
        case "time":
            return time(rng)
        case "day":
            return day(rng)
        case "date":
            return date(rng)
        case "file":
            return file(rng, split)
        case "folder":
            return rng.choice([word(rng, split), f"/{word(rng, split)}", f"./{word(rng, split)}", f"src/{word(rng, split)}", f"/home/{word(rng, split)}/{word(rng, split)}", "/tmp"])
        case "files":
            return [file(rng, split) for _ in range(rng.randint(1, 3))]
        case "expression":
            return expression(rng)
        case "email":
            return f"{word(rng, split)}{rng.choice(['', '', '.' + word(rng, split), str(rng.randint(1, 99))])}@{rng.choice(['example', word(rng, split)])}.{rng.choice(['com', 'org', 'net'])}"
        case "url":
            return f"{rng.choice(['https://', 'https://www.', 'http://', ''])}{word(rng, split)}.{rng.choice(['com', 'org', 'net', 'example'])}{rng.choice(['', '', '/', '/' + word(rng, split), '/' + word(rng, split) + '.html'])}"
        case "room":
            return rng.choice(ROOMS)
        case "language":
            return rng.choice(LANGUAGES)
        case "currency":
            return rng.choice(CURRENCIES)
        case "measure":
            return rng.choice(MEASURES)
        case "colour":
            return rng.choice(COLOURS)
        case "food":
            return rng.choice(FOODS) if rng.random() < 0.6 else word(rng, split)
        case "company":
            return rng.choice(COMPANIES) if rng.random() < 0.5 else rng.choice([invented(rng, split).capitalize(), invented(rng, split)[:4].upper()])
        case "team":
            return f"{place(rng, split)} {rng.choice(CLUBS)}" if rng.random() < 0.5 else rng.choice([place(rng, split), f"the {rng.choice(CLUBS)}"])
        case "command":
            return phrase(COMMANDS, rng, split)
        case "title":
            return phrase(TITLES, rng, split)
        case "topic":
            return phrase(TOPICS, rng, split)
        case "task":
            return phrase(TASKS, rng, split)
        case "sentence":
            return phrase(PHRASES, rng, split)
        case "titles":
            return [phrase(TITLES, rng, split) for _ in range(rng.randint(1, 3))]
    raise ValueError(f"no kind named {kind}")
