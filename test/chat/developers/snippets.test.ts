import { expect, test } from 'vitest';
import { SNIPPETS, type SnippetName, type SnippetValues } from '../../../src/chat/developers/snippets.ts';

const VALUES: SnippetValues = {
  baseUrl: 'https://tabserve.test/v1',
  model: 'pocket',
  key: 'local',
  question: 'It\'s a "test", isn\'t it?\n\\ ${x} `y`',
};

const AsyncFunction = (async () => {}).constructor as new (
  ...parameters: string[]
) => (...values: unknown[]) => Promise<void>;

/** Runs an example unchanged, with its imports served from this repository's packages. */
async function run(
  name: SnippetName,
): Promise<{ requests: { url: string; body: Record<string, unknown>; key: string | null }[]; printed: string }> {
  const requests: { url: string; body: Record<string, unknown>; key: string | null }[] = [];
  const printed: string[] = [];
  const fetch = async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, init);
    requests.push({
      url: request.url,
      key: request.headers.get('authorization'),
      body: (await request.json()) as Record<string, unknown>,
    });
    return new Response(STREAM, { headers: { 'content-type': 'text/event-stream' } });
  };
  const code = SNIPPETS[name](VALUES).replaceAll(/^import (.*) from '(.*)';$/gm, (_, names: string, path: string) => {
    const binding = names.startsWith('{') ? names : `{ default: ${names} }`;
    return `const ${binding} = await load('${path}');`;
  });
  const original = globalThis.fetch;
  globalThis.fetch = fetch as typeof globalThis.fetch;
  try {
    await new AsyncFunction('load', 'console', 'fetch', code)(
      load,
      { log: (text: unknown) => printed.push(String(text)) },
      fetch,
    );
  } finally {
    globalThis.fetch = original;
  }
  return { requests, printed: printed.join('') };
}

function load(path: string): Promise<unknown> {
  switch (path) {
    case 'openai':
      return import('openai');
    case 'ai':
      return import('ai');
    case '@ai-sdk/openai-compatible':
      return import('@ai-sdk/openai-compatible');
    case '@langchain/openai':
      return import('@langchain/openai');
    default:
      throw new Error(`${path} is not a package an example may use.`);
  }
}

const chunk = (delta: object, reason: string | null = null) =>
  `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'pocket', choices: [{ index: 0, delta, finish_reason: reason, logprobs: null }] })}\n\n`;
const STREAM = `${chunk({ role: 'assistant', content: '' })}${chunk({ content: 'Hel' })}${chunk({ content: 'lo.' })}${chunk({}, 'stop')}data: [DONE]\n\n`;

test.each(Object.keys(SNIPPETS) as SnippetName[])(
  'the %s example runs as shown, and sends the expected request',
  async (name) => {
    const { requests, printed } = await run(name);
    expect(requests).toHaveLength(1);
    const { url, key, body } = requests[0]!;
    expect(url).toBe('https://tabserve.test/v1/chat/completions');
    expect(key).toBe('Bearer local');
    expect(body).toMatchObject({
      model: 'pocket',
      stream: true,
      messages: [{ role: 'user', content: VALUES.question }],
    });
    expect(printed).toContain('Hel');
    expect(printed).toContain('lo.');
  },
);
