"""Tools composed from random verbs and nouns. They teach the model to choose a tool by its name, whatever it does."""
from __future__ import annotations

import random

from .letters import invented
from .tables import words
from .tool_domains import MADE, Domain, Slot
from .wording import Split, of_side, side

NOUNS = words("words")
VERBS = ("open close start stop paint clean wash count check build repair move sort sell buy rent feed find draw pack unpack fold cut mix heat cool lock hide mark rate scan "
         "copy rename share publish archive block invite follow book cancel charge measure test update install reset print plan design inspect collect deliver approve reject polish").split()
ATTRIBUTES = "price size weight age colour owner status height number speed value length cost stock address level rating score quality".split()
EXTRA = {  # slot: kind, names, how it is asked for
    "colour": ("colour", "colour|color|shade|paint", "in {colour}"),
    "count": ("int:2:60", "count|number|amount|times", "{count} times"),
    "label": ("word", "name|label|title|code", "(called|named) {label}"),
    "person": ("person", "person|user|owner|for_whom", "for {person}"),
    "place": ("place", "place|city|location|site", "(near|in) {place}"),
    "day": ("day", "day|date|when|on_day", "(on |){day}"),
    "size": ("one:small,medium,large", "size|format|how_big|dimension", "in size {size}"),
    "id": ("int:1:9999", "id|number|key|code", "(with |)(the |)(id|number) {id}"),
    "note": ("sentence", "note|comment|text|message", "with the (note|comment) {note}"),
}


def noun(rng: random.Random, split: Split) -> str:
    return rng.choice(of_side(NOUNS, split)) if rng.random() < 0.75 else invented(rng, split)


def made_domain(rng: random.Random, split: Split, verb: str | None = None, thing: str | None = None) -> Domain:
    """Returns a tool that does something ("paint the lantern") or that looks up a property ("the price of the lantern
    Kalim")."""
    thing = thing or noun(rng, split)
    if rng.random() < 0.35 and verb is None:
        return lookup(rng, split, thing)
    for _ in range(20):
        verb = verb or rng.choice(VERBS)
        if side(verb + thing) == split:
            break
        verb, thing = None, noun(rng, split)
    verb = verb or rng.choice(VERBS)
    extras = rng.sample(list(EXTRA), rng.choice([0, 1, 1, 1, 2, 2, 3]))
    slots: list[Slot] = []
    asks = [f"~{verb} (the|a|my) {thing}"]
    for number, key in enumerate(extras):
        kind, names, said = EXTRA[key]
        needed = number == 0 or rng.random() < 0.5
        slots.append(Slot(key, kind, tuple(names.split("|")), needed))
        said = said if needed else f"({said}|)"
        asks = [f"{ask} {said}".replace(" (", "( ", 1) if not needed else f"{ask} {said}" for ask in asks]
    capital = verb.capitalize()
    about = f"({capital}|{capital}s) (a|the|one) {thing}(| of the user| in the shop|)"
    if extras and rng.random() < 0.5:
        about += f" (by|with) (its|the|a) {rng.choice(extras)}"
    names = [f"{verb}_{thing}", f"{verb}_{thing}", f"{thing}_{verb}", f"{verb}_the_{thing}", f"{verb}_one_{thing}", f"do_{verb}_{thing}", f"{thing}_{verb}er"]
    return Domain(thing, MADE, [rng.choice(names)], [about], slots, asks, [("status", "one:ok,done,started,saved"), ("id", "int:1:999")][: rng.choice([1, 1, 2])])


def lookup(rng: random.Random, split: Split, thing: str) -> Domain:
    attribute = rng.choice(ATTRIBUTES)
    kind = rng.choice(["word", "person", "title", "int:1:9999"])
    named = "{which}" if kind != "int:1:9999" else "(number |){which}"
    slots = [Slot("which", kind, ("name", thing, "id", "key", "which", f"{thing}_name"), True)]
    names = [f"get_{thing}_{attribute}", f"{thing}_{attribute}", f"find_{attribute}_of_{thing}", f"lookup_{thing}", f"{attribute}_of_{thing}"]
    if side(attribute, 4) == split:
        names += [f"get_{attribute}", f"check_{attribute}"]
    asks = [f"(what is|what's) the {attribute} of( the| my|) {thing} {named}?", f"~(tell me|get|show me|look up|find|check) the {attribute} of( the| my|) {thing} {named}", f"{attribute} of {thing} {named}?"]
    result = "int:1:999" if attribute not in ("colour", "owner", "status", "address") else {"colour": "colour", "owner": "person"}.get(attribute, "word")
    return Domain(thing, MADE, [rng.choice(names)], [f"(Get|Returns|Shows|Look up) the {attribute} of (a|the|one) {thing}(| by its name| in the list)"], slots, [rng.choice(asks)], [(attribute, result)])
