"""Inflects English words by rule. Irregular forms are listed if the thesaurus needs them."""
from __future__ import annotations

IRREGULAR = {
    "begin": ("began", "begun"), "break": ("broke", "broken"), "bring": ("brought", "brought"), "build": ("built", "built"),
    "buy": ("bought", "bought"), "catch": ("caught", "caught"), "choose": ("chose", "chosen"), "come": ("came", "come"),
    "cut": ("cut", "cut"), "do": ("did", "done"), "draw": ("drew", "drawn"), "drink": ("drank", "drunk"), "drive": ("drove", "driven"),
    "eat": ("ate", "eaten"), "fall": ("fell", "fallen"), "find": ("found", "found"), "fly": ("flew", "flown"), "forbid": ("forbade", "forbidden"),
    "forget": ("forgot", "forgotten"), "freeze": ("froze", "frozen"), "get": ("got", "got"), "give": ("gave", "given"), "go": ("went", "gone"),
    "grow": ("grew", "grown"), "hide": ("hid", "hidden"), "hold": ("held", "held"), "keep": ("kept", "kept"), "know": ("knew", "known"),
    "lead": ("led", "led"), "leave": ("left", "left"), "lose": ("lost", "lost"), "make": ("made", "made"), "mean": ("meant", "meant"),
    "meet": ("met", "met"), "pay": ("paid", "paid"), "put": ("put", "put"), "read": ("read", "read"), "run": ("ran", "run"), "say": ("said", "said"),
    "see": ("saw", "seen"), "seek": ("sought", "sought"), "sell": ("sold", "sold"), "send": ("sent", "sent"), "set": ("set", "set"),
    "show": ("showed", "shown"), "shrink": ("shrank", "shrunk"), "shut": ("shut", "shut"), "sleep": ("slept", "slept"), "speak": ("spoke", "spoken"),
    "spend": ("spent", "spent"), "stand": ("stood", "stood"), "take": ("took", "taken"), "teach": ("taught", "taught"), "tell": ("told", "told"),
    "think": ("thought", "thought"), "throw": ("threw", "thrown"), "understand": ("understood", "understood"), "win": ("won", "won"), "write": ("wrote", "written"),
}
_DOUBLED = {"stop", "plan", "cut", "set", "put", "get", "run", "begin", "submit", "transfer", "permit", "drop", "log", "win", "swim", "ship", "bug", "debug", "hit", "spot", "tap", "trip", "zip", "cap", "chat", "tag", "wrap", "scan", "map", "step", "quit", "plug", "let", "sip", "nap", "forget", "refer", "occur", "split", "grab", "ban", "rub", "fit"}


def plural(word: str) -> str:
    """The plural of a noun, or the third person of a verb."""
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return word + "es"
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word + "s"


def gerund(verb: str) -> str:
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")):
        return verb[:-1] + "ing"
    return (verb + verb[-1] if verb in _DOUBLED else verb) + "ing"


def past(verb: str) -> str:
    if verb in IRREGULAR:
        return IRREGULAR[verb][1]
    if verb.endswith("e"):
        return verb + "d"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return verb[:-1] + "ied"
    return (verb + verb[-1] if verb in _DOUBLED else verb) + "ed"


def simple_past(verb: str) -> str:
    return IRREGULAR[verb][0] if verb in IRREGULAR else past(verb)


def on_head(form, phrase: str, noun: bool) -> str:
    """Inflects the last word of a noun phrase, or the first word of a verb phrase."""
    words = phrase.split(" ")
    at = -1 if noun else 0
    words[at] = form(words[at])
    return " ".join(words)
