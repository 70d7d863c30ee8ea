import { writeFileSync } from 'node:fs';
import { WEATHER_TOOL } from '../clients/chat-client.ts';

// Records the responses of a real server, byte by byte, for `stand-in-upstream.ts`:
//   npx tsx test/support/sites/record-upstream.ts http://127.0.0.1:8077/v1 right-key "llama-cpp-python 0.3.36"
const [baseUrl = '', key = '', server = ''] = process.argv.slice(2);

const question = {
  model: 'big-chat',
  temperature: 0,
  max_tokens: 64,
  messages: [{ role: 'user', content: 'What is a service worker?' }],
};
const tools = {
  ...question,
  messages: [{ role: 'user', content: 'What is the weather in Paris?' }],
  tools: [{ type: 'function', function: WEATHER_TOOL }],
  tool_choice: { type: 'function', function: { name: WEATHER_TOOL.name } },
};

async function ask(path: string, body: object | null, bearer = key) {
  const response = await fetch(`${baseUrl}${path}`, {
    method: body === null ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  return { status: response.status, type: response.headers.get('content-type'), body: await response.text() };
}

const answers = {
  chat: await ask('/chat/completions', question),
  stream: await ask('/chat/completions', { ...question, stream: true }),
  tools: await ask('/chat/completions', tools),
  toolStream: await ask('/chat/completions', { ...tools, stream: true }),
  completions: await ask('/completions', { model: 'big-chat', prompt: 'A token is', max_tokens: 8, temperature: 0 }),
  models: await ask('/models', null),
  wrongKey: await ask('/chat/completions', question, 'wrong'),
  tooLong: await ask('/chat/completions', {
    ...question,
    messages: [{ role: 'user', content: 'word '.repeat(3000) }],
  }),
};
const recorded = new Date().toISOString().slice(0, 10);
writeFileSync(
  new URL('recorded-upstream.json', import.meta.url),
  `${JSON.stringify({ server, recorded, answers }, null, 2)}\n`,
);
