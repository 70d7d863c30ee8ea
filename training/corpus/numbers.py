"""Questions about arithmetic, counting, comparing and units. The operands of a question are held out by hash."""
from __future__ import annotations

import random

from .sample import Exchange, containing, exact
from .tables import rows, words
from .wording import Split, ask, casual, of_side, side

THINGS = "apples books coins cards pens eggs stones cups balls stamps shells keys".split()
ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
TENS = "_ _ twenty thirty forty fifty sixty seventy eighty ninety".split()
UNITS = [(small, large, int(factor), int(most)) for large, small, factor, most in rows("units")]
IRREGULAR = {"foot": "feet", "inch": "inches", "century": "centuries"}
NAMES = words("names")


def in_words(number: int) -> str:
    if number < 20:
        return ONES[number]
    tens, ones = divmod(number, 10)
    return TENS[tens] + (f"-{ONES[ones]}" if ones else "")


def written(number: int, rng: random.Random) -> str:
    return in_words(number) if number < 100 and rng.random() < 0.1 else str(number)


def pair(operation: str, low: int, high: int, rng: random.Random, split: Split) -> tuple[int, int]:
    """Returns two operands whose pair belongs to this split."""
    while True:
        a, b = rng.randint(low, high), rng.randint(low, high)
        if rng.random() < 0.2:
            b = rng.randint(low, min(high, 10))
        if side(f"{a} {operation} {b}", 10) == split:
            return a, b


def arithmetic(rng: random.Random, split: Split, short: bool = False) -> Exchange:
    """Sums and differences of numbers up to 99. One in ten pairs of operands is never used in training."""
    if rng.random() < 0.5:
        a, b = pair("+", 0, 99, rng, split)
        text, result = f"{a} + {b}", a + b
        family = "add"
    else:
        a, b = pair("-", 0, 99, rng, split)
        if a < b and rng.random() < 0.85:
            a, b = b, a
            if side(f"{a} - {b}", 10) != split:
                return arithmetic(rng, split, short)
        text, result = f"{a} - {b}", a - b
        family = "subtract"
    if short:
        sign = text.replace(" ", "") if rng.random() < 0.3 else text
        question = sign + ("?" if rng.random() < 0.3 else "")
        return containing("arithmetic", question, f"{text} = {result}.", f"= {result}.", core=str(result))
    if rng.random() < 0.12 and 1 < b <= a:
        family = {"add": "more-apples", "subtract": "less-apples"}[family]
    name = rng.choice(of_side(NAMES, split))
    slots = {"a": written(a, rng), "b": written(b, rng), "t": rng.choice(THINGS), "n": name}
    question = ask(family, rng, split, **slots)
    return containing("arithmetic", casual(question, rng), f"{text} = {result}.", f"= {result}.", core=str(result))


def product(rng: random.Random, split: Split) -> Exchange:
    a, b = rng.randint(0, 12), rng.randint(0, 12)
    if rng.random() < 0.3 and b:
        question = ask("divide", rng, split, a=str(a * b), b=str(b))
        return containing("times", casual(question, rng), f"{a * b} / {b} = {a}.", f"= {a}.")
    question = ask("multiply", rng, split, a=written(a, rng), b=written(b, rng))
    return containing("times", casual(question, rng), f"{a} x {b} = {a * b}.", f"= {a * b}.")


def counting(rng: random.Random, split: Split) -> Exchange:
    start = rng.randint(0, 40) if rng.random() < 0.5 else rng.randint(0, 10)
    stop = start + rng.randint(2, 10)
    while side(f"{start} to {stop}", 10) != split:
        start, stop = rng.randint(0, 40), 0
        stop = start + rng.randint(2, 10)
    if rng.random() < 0.25:
        start, stop = 1, rng.randint(3, 15)
    numbers = [str(n) for n in range(start, stop + 1)]
    if start == 1 and rng.random() < 0.7:
        question = ask("count-to", rng, split, b=written(stop, rng))
    elif rng.random() < 0.35:
        question = ask("count-down", rng, split, a=str(stop), b=str(start))
        numbers.reverse()
    else:
        question = ask("count-up", rng, split, a=str(start), b=str(stop))
    return exact("counting", casual(question, rng), ", ".join(numbers) + ".")


def neighbour(rng: random.Random, split: Split) -> Exchange:
    number = rng.randint(1, 199)
    if rng.random() < 0.5:
        question = ask("after-number", rng, split, a=written(number, rng))
        return containing("counting", casual(question, rng), f"After {number} comes {number + 1}.", f" {number + 1}.")
    question = ask("before-number", rng, split, a=written(number, rng))
    return containing("counting", casual(question, rng), f"Before {number} comes {number - 1}.", f" {number - 1}.")


def comparing(rng: random.Random, split: Split) -> Exchange:
    a, b = pair("?", 0, 99, rng, split)
    if rng.random() < 0.4:
        parity = "odd" if a % 2 else "even"
        question = ask("even", rng, split, a=str(a))
        return containing("comparing", casual(question, rng), f"{a} is {parity}.", parity)
    b = b if b != a else a + 1
    question = ask("bigger", rng, split, a=str(a), b=str(b))
    return containing("comparing", casual(question, rng), f"{max(a, b)} is larger than {min(a, b)}.", f"{max(a, b)} is larger")


def several(unit: str, count: int) -> str:
    return unit if count == 1 else IRREGULAR.get(unit, unit + "s")


def american(text: str, rng: random.Random) -> str:
    return text.replace("metre", "meter").replace("litre", "liter") if rng.random() < 0.25 else text


def units(rng: random.Random, split: Split) -> Exchange:
    small, large, factor, most = rng.choice(UNITS)
    count = rng.randint(1, most if rng.random() < 0.5 else min(most, 10))
    big, little = several(large, count), several(small, 2)
    question = ask("unit", rng, split, n=written(count, rng), u=american(big, rng), us=american(little, rng))
    total = count * factor
    answer = f"{count} {big} = {total} {little}."
    return containing("units", casual(question, rng), answer, f"= {total} ")


def running_total(rng: random.Random, split: Split) -> list[Exchange]:
    """A sum, then a follow-up such as "plus 5", which needs the first result."""
    first = arithmetic(rng, split)
    total = int(first.core or 0)
    step = rng.randint(1, 20)
    if total >= step and rng.random() < 0.5:
        question, text, result = ask("then-subtract", rng, split, b=str(step)), f"{total} - {step}", total - step
    else:
        question, text, result = ask("then-add", rng, split, b=str(step)), f"{total} + {step}", total + step
    second = containing("follow-up", casual(question, rng), f"{text} = {result}.", f"= {result}.")
    return [first, second]
