"""Uses the official Python clients by their defaults, with a tool that the model calls by itself. Prints one line of
JSON: what each client ended with and which cities its tool was asked for. Argument: the base URL, which ends in /v1."""

import json
import sys

import anthropic
import openai
from agents import (
    Agent,
    OpenAIChatCompletionsModel,
    OpenAIResponsesModel,
    Runner,
    function_tool,
    set_tracing_disabled,
)

BASE = sys.argv[1]
QUESTION = "What is the weather in Paris?"
DESCRIPTION = "Get the weather of a city."
asked = []
outcomes = {}


def weather_of(city):
    asked.append(city)
    return "18 degrees, sunny"


@anthropic.beta_tool(description=DESCRIPTION)
def get_weather(city: str) -> str:
    """Get the weather of a city.

    Args:
        city: The name of the city.
    """
    return weather_of(city)


@function_tool(name_override="get_weather", description_override=DESCRIPTION)
def agents_weather(city: str) -> str:
    return weather_of(city)


def note(name, words):
    outcomes[name] = {"words": words, "asked": list(asked)}
    asked.clear()


def text_of(message):
    return "".join(block.text for block in message.content if block.type == "text")


messages = anthropic.Anthropic(base_url=BASE.removesuffix("/v1"), api_key="local")
request = {
    "model": "pocket",
    "max_tokens": 300,
    "tools": [get_weather],
    "messages": [{"role": "user", "content": QUESTION}],
}
note("anthropic tool_runner", text_of(messages.beta.messages.tool_runner(**request).until_done()))
last = None
for stream in messages.beta.messages.tool_runner(**request, stream=True):
    last = stream.get_final_message()
note("anthropic tool_runner, streamed", text_of(last))

set_tracing_disabled(True)
client = openai.AsyncOpenAI(base_url=BASE, api_key="local")
for name, model in (("chat", OpenAIChatCompletionsModel), ("responses", OpenAIResponsesModel)):
    agent = Agent(name="Guide", tools=[agents_weather], model=model(model="pocket", openai_client=client))
    note(f"openai-agents on {name}", Runner.run_sync(agent, QUESTION).final_output)

vectors = openai.OpenAI(base_url=BASE, api_key="local").embeddings.create(model="pocket-embed", input=["a", "b"])
outcomes["openai embeddings"] = {"words": f"{len(vectors.data)} vectors", "asked": []}
print(json.dumps(outcomes))
