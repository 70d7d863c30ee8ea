import { expect, test } from 'vitest';
import type { CompletionRequest } from '../../../src/shared/engine/completion-request.ts';
import { createMessagesApp, expectPublishedForm, GOOD_BODY } from './messages-app.ts';

const app = createMessagesApp();

const SCHEMA = { type: 'object', properties: { city: { type: 'string' } } };
const tools = [{ name: 'look', input_schema: SCHEMA }];
const user = (...content: readonly object[]) => ({ role: 'user', content });
const assistant = (...content: readonly object[]) => ({ role: 'assistant', content });
const text = (said: string) => ({ type: 'text', text: said, cache_control: { type: 'ephemeral' } });
const use = (id: string) => ({ type: 'tool_use', id, name: 'look', input: { city: 'Ulm' } });
const result = (id: string, more: object = {}) => ({ type: 'tool_result', tool_use_id: id, content: 'Sun.', ...more });
const PIXEL = { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' };
const SHOWN = { type: 'image', url: 'data:image/png;base64,iVBORw0KGgo=' } as const;

const PDF = { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' };
const NOTE = { type: 'text', media_type: 'text/plain', data: 'It rains.' };

const toolCall = (id: string) => ({ id, name: 'look', arguments: '{"city":"Ulm"}' });
const hi = { role: 'user', content: 'Hi' };

/** Fields of a request, and what the engine gets of them. */
const ACCEPTED: readonly (readonly [fields: object, becomes: Partial<CompletionRequest>])[] = [
  [{}, { maxTokens: 100, stop: [], temperature: null, topK: null, tools: [], thinking: false }],
  [{ system: 'Be brief.' }, { messages: [{ role: 'system', content: 'Be brief.' }, hi] as never }],
  [{ system: [text('Be'), text('brief.')] }, { messages: [{ role: 'system', content: 'Be\nbrief.' }, hi] as never }],
  [
    { temperature: 1, top_p: 0.5, top_k: 40 },
    { temperature: 1, topP: 0.5, topK: 40 },
  ],
  [
    { messages: [hi, { role: 'assistant', content: 'The answer' }, assistant(text('is'))] },
    { messages: [hi] as never, answerPrefix: 'The answer\nis' },
  ],
  [
    { min_p: 0.1, stop_token_ids: [7], ignore_eos: true, repeat_penalty: 1.1, logit_bias: { 1: 2 }, seed: 3 },
    { minP: 0.1, stopTokens: [7], ignoreEnd: true, repetitionPenalty: 1.1, logitBias: { 1: 2 }, seed: 3 },
  ],
  [{ stop_sequences: ['a', '', 'b', 'c', 'd', 'e'] }, { stop: ['a', 'b', 'c', 'd', 'e'] }],
  [{ thinking: { type: 'enabled', budget_tokens: 1024 } }, { thinking: true }],
  [{ thinking: { type: 'adaptive' } }, { thinking: null }],
  [{ thinking: { type: 'disabled' } }, { thinking: false }],
  [{ tools }, { tools: [{ name: 'look', description: null, parameters: SCHEMA }], toolChoice: 'auto' }],
  [{ tools: [{ ...tools[0], name: 'n'.repeat(128) }] }, { toolChoice: 'auto' }],
  [{ tools: [{ ...tools[0], type: 'custom', strict: true, cache_control: null }] }, { toolChoice: 'auto' }],
  [
    { tools, tool_choice: { type: 'any' } },
    { toolChoice: 'required', parallelToolCalls: true },
  ],
  [{ tools, tool_choice: { type: 'tool', name: 'look' } }, { toolChoice: { name: 'look' } }],
  [
    { tools, tool_choice: { type: 'none' } },
    { toolChoice: 'none', tools: [] },
  ],
  [{ tools, tool_choice: { type: 'auto', disable_parallel_tool_use: true } }, { parallelToolCalls: false }],
  [
    { output_config: { effort: 'low', format: { type: 'json_schema', schema: SCHEMA } } },
    { responseFormat: { type: 'json_schema', schema: SCHEMA, param: 'output_config.format.schema' } },
  ],
  [
    { output_format: { type: 'json_schema', schema: SCHEMA } },
    { responseFormat: { type: 'json_schema', schema: SCHEMA, param: 'output_format.schema' } },
  ],
  [{ metadata: { user_id: 'u' }, service_tier: 'auto', mcp_servers: [], container: null, never_heard_of: 1 }, {}],
  [
    {
      messages: [
        hi,
        assistant({ type: 'thinking', thinking: 'Hm.', signature: 'x' }, text('I look.'), use('a')),
        assistant(use('b')),
        user(result('b'), result('a', { content: [text('Rain.'), text('Wind.')], is_error: true }), text('Well?')),
      ],
    },
    {
      messages: [
        hi,
        { role: 'assistant', content: 'I look.', toolCalls: [toolCall('a'), toolCall('b')] },
        { role: 'tool', content: 'Sun.', toolCallId: 'b' },
        { role: 'tool', content: 'Rain.\nWind.', toolCallId: 'a' },
        { role: 'user', content: 'Well?' },
      ] as never,
    },
  ],
  [
    {
      messages: [
        hi,
        assistant(use('a')),
        user(
          result('a', { content: [{ type: 'document', source: { type: 'content', content: [text('Sun.')] } }] }),
          { type: 'document', title: 'Note', context: 'Of today', source: NOTE, citations: { enabled: false } },
          text('Well?'),
        ),
      ],
    },
    {
      messages: [
        hi,
        { role: 'assistant' },
        { role: 'tool', content: 'Sun.' },
        { role: 'user', content: 'Note\nOf today\nIt rains.\nWell?' },
      ] as never,
    },
  ],
  [
    { messages: [hi, assistant(use('a'), use('b')), user(result('b')), user(result('a')), hi] },
    {
      messages: [
        hi,
        { role: 'assistant', content: '', toolCalls: [toolCall('a'), toolCall('b')] },
        { role: 'tool', content: 'Sun.', toolCallId: 'b' },
        { role: 'tool', content: 'Sun.', toolCallId: 'a' },
        hi,
      ] as never,
    },
  ],
  [
    {
      model: 'org/seer',
      messages: [
        hi,
        assistant(use('a'), use('b')),
        user(result('a', { content: [text('A map.'), { type: 'image', source: PIXEL }] })),
        user(result('b', { content: [{ type: 'image', source: PIXEL }] }), text('Well?')),
      ],
    },
    {
      messages: [
        hi,
        { role: 'assistant', content: '', toolCalls: [toolCall('a'), toolCall('b')] },
        { role: 'tool', content: 'A map.', toolCallId: 'a' },
        { role: 'tool', content: '', toolCallId: 'b' },
        { role: 'user', content: [SHOWN, SHOWN, { type: 'text', text: 'Well?' }] },
      ] as never,
    },
  ],
  [
    { model: 'org/seer', messages: [user(text('What?'), { type: 'image', source: PIXEL })] },
    {
      messages: [
        {
          role: 'user',
          content: [{ type: 'text', text: 'What?' }, SHOWN],
        },
      ],
    },
  ],
];

test.each(ACCEPTED)('%j is accepted', async (fields, becomes) => {
  expect(await app.received(fields)).toMatchObject(becomes);
});

const image = (source: object) => ({ messages: [user({ type: 'image', source })] });

/** Fields of a request that are refused, and what the message names. */
const REFUSED: readonly (readonly [fields: object, names: string])[] = [
  [{ max_tokens: undefined }, '`max_tokens` is required'],
  [{ max_tokens: 0 }, '`max_tokens` must be at least 1'],
  [{ messages: undefined }, '`messages` is required'],
  [{ messages: [] }, '`messages`'],
  [{ messages: [{ role: 'tool', content: 'a' }] }, '`messages[0].role`'],
  [{ messages: [{ role: 'assistant', content: 'The answer is' }] }, '`messages[0]`: the beginning'],
  [{ messages: [hi, assistant(text('I look.'), use('a'))] }, '`messages[1]`: a message with tool calls'],
  [{ stop: ['a'] }, '`stop`'],
  [{ stop_token_ids: [1000] }, '`stop_token_ids`'],
  [{ ignore_eos: true, tools }, '`ignore_eos`'],
  [{ messages: [user({ type: 'document', source: {} })] }, '`messages[0].content[0].source.type` is required'],
  [{ messages: [user({ type: 'document', source: PDF })] }, "Send the document's text"],
  [
    { messages: [user({ type: 'document', source: NOTE, citations: { enabled: true } })] },
    '`messages[0].content[0].citations` is not supported: answers here cite no places of a document. Leave it out.',
  ],
  [
    {
      messages: [
        hi,
        assistant(use('a')),
        user(result('a', { content: [{ type: 'document', source: NOTE, citations: { enabled: true } }] })),
      ],
    },
    '`messages[2].content[0].content[0].citations`',
  ],
  [
    { messages: [user({ type: 'document', source: NOTE, citations: { enabled: 'yes' } })] },
    '`messages[0].content[0].citations.enabled`',
  ],
  [{ messages: [user({ type: 'document', source: { type: 'url', url: 'https://a' } })] }, "Send the document's text"],
  [{ messages: [user({ type: 'document', source: { type: 'file', file_id: 'f' } })] }, 'is "file"'],
  [
    { messages: [hi, assistant(use('a')), user(result('a', { content: [{ type: 'document', source: PDF }] }))] },
    '`messages[2].content[0].content[0].source.type` is "base64"',
  ],
  [{ system: [{ type: 'document', source: NOTE }] }, '`system[0].type`'],
  [{ messages: [user(result('a'))] }, '`messages[0].content[0].tool_use_id`'],
  [{ messages: [hi, assistant(text('Hm.'), use('a')), hi] }, '`messages[1].content[1]`'],
  [{ messages: [hi, assistant(use('a'), use('b')), user(result('a'))] }, '`messages[1].content[1]`'],
  [{ messages: [hi, assistant(use('a'), use('b')), user(result('a')), hi] }, '`messages[1].content[1]`'],
  [
    { messages: [hi, assistant(use('a')), user(result('a', { content: [{ type: 'image', source: PIXEL }] }))] },
    '`messages[2].content[0].content[0].type`: the model `pocket` takes no images',
  ],
  [{ messages: [hi, assistant(use('a')), user(text('x'), result('b'))] }, '`messages[2].content[1].tool_use_id`'],
  [{ messages: [hi, assistant({ type: 'tool_use', id: 'a', name: 'b' }), hi] }, '`messages[1].content[0].input`'],
  [{ ...image(PIXEL) }, '`messages[0].content[0].type`'],
  [{ model: 'org/seer', ...image({ type: 'file', file_id: 'f' }) }, '`messages[0].content[0].source.type`'],
  [{ model: 'org/seer', ...image({ type: 'url', url: 'ftp://a' }) }, '`messages[0].content[0].source.url`'],
  [{ model: 'org/seer', ...image({ type: 'url', url: 'https://x.test/a.png' }) }, 'not fetched from other addresses'],
  [{ system: 7 }, '`system`'],
  [{ temperature: 1.5 }, '`temperature`'],
  [{ stop_sequences: 'a' }, '`stop_sequences`'],
  [{ thinking: { type: 'enabled', budget_tokens: 1 } }, '`thinking.budget_tokens`'],
  [{ tools: [{ name: 'a' }] }, '`tools[0].input_schema`'],
  [{ tools: [{ ...tools[0], name: 'n'.repeat(129) }] }, '`tools[0].name`'],
  [{ tools: [{ ...tools[0], name: 'two words' }] }, '`tools[0].name`'],
  [{ tools: [{ type: 'web_search_20250305', name: 'web_search' }] }, '"web_search_20250305"'],
  [{ tools: [{ type: 'bash_20250124', name: 'bash' }] }, '"bash_20250124"'],
  [{ tool_choice: { type: 'any' } }, '`tool_choice.type`'],
  [{ tools, tool_choice: { type: 'tool', name: 'hear' } }, '`tool_choice.name`'],
  [{ tools, tool_choice: 'auto' }, '`tool_choice`'],
  [{ output_config: { format: { type: 'json_schema', schema: { type: 'hiccup' } } } }, '`output_config.format.schema`'],
  [
    {
      output_format: { type: 'json_schema', schema: SCHEMA },
      output_config: { format: { type: 'json_schema', schema: SCHEMA } },
    },
    '`output_format` and `output_config.format`',
  ],
  [{ mcp_servers: [{}] }, '`mcp_servers`'],
  [{ container: 'c' }, '`container`'],
  [{ guided_regex: 'a+' }, '`guided_regex`'],
  [{ response_format: { type: 'json_object' } }, '`response_format`'],
];

test.each(REFUSED)('%j is refused by its name, in the form of this API', async (fields, names) => {
  const response = await app.message({ ...GOOD_BODY, ...fields });
  const body = (await response.json()) as { error: { type: string; message: string }; request_id: string };
  expect(response.status).toBe(400);
  expectPublishedForm('ErrorResponse', body);
  expect(body).toMatchObject({
    error: { type: 'invalid_request_error' },
    request_id: response.headers.get('request-id'),
  });
  expect(body.error.message).toContain(names);
});
