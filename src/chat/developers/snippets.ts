export interface SnippetValues {
  /** Base address with `/v1`, without a trailing slash. */
  readonly baseUrl: string;
  readonly model: string;
  readonly key: string;
  readonly question: string;
}

export const SNIPPETS = {
  fetch: ({ baseUrl, model, key, question }) => `const response = await fetch(${quote(`${baseUrl}/chat/completions`)}, {
  method: 'POST',
  headers: { authorization: ${quote(`Bearer ${key}`)}, 'content-type': 'application/json' },
  body: JSON.stringify({
    model: ${quote(model)},
    messages: [{ role: 'user', content: ${quote(question)} }],
    stream: true,
  }),
});
const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
for (;;) {
  const { done, value } = await reader.read();
  if (done) break;
  console.log(value);
}`,

  openai: ({ baseUrl, model, key, question }) => `import OpenAI from 'openai';

const client = new OpenAI({
  baseURL: ${quote(baseUrl)},
  apiKey: ${quote(key)},
  // Not dangerous here: the key gives access only to this browser's own endpoint.
  dangerouslyAllowBrowser: true,
});
const stream = await client.chat.completions.create({
  model: ${quote(model)},
  messages: [{ role: 'user', content: ${quote(question)} }],
  stream: true,
});
for await (const chunk of stream) {
  console.log(chunk.choices[0]?.delta.content ?? '');
}`,

  'ai-sdk': ({ baseUrl, model, key, question }) => `import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { streamText } from 'ai';

const tabserve = createOpenAICompatible({
  name: 'tabserve',
  baseURL: ${quote(baseUrl)},
  apiKey: ${quote(key)},
});
const { textStream } = streamText({
  model: tabserve(${quote(model)}),
  prompt: ${quote(question)},
});
for await (const text of textStream) {
  console.log(text);
}`,

  langchain: ({ baseUrl, model, key, question }) => `import { ChatOpenAI } from '@langchain/openai';

const model = new ChatOpenAI({
  model: ${quote(model)},
  apiKey: ${quote(key)},
  configuration: { baseURL: ${quote(baseUrl)} },
});
for await (const chunk of await model.stream(${quote(question)})) {
  console.log(chunk.content);
}`,
} as const satisfies Record<string, (values: SnippetValues) => string>;

export type SnippetName = keyof typeof SNIPPETS;

/** Returns a text as a JavaScript literal in single quotes. */
function quote(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1);
  return `'${inner.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}
