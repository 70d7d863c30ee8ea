import { expect, test } from 'vitest';
import { readForeignConversation } from '../../../src/chat/transfer/foreign/foreign-formats.ts';
import { NOTHING_LEFT_OUT, type LeftOut } from '../../../src/chat/transfer/left-out.ts';

/** The text and the thinking of the last message, and the counts of what was left out. */
function read(chat: object) {
  const { whole, left } = readForeignConversation(chat);
  if (typeof whole === 'string') throw new Error(whole);
  const last = whole.messages.at(-1)!;
  return { text: last.text, thinking: last.role === 'assistant' ? last.thinking : '', left };
}

const HELLO = { role: 'user', content: 'Hello' };
const answered = (...fields: readonly object[]) => ({
  messages: [HELLO, ...fields.map((one) => ({ role: 'assistant', ...one }))],
});
const webui = (content: string) => ({ chat: answered({ content }) });
const returned = (content: unknown) =>
  answered(
    { content: '', tool_calls: [{ id: 'a', function: { name: 'search', arguments: '{}' } }] },
    { role: 'tool', tool_call_id: 'a', content },
    { content: 'So.' },
  );

test.each<[name: string, chat: object, expected: { text?: string; thinking?: string }, left?: Partial<LeftOut>]>([
  // Results of tools.
  ['a result with numbers', returned({ count: 12, ok: true }), { thinking: 'search\n\n```\ncount: 12\nok: true\n```' }],
  ['a number as the result', returned(42), { thinking: 'search\n\n```\n42\n```' }],
  [
    'a result whose fields are named as technical ones',
    returned({ status: 'shipped', model: 'T-7', state: 'Ohio', format: 'A4' }),
    { thinking: 'search\n\n```\nstatus: shipped\nmodel: T-7\nstate: Ohio\nformat: A4\n```' },
  ],
  [
    'a result in a part',
    answered({
      content: [
        { type: 'tool_result', name: 'sum', content: [{ type: 'json', json: { total: 1234, label: 'Sum' } }] },
        { type: 'text', text: 'So.' },
      ],
    }),
    { thinking: '```\ntype: json\njson:\ntotal: 1234\nlabel: Sum\n```' },
  ],
  [
    'a result in parts of text',
    returned([
      { type: 'text', text: 'One' },
      { type: 'text', text: 'Two' },
    ]),
    {
      thinking: 'search\n\n```\nOne\nTwo\n```',
    },
  ],
  [
    'an image in a result',
    returned([
      { type: 'text', text: 'A fox' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
    ]),
    { thinking: 'search\n\n```\nA fox\n```' },
    { images: 1 },
  ],
  // Fields of messages.
  ['a refusal', answered({ content: null, refusal: 'I cannot help' }), { text: 'I cannot help' }],
  ['a refusal beside text', answered({ content: 'Partly.', refusal: 'But no.' }), { text: 'Partly.\n\nBut no.' }],
  [
    'the words of speech',
    answered({ content: null, audio: { id: 'audio_1', data: 'AAAA', transcript: 'Hi' } }),
    { text: 'Hi' },
    {
      audio: 1,
    },
  ],
  [
    'a call of the old form',
    answered({ content: null, function_call: { name: 'search', arguments: '{"q":"fox"}' } }, { content: 'So.' }),
    { text: 'So.', thinking: 'search\n\n```\nq: fox\n```' },
  ],
  [
    'details of reasoning',
    answered({ content: 'So.', reasoning_details: [{ type: 'reasoning.text', text: 'Hm', signature: 'x1' }] }),
    { text: 'So.', thinking: 'Hm' },
  ],
  [
    'details that repeat the reasoning',
    answered({ content: 'So.', reasoning: 'Hm', reasoning_details: [{ type: 'reasoning.text', text: 'Hm' }] }),
    { text: 'So.', thinking: 'Hm' },
  ],
  [
    'citations of addresses',
    answered({
      content: 'So.',
      annotations: [{ type: 'url_citation', url_citation: { title: 'A', url: 'https://a.test', start_index: 0 } }],
    }),
    { text: 'So.\n\n- [A](https://a.test)' },
  ],
  ['quotes', answered({ content: 'So.', quotes: ['You said: fox'] }), { text: 'So.\n\nYou said: fox' }],
  ['a field of no known name', answered({ content: 'So.', postscript: { words: 'Bye' } }), { text: 'So.\n\nBye' }],
  ['a number as the content', answered({ content: 42 }), { text: '42' }],
  [
    'fields for programs',
    answered({
      content: 'So.',
      id: 'm1',
      object: 'message',
      model: 'm',
      status: 'done',
      finish_reason: 'stop',
      type: 'text',
      name: 'bot',
      usage: { unit: 'tokens' },
      metadata: { token: 'x' },
      endpoint: 'openai',
      annotations: [],
    }),
    { text: 'So.', thinking: '' },
  ],
  // The field `text` beside `content`.
  [
    'text beside thinking',
    answered({ text: 'The answer.', content: [{ type: 'think', think: 'Hm' }] }),
    {
      text: 'The answer.',
      thinking: 'Hm',
    },
  ],
  [
    'text beside a call',
    answered({ text: 'The answer.', content: [{ type: 'tool_call', tool_call: { name: 'python', args: '1+1' } }] }),
    { text: '```python\n1+1\n```\n\nThe answer.' },
  ],
  [
    'text that the content repeats',
    answered({ text: 'So.', content: [{ type: 'text', text: 'So.' }] }),
    { text: 'So.' },
  ],
  // Where the messages are.
  ['a field `chat` with a name', { chat: 'My chat', ...answered({ content: 'So.' }) }, { text: 'So.' }],
  ['a field `history` beside the messages', { history: 'kept', ...answered({ content: 'So.' }) }, { text: 'So.' }],
  ['messages in `history`', { title: 'T', history: answered({ content: 'So.' }).messages }, { text: 'So.' }],
  // Elements `details` in the text.
  [
    'details in the code of another product',
    answered({ content: '```html\n<details type="x"><summary>S</summary>B</details>\n```' }),
    { text: '```html\n<details type="x"><summary>S</summary>B</details>\n```', thinking: '' },
  ],
  [
    'details of reasoning that another product wrote',
    answered({ content: '<details type="reasoning"><summary>My words</summary>body</details>' }),
    { text: '<details type="reasoning"><summary>My words</summary>body</details>', thinking: '' },
  ],
  [
    'details in code',
    webui('~~~html\n<details type="reasoning">B</details>\n```\n~~~\nSo.'),
    { text: '~~~html\n<details type="reasoning">B</details>\n```\n~~~\nSo.', thinking: '' },
  ],
  [
    'details behind code',
    webui('```\nx\n```\n<details type="reasoning">Hm</details>\nSo.'),
    { text: '```\nx\n```\n\nSo.', thinking: 'Hm' },
  ],
  [
    'details in a code span',
    webui('Write `<details type="reasoning">B</details>`.'),
    { text: 'Write `<details type="reasoning">B</details>`.', thinking: '' },
  ],
  [
    'details within details',
    webui('<details type="reasoning">A <details>B</details> C</details>So.'),
    { text: 'So.', thinking: 'A <details>B</details> C' },
  ],
  [
    'details that name details',
    webui('<details type="reasoning">I use <details> now</details>So.'),
    { text: 'So.', thinking: 'I use <details> now' },
  ],
])('%s: the words are in the answer', (_name, chat, expected, left = {}) => {
  const result = read(chat);
  expect(result).toMatchObject(expected);
  expect(result.left).toEqual({ ...NOTHING_LEFT_OUT, ...left });
});

test('a text with many tags that do not end is read in bounded time', () => {
  const text = '<details type="a" '.repeat(100_000);
  expect(read(webui(text)).text).toBe(text);
});
