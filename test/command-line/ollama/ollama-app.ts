import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ModelEntry } from '../../../src/shared/models/model-entry.ts';
import type { PageFetch } from '../../../src/command-line/browser/page-fetch.ts';
import { createOllamaFetch } from '../../../src/command-line/ollama/create-ollama-fetch.ts';
import { createTestApp, MODELS, ORIGIN, type TestApp } from '../../service-worker/support/test-app.ts';
import published from './published-ollama.json' with { type: 'json' };

const [POCKET, SEER] = MODELS as [ModelEntry, ModelEntry];
const VECTORS: ModelEntry = { ...POCKET, id: 'pocket-embed', contextWindow: 3, embedding: { dimensions: 2 } };
const TAGGED: ModelEntry = { ...POCKET, id: 'tagged:latest' };

export interface OllamaApp {
  /** The endpoint to which Ollama's requests are translated. */
  readonly app: TestApp;
  /** Sends a request. A string is sent as the body unchanged. Default: POST if there is a body, no headers. */
  ask(path: string, body?: unknown, options?: { method?: string; headers?: Record<string, string> }): Promise<Response>;
  /** Returns the parsed lines of a stream. */
  lines(path: string, body: object): Promise<readonly Record<string, unknown>[]>;
}

/** Ollama's API on top of the endpoint's own app, with a scripted engine. */
export function createOllamaApp(overrides: Parameters<typeof createTestApp>[0] = {}): OllamaApp {
  const app = createTestApp({ models: async () => [POCKET, SEER, VECTORS, TAGGED], ...overrides });
  const pageFetch: PageFetch = ({ path, method = 'GET', headers = [], body = null, signal }) =>
    app.fetch(
      new Request(`${ORIGIN}${path}`, {
        method,
        headers: headers.map(([name, value]): [string, string] => [name, value]),
        body: body && new Uint8Array(body),
        ...(signal ? { signal } : {}),
      }),
      {},
    );
  const fetch = createOllamaFetch(pageFetch);
  const ask: OllamaApp['ask'] = (path, body, { method, headers = {} } = {}) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return fetch({
      path,
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: Object.entries(headers),
      body: body === undefined ? null : Buffer.from(text),
    });
  };
  return {
    app,
    ask,
    async lines(path, body) {
      const text = await (await ask(path, body)).text();
      if (!text.endsWith('\n')) throw new Error(`The last line does not end: ${text}`);
      return text
        .slice(0, -1)
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    },
  };
}

const ajv = new Ajv2020({ strict: false });
ajv.addSchema(published, 'published');

/** Returns the differences of `value` from a schema of the published description. */
export function formErrors(name: keyof (typeof published)['$defs'], value: unknown): string[] {
  const validate = ajv.getSchema(`published#/$defs/${name}`)!;
  if (validate(value) === true) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
