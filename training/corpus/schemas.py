"""Conversations for answers with a JSON schema. The prompt does not contain the schema: the grammar forces the keys.

So a training conversation is a question and an object with arbitrary keys. The beginning of the object has no loss
(role ``object`` in ``template.py``), because without a grammar the same questions get answers in words.
"""
from __future__ import annotations

import json
import random
from typing import Any

from . import knowledge, stories, talk
from .objects import INVENTED, THINGS
from .sample import Conversation
from .system import instruction, with_core
from .tool_domains import wording
from .tool_values import value
from .unknown import unknown
from .wording import Split, casual, side

Made = tuple[Any, dict[str, Any]]
"""A value and its schema."""
FREE = {  # kind of value: the keys that can have it
    "person": "name first_name full_name author owner user director singer actor winner friend customer teacher student sender recipient hero speaker contact person character".split(),
    "surname": "last_name surname family_name".split(),
    "place": "city location place town destination origin hometown birthplace capital venue where".split(),
    "country": "country nation country_name".split(),
    "title": "title subject event event_name topic headline product product_name task item label heading book song movie film project meeting".split(),
    "sentence": "description summary text message comment body content note reason explanation bio plot details review answer response result caption greeting slogan question".split(),
    "word": "word category type kind tag keyword code brand genre species theme mood sentiment status department group field ingredient animal fruit tool object material".split(),
    "colour": "color colour favorite_color eye_color".split(),
    "food": "food dish meal favorite_food dessert cuisine recipe".split(),
    "language": "language native_language".split(),
    "email": "email email_address mail".split(),
    "url": "url website link homepage".split(),
    "date": "date birthday due_date start_date created_at deadline born".split(),
    "time": "time start_time opens hour".split(),
    "job": "job occupation profession role job_title".split(),
    "int:1:99": "age count quantity number amount score rating level rank pages size points id steps people guests".split(),
    "int:1:9": "stars difficulty floor rooms children seats".split(),
    "int:1900:2035": "year founded release_year birth_year published".split(),
    "int:100:999999": "population order_number zip phone views".split(),
    "decimal": "price weight height temperature confidence distance cost probability total latitude".split(),
    "bool": "active available is_open done happy in_stock valid verified completed is_student urgent married".split(),
}
JOBS = "teacher baker doctor farmer painter engineer nurse cook pilot writer singer driver gardener builder".split()
COUNTRIES = [row[0] for row in knowledge.COUNTRIES]
MORE_THINGS = THINGS + ("a character|an employee|a customer|a movie|a hotel|a restaurant|a student|a pet|a company|a planet|a hero|a user profile|a place|a blog post|a review|a ticket|an order|a contact|a meeting|"
                        "a holiday|a plant|a job offer|a school|a team|a game|a message|a story|an article|an invoice|a parcel|a room|a dish|a poem|a joke|a wizard|a robot|a pirate").split("|")
LEAD = ["", "", "Extract the information: ", "Extract the data. ", "Read this: ", "Text: ", "Extract the fields from this text: ", "What does it say? ", "Parse this: ", "Turn this into JSON: ", "Extract: ", "extract the event information. ", "Get the details: ", "Here is a text. "]
SYSTEMS = ["You are a helpful assistant.", "Extract the event information.", "Extract the data as JSON.", "Answer in JSON.", "You extract information.", "Reply with JSON only.", "You are a helpful assistant. Answer with JSON.", "Fill the schema."]


def free_value(kind: str, rng: random.Random, split: Split) -> Any:
    """Returns a random value of a kind; sometimes a typical one, such as a common name."""
    if kind == "bool":
        return rng.random() < 0.5
    if kind == "job":
        return rng.choice(JOBS)
    if kind == "country":
        return rng.choice(COUNTRIES)
    if kind == "surname":
        return rng.choice(["Miller", "Smith", "Berg", "Costa", "Novak", "Silva", "Brown"])
    usual = {"person": "name", "place": "city", "colour": "colour", "title": "title", "email": "email"}.get(kind)
    if usual and rng.random() < 0.5:
        return rng.choice(INVENTED[usual])
    return value(kind, rng, split)


def shape_of(kind: str) -> dict[str, Any]:
    if kind.startswith("int"):
        return {"type": "integer"}
    return {"type": {"bool": "boolean", "decimal": "number"}.get(kind, "string")}


def odd_key(rng: random.Random, split: Split) -> str:
    """Returns a key that consists of random words."""
    key = value("word", rng, split)
    if rng.random() < 0.4:
        key = f"{key}_{value('word', rng, split)}"
    return key if rng.random() < 0.8 else "".join(part.capitalize() if number else part for number, part in enumerate(key.split("_")))


def keyed(rng: random.Random, split: Split) -> tuple[str, str]:
    """Returns a key of this split, and the kind of its value."""
    if rng.random() < 0.12:
        return odd_key(rng, split), rng.choice(["word", "title", "sentence", "int:1:99", "person"])
    while True:
        kind = rng.choice(list(FREE))
        if rng.random() < 0.35:
            kind = rng.choice(["person", "title", "sentence", "word", "place"])
        key = rng.choice(FREE[kind])
        if rng.random() < 0.15:
            key = f"{rng.choice(['main', 'user', 'new', 'first', 'favorite', 'the', 'item', 'current'])}_{key}"
        if side(key) == split or rng.random() < 0.2:
            return (key if "_" not in key or rng.random() < 0.6 else "".join(p.capitalize() if n else p for n, p in enumerate(key.split("_")))), kind


def member(rng: random.Random, split: Split, depth: int) -> tuple[str, Made]:
    """Returns a key with a value: a scalar, a list or a small object."""
    key, kind = keyed(rng, split)
    roll = rng.random()
    if roll < 0.1:
        items = [free_value(kind, rng, split) for _ in range(rng.randint(1, 3))]
        plural = key + "s" if not key.endswith("s") else key
        return plural, (items, {"type": "array", "items": shape_of(kind)})
    if roll < 0.16 and depth == 0:
        inner, schema = free_object(rng, split, rng.choice([1, 2, 2, 3]), 1)
        return key, (inner, schema)
    if roll < 0.2 and depth == 0:
        inner, schema = free_object(rng, split, rng.choice([1, 2]), 1)
        return key + "s", ([inner], {"type": "array", "items": schema})
    if roll < 0.27:
        options = [value("word", rng, split) for _ in range(rng.randint(2, 4))]
        return key, (rng.choice(options), {"type": "string", "enum": options})
    return key, (free_value(kind, rng, split), shape_of(kind))


def free_object(rng: random.Random, split: Split, count: int, depth: int = 0) -> tuple[dict[str, Any], dict[str, Any]]:
    made: dict[str, Any] = {}
    properties: dict[str, Any] = {}
    while len(made) < count:
        key, (item, shape) = member(rng, split, depth)
        if key not in made:
            made[key], properties[key] = item, shape
    return made, {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def thing_asked(rng: random.Random, split: Split) -> str:
    thing = rng.choice(MORE_THINGS)
    return casual(wording(ASKS, rng, split, False).replace("{thing}", thing).replace("{bare}", thing.split(" ", 1)[1]), rng)


ASKS = ["(make up|invent|create|describe|generate|give me|show me|write|imagine) {thing}(|.| please|, please)", "(tell me|say something|write) about {thing}(|.| please)", "{thing}(|.| please)",
              "(please |)(make|create|generate) (a record|an object|json|the data) (for|of|about) {thing}(|.)", "(an example of|some data about|the data of) {thing}(|.| please)", "(i need|i want|i would like) {thing}(|.)",
              "(fill in|complete) the (form|data|fields) (for|of) {thing}(|.)", "(random|sample|fake|test) {bare}(|.)"]

FACTS = [  # pattern of a statement, and the kinds of its slots
    ("{name} is {age} years old and lives in {city}.", "name:person age:int:2:99 city:place"), ("{name} lives in {city}.", "name:person city:place"), ("{name} is {age}.", "name:person age:int:2:99"),
    ("My name is {name} and I am {age} years old.", "name:person age:int:5:99"), ("My name is {name}, I live in {city} and my email is {email}.", "name:person city:place email:email"),
    ("{name} works as a {job} in {city}.", "name:person job:job city:place"), ("I am {name}, a {job} from {city}.", "name:person job:job city:place"),
    ("{title} on {date} at {time} in {city}.", "title:title date:day time:time city:place"), ("{title} is on {date}.", "title:title date:day"), ("We meet for {title} {date} at {time}.", "title:title date:day time:time"),
    ("{name} and {friend} are going to {title} on {date}.", "name:person friend:person title:title date:day"), ("The {item} costs {price} euros.", "item:word price:int:1:900"),
    ("{name} ordered {count} {item} for {price} dollars.", "name:person count:int:2:40 item:word price:int:5:900"), ("Order {number}: {count} {item} to {city}.", "number:int:10:9999 count:int:2:30 item:word city:place"),
    ("The film {title} was made by {name} in {year}.", "title:title name:person year:int:1930:2030"), ("{title} is a book by {name}, {pages} pages long.", "title:title name:person pages:int:40:900"),
    ("{name} likes {colour} and {food}.", "name:person colour:colour food:food"), ("The {colour} {item} belongs to {name}.", "colour:colour item:word name:person"), ("Call {name} at {phone}.", "name:person phone:int:10000:99999"),
    ("In {city} it is {temperature} degrees.", "city:place temperature:int:-9:38"), ("A flight from {origin} to {destination} on {date}.", "origin:place destination:place date:day"),
    ("{name} speaks {language}.", "name:person language:language"), ("Write to {name} at {email}.", "name:person email:email"), ("{name} scored {points} points for {team}.", "name:person points:int:1:99 team:team"),
]
SYNONYMS = {"name": "name person full_name who customer user author", "age": "age years user_age", "city": "city place location town", "email": "email mail address", "job": "job occupation profession role", "title": "title event name_of_event subject event_name",
            "date": "date day when", "time": "time start hour", "friend": "friend second_person other companion", "item": "item product object thing", "price": "price cost amount", "count": "count quantity number_of_items",
            "number": "number id order_id order", "year": "year released year_made", "pages": "pages length page_count", "colour": "colour color", "food": "food dish favorite_food", "phone": "phone number phone_number",
            "temperature": "temperature degrees", "origin": "origin from start", "destination": "destination to target", "language": "language speaks", "points": "points score", "team": "team club side"}


def extracted(rng: random.Random, split: Split) -> tuple[str, dict[str, Any], dict[str, Any]]:
    """Returns a statement and an object with the facts that it states."""
    for _ in range(30):
        pattern, kinds = rng.choice(FACTS)
        if side(pattern, 6) == split or split == "train":
            break
    made: dict[str, Any] = {}
    properties: dict[str, Any] = {}
    parts = [part.split(":", 1) for part in kinds.split(" ")]
    kept = parts if rng.random() < 0.75 else rng.sample(parts, rng.randint(1, len(parts)))
    if rng.random() < 0.25:
        kept = rng.sample(kept, len(kept))
    values = {slot: rng.choice(JOBS) if kind == "job" else value(kind, rng, split) for slot, kind in parts}
    for slot, kind in kept:
        names = SYNONYMS[slot].split()
        key = names[0] if rng.random() < 0.5 else rng.choice([name for name in names if side(slot + name, 5) == split] or names)
        if key in made:
            continue
        made[key], properties[key] = values[slot], shape_of(kind)
    text = pattern
    for slot, item in values.items():
        text = text.replace(f"{{{slot}}}", str(item))
    return rng.choice(LEAD) + text, made, {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def answered(rng: random.Random, split: Split) -> tuple[str, dict[str, Any], dict[str, Any]]:
    """Returns a question and an object whose value is the answer, either short or as a sentence."""
    one = with_core(rng, split) if rng.random() < 0.6 else rng.choice([knowledge.glossary, talk.identity, talk.small_talk, unknown, stories.story])(rng, split)
    core = one.core if one.core and rng.random() < 0.6 else one.answer
    number = core.lstrip("-").isdigit()
    key = rng.choice(["answer", "answer", "result", "text", "response", "reply", "value", "solution", "final_answer", "message"])
    made: dict[str, Any] = {key: int(core) if number else core}
    properties: dict[str, Any] = {key: {"type": "integer" if number else "string"}}
    if rng.random() < 0.35:
        extra, kind = rng.choice([("confidence", "decimal"), ("certain", "bool"), ("explanation", "sentence"), ("reason", "sentence"), ("score", "int:1:99"), ("topic", "word"), ("source", "word")])
        item: Any = one.answer if kind == "sentence" else free_value(kind, rng, split)
        made[extra], properties[extra] = item, shape_of(kind)
    return one.question, made, {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def shaped(rng: random.Random, split: Split, kind: str | None = None) -> Conversation:
    """A question whose answer is an object. ``expect`` has its schema and, if the question determines them, its values."""
    kind = kind or rng.choices(["free", "extract", "answer"], [45, 40, 15])[0]
    expect: dict[str, Any]
    if kind == "extract":
        question, made, schema = extracted(rng, split)
        expect = {"schema": schema, "values": made}
    elif kind == "answer":
        question, made, schema = answered(rng, split)
        expect = {"schema": schema}
    else:
        made, schema = free_object(rng, split, rng.choice([1, 2, 2, 3, 3, 4, 5]))
        question = thing_asked(rng, split) if rng.random() < 0.75 else value(rng.choice(["topic", "title", "sentence"]), rng, split) if rng.random() < 0.5 else unknown(rng, split).question
        expect = {"schema": schema}
    messages = [("user", question), ("object", json.dumps(made, ensure_ascii=False))]
    roll = rng.random()
    if roll < 0.2:
        messages.insert(0, ("system", rng.choice(SYSTEMS)))
    elif roll < 0.25:
        messages.insert(0, ("system", instruction("plain", rng, split)))
    return Conversation("schema", messages, expect)

