"""Uses Python clients by their defaults, with a tool that the model calls by itself. Prints one line of
JSON: what each client ended with and which cities its tool was asked for. Argument: the base URL, which ends in /v1."""

import io
import json
import pathlib
import sys

import anthropic
import openai
import tiktoken
from agents import (
    Agent,
    OpenAIChatCompletionsModel,
    OpenAIResponsesModel,
    Runner,
    function_tool,
    set_tracing_disabled,
)
from langchain_openai import OpenAIEmbeddings
from pydantic import BaseModel
from pydantic_ai import Agent as PydanticAgent, NativeOutput
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel as PydanticResponsesModel
from pydantic_ai.providers.openai import OpenAIProvider

BASE = sys.argv[1]
QUESTION = "What is the weather in Paris?"
DESCRIPTION = "Get the weather of a city."
asked = []
outcomes = {}


def weather_of(city: str) -> str:
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



class Weather(BaseModel):
    city: str
    degrees: int


provider = OpenAIProvider(base_url=BASE, api_key="local")
for name, model in (("chat", OpenAIChatModel), ("responses", PydanticResponsesModel)):
    # The schema of the answer and a tool in one request.
    pydantic = PydanticAgent(model("pocket", provider=provider), output_type=NativeOutput(Weather))
    pydantic.tool_plain(weather_of, name="get_weather", description=DESCRIPTION)
    note(f"pydantic-ai on {name}", str(pydantic.run_sync(QUESTION).output))

# Instead of OpenAI's vocabulary, which tiktoken would download: a token for each byte.
ranks = {bytes([value]): value for value in range(256)}
bytes_as_tokens = tiktoken.Encoding("bytes", pat_str=".", mergeable_ranks=ranks, special_tokens={})
tiktoken.encoding_for_model = tiktoken.get_encoding = lambda name: bytes_as_tokens
settings = {"model": "pocket-embed", "base_url": BASE, "api_key": "local"}
try:
    refusal = f"{len(OpenAIEmbeddings(**settings).embed_documents(['a', 'b']))} vectors"
except openai.BadRequestError as error:
    refusal = str(error)
outcomes["langchain-openai embeddings of tokens"] = {"words": refusal, "asked": []}
texts = OpenAIEmbeddings(**settings, check_embedding_ctx_length=False).embed_documents(["a", "b"])
outcomes["langchain-openai embeddings"] = {"words": f"{len(texts)} vectors", "asked": []}

vectors = openai.OpenAI(base_url=BASE, api_key="local").embeddings.create(model="pocket-embed", input=["a", "b"])
outcomes["openai embeddings"] = {"words": f"{len(vectors.data)} vectors", "asked": []}
client = openai.OpenAI(base_url=BASE, api_key="local")
store = client.vector_stores.create(name="Notes")
notes = {"whales.txt": "The blue whale eats krill.", "rules.txt": "Guests may park in front of the house until ten."}
files = [(name, io.BytesIO(text.encode())) for name, text in notes.items()]
harbour = pathlib.Path(__file__).parent.parent / "document-reader/files/table-fpdf2.pdf"
files.append(("harbour.pdf", io.BytesIO(harbour.read_bytes())))
batch = client.vector_stores.file_batches.upload_and_poll(vector_store_id=store.id, files=files)
found = client.vector_stores.search(store.id, query="When may guests park?", max_num_results=1)
in_pdf = client.vector_stores.search(store.id, query="How long is the quay?", max_num_results=1).data[0]
response = client.responses.create(
    model="pocket",
    input="When may guests park?",
    tools=[{"type": "file_search", "vector_store_ids": [store.id]}],
    include=["file_search_call.results"],
)
results = [result.filename for result in response.output[0].results]
page = f"{in_pdf.filename} page {int(in_pdf.attributes['page'])}"
words = f"{batch.status} {batch.file_counts.completed}, {found.data[0].filename}, {results[0]}, {page}"
outcomes["openai files"] = {"words": words, "asked": []}
print(json.dumps(outcomes))
