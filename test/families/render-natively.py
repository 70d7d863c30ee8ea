"""Renders conversations with chat templates as the Python library transformers does.

usage: render-natively.py FILE  (JSON: [{"template": …, "input": …}])

Prints a JSON list: for each case {"text": …} or {"error": …}.
"""
import datetime
import json
import sys

import jinja2
from jinja2 import ext, nodes
from jinja2.sandbox import ImmutableSandboxedEnvironment


class GenerationTag(ext.Extension):
    """The tag {% generation %}, which marks the assistant's text for training and writes nothing."""

    tags = {"generation"}

    def parse(self, parser):
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return nodes.Scope(body, lineno=line)


def raise_exception(message):
    raise jinja2.exceptions.TemplateError(message)


def tojson(value, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


environment = ImmutableSandboxedEnvironment(
    trim_blocks=True, lstrip_blocks=True, extensions=[ext.loopcontrols, GenerationTag]
)
environment.filters["tojson"] = tojson
environment.globals["raise_exception"] = raise_exception
environment.globals["strftime_now"] = lambda form: datetime.datetime.now().strftime(form)


def render(case):
    try:
        return {"text": environment.from_string(case["template"]).render(**case["input"])}
    except Exception as error:
        return {"error": str(error)}


with open(sys.argv[1], encoding="utf-8") as file:
    cases = json.load(file)
print(json.dumps([render(case) for case in cases]))
