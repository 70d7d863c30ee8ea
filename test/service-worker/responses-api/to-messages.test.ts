import { expect, test } from 'vitest';
import type { ChatMessage } from '../../../src/shared/engine/completion-request.ts';
import { readError } from '../support/read-error.ts';
import { createResponsesApp, GOOD_BODY } from './responses-app.ts';

const IMAGE = 'data:image/png;base64,AAAA';
const user = (text: string): ChatMessage => ({ role: 'user', content: text });
const call = (id: string, more: object = {}) => ({
  type: 'function_call',
  call_id: id,
  name: 'add',
  arguments: '{}',
  ...more,
});
const output = (id: string, said: unknown = `of ${id}`) => ({
  type: 'function_call_output',
  call_id: id,
  output: said,
});
const asked = (...ids: string[]) => ids.map((id) => ({ id, name: 'add', arguments: '{}' }));
const replied = (id: string): ChatMessage => ({ role: 'tool', content: `of ${id}`, toolCallId: id });

test.each<[what: string, input: object[], messages: ChatMessage[]]>([
  [
    'roles and forms of content',
    [
      { role: 'system', content: 'One.' },
      { role: 'developer', content: [{ type: 'input_text', text: 'Two.' }] },
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'a' },
          { type: 'input_text', text: 'b' },
        ],
      },
      { role: 'assistant', content: [{ type: 'output_text', text: 'Yes', annotations: [] }], id: 'msg_1', phase: null },
      { type: 'message', role: 'assistant', content: [{ type: 'refusal', refusal: 'No' }] },
      { role: 'assistant', content: 'Plain' },
      { type: 'message', role: 'user', content: 'c', status: 'completed' },
    ],
    [
      { role: 'system', content: 'One.' },
      { role: 'system', content: 'Two.' },
      user('a\nb'),
      { role: 'assistant', content: 'Yes', toolCalls: [] },
      { role: 'assistant', content: 'No', toolCalls: [] },
      { role: 'assistant', content: 'Plain', toolCalls: [] },
      user('c'),
    ],
  ],
  [
    'a call belongs to the text before it, and reasoning is left out',
    [
      { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm.' }], encrypted_content: 'x' },
      { role: 'assistant', content: 'Let me see.' },
      call('1', { id: 'fc_1', status: 'completed' }),
      output('1'),
      { role: 'user', content: 'Go on' },
    ],
    [{ role: 'assistant', content: 'Let me see.', toolCalls: asked('1') }, replied('1'), user('Go on')],
  ],
  [
    'consecutive calls are one turn',
    [{ role: 'user', content: 'a' }, call('1'), call('2'), output('2'), output('1')],
    [user('a'), { role: 'assistant', content: '', toolCalls: asked('1', '2') }, replied('1'), replied('2')],
  ],
  [
    'calls with their outputs between them are turns of their own',
    [call('1'), output('1'), { type: 'reasoning', id: 'rs', summary: [] }, call('2'), output('2')],
    [
      { role: 'assistant', content: '', toolCalls: asked('1') },
      replied('1'),
      { role: 'assistant', content: '', toolCalls: asked('2') },
      replied('2'),
    ],
  ],
  [
    'calls of two turns with the same id have their own outputs',
    [call('1'), output('1', 'first'), { role: 'user', content: 'Again' }, call('1'), output('1', 'second')],
    [
      { role: 'assistant', content: '', toolCalls: asked('1') },
      { role: 'tool', content: 'first', toolCallId: '1' },
      user('Again'),
      { role: 'assistant', content: '', toolCalls: asked('1') },
      { role: 'tool', content: 'second', toolCallId: '1' },
    ],
  ],
  [
    'a late output is moved after its call',
    [call('1'), { role: 'user', content: 'Well?' }, output('1')],
    [{ role: 'assistant', content: '', toolCalls: asked('1') }, replied('1'), user('Well?')],
  ],
  [
    'a call of a custom tool',
    [
      { type: 'custom_tool_call', call_id: '1', name: 'write', input: 'any text' },
      { type: 'custom_tool_call_output', call_id: '1', output: 'of 1' },
    ],
    [
      { role: 'assistant', content: '', toolCalls: [{ id: '1', name: 'write', arguments: 'any text', custom: true }] },
      replied('1'),
    ],
  ],
  [
    'a call of a tool in a group',
    [call('1', { namespace: 'crm' }), output('1')],
    [{ role: 'assistant', content: '', toolCalls: [{ id: '1', name: 'crm__add', arguments: '{}' }] }, replied('1')],
  ],
  [
    'an output in parts',
    [
      call('1'),
      output('1', [
        { type: 'input_text', text: 'of' },
        { type: 'input_text', text: 'it' },
      ]),
    ],
    [
      { role: 'assistant', content: '', toolCalls: asked('1') },
      { role: 'tool', content: 'of\nit', toolCallId: '1' },
    ],
  ],
])('%s', async (_, input, messages) => {
  const request = await createResponsesApp().received({ input });
  expect(request.messages).toEqual(messages);
});

test('images reach only a model that supports them', async () => {
  const content = [
    { type: 'input_text', text: 'What is it?' },
    { type: 'input_image', image_url: IMAGE, detail: 'low' },
  ];
  const app = createResponsesApp();
  const seen = await app.received({ model: 'org/seer', input: [{ role: 'user', content }] });
  expect(seen.messages[0]!.content).toEqual([
    { type: 'text', text: 'What is it?' },
    { type: 'image', url: IMAGE },
  ]);
  const refused = await readError(await app.respond({ ...GOOD_BODY, input: [{ role: 'user', content }] }));
  expect(refused).toMatchObject({ status: 400, code: 'unsupported_value', param: 'input[0].content[1].type' });
});

test('images that tools have given follow all outputs, as images of the user', async () => {
  const shown = { type: 'input_image', image_url: IMAGE };
  const input = [
    call('1'),
    call('2'),
    output('2', [shown]),
    output('1', [{ type: 'input_text', text: 'of 1' }, shown]),
    { role: 'user', content: 'Well?' },
  ];
  const app = createResponsesApp();
  const image = { type: 'image', url: IMAGE } as const;
  expect((await app.received({ model: 'org/seer', input })).messages).toEqual([
    { role: 'assistant', content: '', toolCalls: asked('1', '2') },
    replied('1'),
    { role: 'tool', content: '', toolCallId: '2' },
    { role: 'user', content: [image, image] },
    user('Well?'),
  ]);
  const refused = await readError(await app.respond({ ...GOOD_BODY, input }));
  expect(refused).toMatchObject({ status: 400, code: 'unsupported_value', param: 'input[3].output[1].type' });
});

test.each<[item: unknown, code: string, param: string]>([
  [{}, 'missing_required_parameter', 'input[0].role'],
  [{ role: 'robot', content: 'x' }, 'invalid_value', 'input[0].role'],
  [{ role: 'user' }, 'missing_required_parameter', 'input[0].content'],
  [{ role: 'user', content: 1 }, 'invalid_type', 'input[0].content'],
  [{ role: 'user', content: [{ type: 'text', text: 'x' }] }, 'invalid_value', 'input[0].content[0].type'],
  [{ role: 'user', content: [{ type: 'input_text' }] }, 'missing_required_parameter', 'input[0].content[0].text'],
  [{ role: 'user', content: [{ type: 'input_image' }] }, 'missing_required_parameter', 'input[0].content[0].image_url'],
  [
    { role: 'user', content: [{ type: 'input_image', image_url: 'https://x.test/a.png' }] },
    'invalid_value',
    'input[0].content[0].image_url',
  ],
  [
    { role: 'user', content: [{ type: 'input_image', image_url: 'x' }] },
    'invalid_value',
    'input[0].content[0].image_url',
  ],
  [
    { role: 'user', content: [{ type: 'input_image', file_id: 'f' }] },
    'unsupported_value',
    'input[0].content[0].file_id',
  ],
  [{ role: 'user', content: [{ type: 'input_file', file_id: 'f' }] }, 'unsupported_value', 'input[0].content[0].type'],
  [
    { role: 'system', content: [{ type: 'input_image', image_url: IMAGE }] },
    'unsupported_value',
    'input[0].content[0].type',
  ],
  [{ type: 'function_call' }, 'missing_required_parameter', 'input[0].call_id'],
  [call('1'), 'invalid_value', 'input'],
  [output('1'), 'invalid_value', 'input[0].call_id'],
  [output('1', null), 'missing_required_parameter', 'input[0].output'],
  [output('1', 1), 'invalid_type', 'input[0].output'],
  [output('1', [{ type: 'input_file', file_id: 'f' }]), 'unsupported_value', 'input[0].output[0].type'],
  [{ type: 'web_search_call', id: 'ws_1' }, 'unsupported_value', 'input[0].type'],
  [{ type: 'mcp_list_tools' }, 'unsupported_value', 'input[0].type'],
  [{ type: 'poem' }, 'invalid_value', 'input[0].type'],
  [{ type: 'item_reference' }, 'missing_required_parameter', 'input[0].id'],
])('%j is refused', async (item, code, param) => {
  const app = createResponsesApp();
  const error = await readError(await app.respond({ ...GOOD_BODY, model: 'org/seer', input: [item] }));
  expect(error).toMatchObject({ status: 400, code, param });
  expect(app.service.completions).toEqual([]);
});
