"""A client of the chat-completions convention with Python's own HTTP only: one JSON answer, one stream, one
refusal. Prints what it got as one line of JSON. Argument: the base URL."""

import http.client
import json
import sys
from urllib.parse import urlsplit

BASE = urlsplit(sys.argv[1])
QUESTION = {
    "model": "pocket",
    "messages": [{"role": "user", "content": "What is a service worker?"}],
    "temperature": 0,
}


def post(body, key="local"):
    connection = http.client.HTTPConnection(BASE.hostname, BASE.port)
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    connection.request("POST", f"{BASE.path}/chat/completions", json.dumps(body), headers)
    return connection.getresponse()


choice = json.load(post(QUESTION))["choices"][0]

streamed = ""
for line in post({**QUESTION, "stream": True}):
    if not line.startswith(b"data: "):
        continue
    data = line[len(b"data: ") :].strip()
    if data == b"[DONE]":
        break
    streamed += json.loads(data)["choices"][0]["delta"].get("content", "")

print(
    json.dumps(
        {
            "content": choice["message"]["content"],
            "finishReason": choice["finish_reason"],
            "streamed": streamed,
            "status": post(QUESTION, key="wrong").status,
        }
    )
)
