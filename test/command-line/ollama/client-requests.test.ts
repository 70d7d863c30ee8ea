import { expect, test } from 'vitest';
import captured from './client-requests.json' with { type: 'json' };
import { createOllamaApp, formErrors } from './ollama-app.ts';

type Request = (typeof captured.requests)[number];
type Form = Parameters<typeof formErrors>[0];

/** For each path, the schema of a whole response and of a line of a stream. */
const FORMS: Readonly<Record<string, readonly [whole: Form, line: Form]>> = {
  '/api/version': ['VersionResponse', 'VersionResponse'],
  '/api/tags': ['ListResponse', 'ListResponse'],
  '/api/ps': ['PsResponse', 'PsResponse'],
  '/api/show': ['ShowResponse', 'ShowResponse'],
  '/api/chat': ['ChatResponse', 'ChatStreamEvent'],
  '/api/generate': ['GenerateResponse', 'GenerateStreamEvent'],
  '/api/pull': ['StatusResponse', 'StatusResponse'],
};

/** Each request with its index in the file, for the titles of the tests. */
const REQUESTS = captured.requests.map((request, index) => ({ index, ...request }));

async function send({ path, method, body }: Request) {
  const response = await createOllamaApp().ask(path, body ?? undefined, { method });
  return { response, text: await response.text() };
}

test.for(REQUESTS.filter(({ status }) => status === 200))(
  'request $index, of $client to $path, gets a response in the published form',
  async (request) => {
    const { response, text } = await send(request);
    expect({ status: response.status, text }).toEqual({ status: 200, text });
    const isStream = request.body?.stream === true && request.path !== '/api/pull';
    expect(response.headers.get('content-type')).toMatch(isStream ? /^application\/x-ndjson/ : /^application\/json/);
    const lines = text.trimEnd().split('\n');
    expect(lines.length > 1).toBe(isStream);
    const form = FORMS[request.path]![isStream ? 1 : 0];
    expect(lines.flatMap((line) => formErrors(form, JSON.parse(line)))).toEqual([]);
  },
);

test.for(REQUESTS.filter(({ status }) => status !== 200))(
  'request $index, of $client to $path, is refused with an explanation',
  async (request) => {
    const { response, text } = await send(request);
    expect(response.status).toBe(request.status);
    expect(JSON.parse(text)).toEqual({ error: expect.stringMatching(/\.$/) });
  },
);
