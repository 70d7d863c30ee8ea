import { expect, test } from 'vitest';
import type { ApiErrorCode } from '../../../src/shared/api-error.ts';
import type { ChatMessage } from '../../../src/shared/engine/completion-request.ts';
import { readError } from '../support/read-error.ts';
import { createTestApp, GOOD_BODY } from '../support/test-app.ts';

const user = (content: unknown): object => ({ role: 'user', content });
const part = (text: unknown): object => ({ type: 'text', text });
const image = (url: unknown): object => ({ type: 'image_url', image_url: url });
const said = (
  content: string,
  toolCalls: ChatMessage & { role: 'assistant' } extends { toolCalls: infer T } ? T : never = [],
) => ({ role: 'assistant', content, toolCalls }) as const;
const call = (more: object = {}): object => ({
  id: 'call_1',
  type: 'function',
  function: { name: 'f', arguments: '{"a":1}' },
  ...more,
});
const SYSTEM = { role: 'system', content: 'S' };
const PNG = 'data:image/png;base64,AAAA';
const TRICKY = "a$$b $& $` $' {user_message} {function_string} {{x}} %s \u0000\u001b[31m \\n \r\n 👩‍👩‍👧 \ud800";

const ACCEPTED: readonly (readonly [name: string, message: object, becomes: ChatMessage])[] = [
  ['a system message', { role: 'system', content: 'S' }, { role: 'system', content: 'S' }],
  ['a developer message', { role: 'developer', content: 'S' }, { role: 'system', content: 'S' }],
  [
    'a system message in parts',
    { role: 'system', content: [part('a'), part('b')] },
    { role: 'system', content: 'a\nb' },
  ],
  ['a user message', user('U'), { role: 'user', content: 'U' }],
  ['an empty user message', user(''), { role: 'user', content: '' }],
  ['a user message in parts', user([part('a'), part(''), part('c')]), { role: 'user', content: 'a\n\nc' }],
  ['a user message without parts', user([]), { role: 'user', content: '' }],
  ['text that looks like a template', user(TRICKY), { role: 'user', content: TRICKY }],
  ['a name, which is dropped', { role: 'user', name: 'bob', content: 'U' }, { role: 'user', content: 'U' }],
  ['an unknown field', { role: 'user', content: 'U', mood: { good: true } }, { role: 'user', content: 'U' }],
  ['an assistant message', { role: 'assistant', content: 'A' }, said('A')],
  [
    'an assistant message in parts',
    { role: 'assistant', content: [part('a'), { type: 'refusal', refusal: 'no' }] },
    said('a\nno'),
  ],
  ['an assistant refusal', { role: 'assistant', content: null, refusal: 'I will not.' }, said('I will not.')],
  [
    'fields that responses have',
    {
      role: 'assistant',
      content: 'A',
      refusal: null,
      annotations: [],
      audio: null,
      reasoning_content: 'hm',
      tool_calls: null,
      name: 'a',
    },
    said('A'),
  ],
  [
    'a function message',
    { role: 'function', name: 'f', content: 'T' },
    { role: 'tool', content: 'T', toolCallId: 'f' },
  ],
  [
    'a function message with null',
    { role: 'function', name: 'f', content: null },
    { role: 'tool', content: '', toolCallId: 'f' },
  ],
];

test.each(ACCEPTED)('accepts %s', async (_name, message, becomes) => {
  const { messages } = await createTestApp().received({ messages: [user('Hi'), message] });
  expect(messages).toEqual([{ role: 'user', content: 'Hi' }, becomes]);
});

const CALL = { role: 'assistant', content: null, tool_calls: [call()] };
const SAID_CALL = said('', [{ id: 'call_1', name: 'f', arguments: '{"a":1}' }]);
const reply = (content: unknown = 'T', id = 'call_1'): object => ({ role: 'tool', tool_call_id: id, content });
const twoCalls = { role: 'assistant', tool_calls: [call(), call({ id: 'call_2' })] };

test.each([
  ['a text', 'T', 'T'],
  ['parts', [part('a'), part('b')], 'a\nb'],
])('accepts a tool call and its reply with %s', async (_name, content, becomes) => {
  const { messages } = await createTestApp().received({ messages: [user('Hi'), CALL, reply(content)] });
  expect(messages.slice(1)).toEqual([SAID_CALL, { role: 'tool', content: becomes, toolCallId: 'call_1' }]);
});

test.each<[string, object[], string]>([
  ['a reply without a call', [reply()], '[1].tool_call_id'],
  ['a reply to another call', [CALL, reply('T', 'call_9')], '[2].tool_call_id'],
  ['a reply that comes too late', [CALL, reply(), user('And?'), reply()], '[4].tool_call_id'],
  ['a call without a reply', [CALL, user('And?')], '[1].tool_calls'],
  ['a call in the last message', [CALL], '[1].tool_calls'],
  ['one call of two without a reply', [twoCalls, reply('T', 'call_2')], '[1].tool_calls'],
  ['a call with another message between it and its reply', [CALL, SYSTEM, reply()], '[1].tool_calls'],
])('rejects %s', async (_name, rest, path) => {
  const app = createTestApp();
  const error = await readError(await app.chat({ ...GOOD_BODY, messages: [user('Hi'), ...rest] }));
  expect(error).toMatchObject({ status: 400, code: 'invalid_value', param: `messages${path}` });
  expect(app.service.completions).toEqual([]);
});

test('accepts the results of two calls in any order, and one of them twice', async () => {
  const replies = [reply('b', 'call_2'), reply('a'), reply('a again')];
  const { messages } = await createTestApp().received({ messages: [twoCalls, ...replies, user('And?')] });
  expect(messages.map(({ role }) => role)).toEqual(['assistant', 'tool', 'tool', 'tool', 'user']);
});

const IMAGES: readonly (readonly [name: string, content: object[], becomes: readonly object[]])[] = [
  ['an image with its detail', [image({ url: PNG, detail: 'high' })], [{ type: 'image', url: PNG }]],
  ['a bare URL', [image(PNG)], [{ type: 'image', url: PNG }]],
  [
    'images between texts, in their order',
    [part('a'), image({ url: PNG }), part('b')],
    [part('a'), { type: 'image', url: PNG }, part('b')],
  ],
];

test.each(IMAGES)('a model with image support gets %s', async (_name, content, becomes) => {
  const { messages } = await createTestApp().received({ model: 'org/seer', messages: [user(content)] });
  expect(messages).toEqual([{ role: 'user', content: becomes }]);
});

type Refusal = readonly [name: string, message: unknown, code: ApiErrorCode, param: string];
const REFUSED: readonly Refusal[] = [
  ['a text instead of a message', 'Hi', 'invalid_type', ''],
  ['null instead of a message', null, 'invalid_type', ''],
  ['a list instead of a message', [], 'invalid_type', ''],
  ['no role', { content: 'Hi' }, 'missing_required_parameter', '.role'],
  ['null as role', { role: null, content: 'Hi' }, 'missing_required_parameter', '.role'],
  ['a number as role', { role: 1, content: 'Hi' }, 'invalid_type', '.role'],
  ['an unknown role', { role: 'wizard', content: 'Hi' }, 'invalid_value', '.role'],
  ['an assistant message without content', { role: 'assistant' }, 'missing_required_parameter', '.content'],
  [
    'an assistant message with null as content',
    { role: 'assistant', content: null },
    'missing_required_parameter',
    '.content',
  ],
  ['a name that is not a string', { role: 'user', name: 1, content: 'Hi' }, 'invalid_type', '.name'],
  ...['system', 'developer', 'user', 'tool'].flatMap((role): Refusal[] => [
    [`no ${role} content`, { role, tool_call_id: 'c' }, 'missing_required_parameter', '.content'],
    [`null as ${role} content`, { role, tool_call_id: 'c', content: null }, 'invalid_type', '.content'],
  ]),
  ...['system', 'user', 'assistant', 'tool', 'function'].flatMap((role): Refusal[] => [
    [`a number as ${role} content`, { role, tool_call_id: 'c', content: 1 }, 'invalid_type', '.content'],
    [`an object as ${role} content`, { role, tool_call_id: 'c', content: {} }, 'invalid_type', '.content'],
  ]),
  ['a string among parts', user(['Hi']), 'invalid_type', '.content[0]'],
  ['null among parts', user([part('a'), null]), 'invalid_type', '.content[1]'],
  ['a part without type', user([{ text: 'a' }]), 'missing_required_parameter', '.content[0].type'],
  ['a part type that is not a string', user([{ type: 1 }]), 'invalid_type', '.content[0].type'],
  ['an unknown part type', user([part('a'), { type: 'smell' }]), 'invalid_value', '.content[1].type'],
  ['a text part without text', user([{ type: 'text' }]), 'missing_required_parameter', '.content[0].text'],
  ['a text part with a number', user([part(1)]), 'invalid_type', '.content[0].text'],
  ['a refusal from the user', user([{ type: 'refusal', refusal: 'no' }]), 'invalid_value', '.content[0].type'],
  ['an image from the system', { role: 'system', content: [image(PNG)] }, 'invalid_value', '.content[0].type'],
  ['an image part without image', user([{ type: 'image_url' }]), 'missing_required_parameter', '.content[0].image_url'],
  ['an image without address', user([image({})]), 'missing_required_parameter', '.content[0].image_url.url'],
  ['an image address that is not a string', user([image({ url: 1 })]), 'invalid_type', '.content[0].image_url.url'],
  ...['https://x.test/1.png', 'HTTP://x.test/1.png', '/1.png', 'blob:https://x.test/1'].map((url): Refusal => [
    `an image to be fetched from ${url}`,
    user([image({ url })]),
    'invalid_value',
    '.content[0].image_url.url',
  ]),
  ['an image by file id', user([image({ url: 'file:///etc/passwd' })]), 'invalid_value', '.content[0].image_url.url'],
  [
    'an image address that is a web page',
    user([image('data:text/html;base64,AAAA')]),
    'invalid_value',
    '.content[0].image_url',
  ],
  ['an image for a text-only model', user([part('a'), image(PNG)]), 'unsupported_value', '.content[1].type'],
  ['a sound', user([{ type: 'input_audio', input_audio: {} }]), 'unsupported_value', '.content[0].type'],
  ['a file', user([{ type: 'file', file: {} }]), 'unsupported_value', '.content[0].type'],
  ['a tool message without id', { role: 'tool', content: 'T' }, 'missing_required_parameter', '.tool_call_id'],
  ['a tool id that is not a string', { role: 'tool', tool_call_id: 1, content: 'T' }, 'invalid_type', '.tool_call_id'],
  ['tool calls that are not a list', { role: 'assistant', tool_calls: {} }, 'invalid_type', '.tool_calls'],
  ['a tool call that is not an object', { role: 'assistant', tool_calls: [1] }, 'invalid_type', '.tool_calls[0]'],
  [
    'a tool call without id',
    { role: 'assistant', tool_calls: [call({ id: null })] },
    'missing_required_parameter',
    '.tool_calls[0].id',
  ],
  [
    'an unknown kind of call',
    { role: 'assistant', tool_calls: [call({ type: 'x' })] },
    'invalid_value',
    '.tool_calls[0].type',
  ],
  [
    'a call without a function',
    { role: 'assistant', tool_calls: [call({ function: null })] },
    'missing_required_parameter',
    '.tool_calls[0].function',
  ],
  [
    'a call without name',
    { role: 'assistant', tool_calls: [call({ function: { arguments: '' } })] },
    'missing_required_parameter',
    '.tool_calls[0].function.name',
  ],
  [
    'arguments that are not a string',
    { role: 'assistant', tool_calls: [call({ function: { name: 'f', arguments: {} } })] },
    'invalid_type',
    '.tool_calls[0].function.arguments',
  ],
];

test.each(REFUSED)('rejects %s', async (_name, message, code, path) => {
  const app = createTestApp();
  const error = await readError(await app.chat({ ...GOOD_BODY, messages: [user('Hi'), message] }));
  expect(error).toMatchObject({ status: 400, code, param: `messages[1]${path}` });
  expect(app.service.completions).toEqual([]);
});

test('audio is rejected by a model with image support', async () => {
  const messages = [user([image(PNG), { type: 'input_audio', input_audio: {} }])];
  const error = await readError(await createTestApp().chat({ model: 'org/seer', messages }));
  expect(error).toMatchObject({ code: 'unsupported_value', param: 'messages[0].content[1].type' });
});

test.each([
  ['only system messages', [SYSTEM, SYSTEM]],
  ['system messages anywhere', [user('a'), SYSTEM, user('b'), SYSTEM]],
  ['two users in a row', [user('a'), user('b')]],
  ['the assistant last', [user('a'), { role: 'assistant', content: 'b' }]],
])('accepts %s', async (_name, messages) => {
  const request = await createTestApp().received({ messages });
  expect(request.messages.map(({ role }) => role)).toEqual(messages.map(({ role }: { role?: string }) => role));
});

const asked = { role: 'user', content: 'Hi' };
const begun = { role: 'assistant', content: 'Once' };

test.each<[string, object]>([
  ['prefix', { messages: [asked, { ...begun, prefix: true }] }],
  ['partial', { messages: [asked, { ...begun, partial: true }] }],
  [
    'prefix of content in parts',
    { messages: [asked, { ...begun, content: [{ type: 'text', text: 'Once' }], prefix: true }] },
  ],
  ['continue_final_message', { messages: [asked, begun], continue_final_message: true, add_generation_prompt: false }],
  ['both', { messages: [asked, { ...begun, prefix: true }], continue_final_message: true }],
])('a last message of the assistant with %s is the beginning of the answer', async (_name, fields) => {
  expect(await createTestApp().received(fields)).toMatchObject({ messages: [asked], answerPrefix: 'Once' });
});

test('a last message of the assistant without such a mark is a turn before the answer', async () => {
  const messages = [asked, { ...begun, prefix: false }];
  expect(await createTestApp().received({ messages })).toMatchObject({
    messages: [asked, { role: 'assistant', content: 'Once' }],
    answerPrefix: '',
  });
});

test.each<[string, object, string]>([
  ['is not the last', { messages: [asked, { ...begun, prefix: true }, asked] }, 'messages[1].prefix'],
  ['is one of the user', { messages: [{ ...asked, partial: true }] }, 'messages[0].partial'],
  ['stands alone', { messages: [{ ...begun, prefix: true }] }, 'messages[0].prefix'],
  ['is one of the user, and the request says so', { continue_final_message: true }, 'continue_final_message'],
  ['calls a tool', { messages: [asked, { ...begun, prefix: true, tool_calls: [call()] }] }, 'messages[1].tool_calls'],
])('a beginning of the answer that %s is refused', async (_name, fields, param) => {
  const error = await readError(await createTestApp().chat({ ...GOOD_BODY, ...fields }));
  expect(error).toMatchObject({ status: 400, code: 'invalid_value', param });
});
