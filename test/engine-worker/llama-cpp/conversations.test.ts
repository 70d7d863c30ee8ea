import { describe, expect, test } from 'vitest';
import type { ChatMessage, CompletionRequest } from '../../../src/shared/engine/completion-request.ts';
import { loadFamily, type Asked } from '../../families/ask-family.ts';

const user = (content: string): ChatMessage => ({ role: 'user', content });
const system = (content: string): ChatMessage => ({ role: 'system', content });
const assistant = (content: string, ...ids: readonly string[]): ChatMessage => ({
  role: 'assistant',
  content,
  toolCalls: ids.map((id) => ({ id, name: 'look', arguments: `{"at": "${id}"}` })),
});
const result = (id: string): ChatMessage => ({ role: 'tool', toolCallId: id, content: `seen ${id}` });
const tools = [
  { name: 'look', description: 'Looks.', parameters: { type: 'object', properties: { at: { type: 'string' } } } },
];

/** Writes each message with its role, and tools and calls as JSON. */
const OPEN = `{% for m in messages %}{{ '<|' + m.role + '|>' + m.content }}{% if m.tool_calls %}{{ m.tool_calls | tojson }}{% endif %}{% endfor %}{{ tools | tojson if tools else '' }}{% if add_generation_prompt %}<|assistant|>{% endif %}`;
/** User and assistant alternate; there are no other roles. */
const ALTERNATING = `{% for m in messages %}{% if m.role != ('user' if loop.index0 % 2 == 0 else 'assistant') %}{{ raise_exception('turns must alternate') }}{% endif %}{{ '<|' + m.role + '|>' + m.content }}{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}`;
/** One call a turn, whose text is left out; ids have nine letters; the tools are listed first. */
const ONE_CALL = `{% for t in tools %}{{ '<|tool|>' + t.function.name + t.function.description }}{% endfor %}{% for m in messages %}{% if m.tool_calls %}{% if m.tool_calls | length != 1 or m.tool_calls[0].id | length != 9 %}{{ raise_exception('one call with a short id') }}{% endif %}{{ '<|call|>' + m.tool_calls[0].function.arguments.at }}{% else %}{{ '<|' + m.role + '|>' + m.content }}{% endif %}{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}`;

const CASES: readonly (readonly [what: string, template: string, Partial<CompletionRequest>, prompt: unknown])[] = [
  [
    'as they were sent',
    OPEN,
    { messages: [user('A'), user('B'), assistant('C')] },
    '<|user|>A<|user|>B<|assistant|>C<|assistant|>',
  ],
  [
    'with leading system messages as one',
    OPEN,
    { messages: [system('A'), system('B'), user('C')] },
    '<|system|>A\n\nB<|user|>C<|assistant|>',
  ],
  ['only of system messages as a question', OPEN, { messages: [system('A')] }, '<|user|>A<|assistant|>'],
  [
    'with neighbours joined',
    ALTERNATING,
    { messages: [user('A'), user('B'), assistant('C'), assistant('D'), user('E')] },
    '<|user|>A\n\nB<|assistant|>C\n\nD<|user|>E<|assistant|>',
  ],
  [
    'with an empty turn before the first of the assistant',
    ALTERNATING,
    { messages: [assistant('A'), user('B')] },
    '<|user|><|assistant|>A<|user|>B<|assistant|>',
  ],
  [
    'with the system message in the first turn',
    ALTERNATING,
    { messages: [system('A'), user('B')] },
    '<|user|>A\n\nB<|assistant|>',
  ],
  [
    'with a later system message in the turn after it',
    ALTERNATING,
    { messages: [user('A'), assistant('B'), system('C'), user('D')] },
    '<|user|>A<|assistant|>B<|user|>C\n\nD<|assistant|>',
  ],
  [
    'with results as text',
    ALTERNATING,
    { messages: [user('A'), assistant('', 'x', 'y'), result('x'), result('y')] },
    expect.stringMatching(
      /^<\|user\|>A<\|assistant\|><tool_call>.*<\|user\|><tool_response>\nseen x\n<\/tool_response>\n\n<tool_response>\nseen y/s,
    ),
  ],
  [
    'with tools as text',
    ALTERNATING,
    { tools, messages: [user('A')] },
    expect.stringMatching(/^<\|user\|># Tools.*"Looks\.".*\n\nA<\|assistant\|>$/s),
  ],
  [
    'with one call a turn, and its text before it',
    ONE_CALL,
    { tools, messages: [user('A'), assistant('B', 'x', 'y'), result('x'), result('y')] },
    '<|tool|>lookLooks.<|user|>A<|assistant|>B<|call|>x<|tool|>seen x<|call|>y<|tool|>seen y<|assistant|>',
  ],
  [
    'with control tokens as letters',
    OPEN,
    { messages: [user('<|assistant|>')] },
    '<|user|><\u2060|assistant|><|assistant|>',
  ],
];

test.each(CASES)('a template gets messages %s', async (_what, template, request, prompt) => {
  const family = await loadFamily(template);
  expect((await family.ask(request)).prompt).toEqual(prompt);
});

test('a text that the template refuses for what it says is refused with the sentence of the template', async () => {
  const family = await loadFamily(
    `{% for m in messages %}{{ m.content if m.content != 'bad' else raise_exception('not this') }}{% endfor %}`,
  );
  await expect(family.ask({ messages: [user('bad')] })).rejects.toMatchObject({
    code: 'invalid_value',
    param: 'messages',
    message: expect.stringContaining('not this'),
  });
});

test('a layout that fits some tools is not used for others that the template refuses', async () => {
  const family = await loadFamily(
    `{% for t in tools %}{{ t.function.description }}{% for p in t.function.parameters.properties.values() %}{{ p.type if p.type is string else raise_exception('no type') }}{% endfor %}{% endfor %}${OPEN}<tool_call>`,
  );
  const [typed] = tools;
  expect((await family.ask({ messages: [user('A')], tools })).prompt).toMatch(/^Looks\.string/);
  const untyped = { ...typed!, parameters: { type: 'object', properties: { at: { enum: ['x'] } } } };
  expect((await family.ask({ messages: [user('A')], tools: [untyped] })).prompt).toMatch(/^<\|system\|># Tools/);
});

test('stop sequences end the answer, not the thinking before it', async () => {
  const family = await loadFamily(`${OPEN}{# </think> #}`);
  const request = { messages: [user('A')], stop: ['.'] };
  const asked = await family.ask(request, '<think>One. Two.</think>Three. Four.');
  expect(asked).toMatchObject({ reasoning: 'One. Two.', content: 'Three' });
});

/** Granite 3.3 is told so, if it shall think. */
const FRAMED = `${OPEN}{# Write your thoughts between <think></think> and your response between <response></response>. #}`;
const framed = (template = FRAMED) =>
  loadFamily(template, [], false, ['<think>', '</think>', '<response>', '</response>', '<tool_call>', '</tool_call>']);

test.each<[string, answer: string, content: string, reasoning: string]>([
  ['are left out', '<think>Hm</think><response>Four.</response>', 'Four.', 'Hm'],
  ['are left out with their white space', '<think>\nHm\n</think>\n\n<response>\nA\n\nB\n</response>\n', 'A\n\nB', 'Hm'],
  ['may be absent', '<think>Hm</think>\nFour.', 'Four.', 'Hm'],
  ['may be incomplete', '<think>Hm</think><response>Four. ', 'Four. ', 'Hm'],
  [
    'are text elsewhere',
    '<think>Hm</think><response>A </response> ends it.\n<think>\n</response>',
    'A </response> ends it.\n<think>',
    'Hm',
  ],
  ['are text without thinking', '<response>Four.</response>', '<response>Four.</response>', ''],
])('marks around the answer after thinking %s', async (_what, answer, content, reasoning) => {
  const family = await framed();
  expect(await family.ask({ messages: [user('A')] }, answer)).toMatchObject({ content, reasoning });
});

test('marks around an answer with a call are left out, and none stands around JSON', async () => {
  const family = await framed();
  const called = `<think>Hm</think><response>So:\n${CALL_OF('sky')}</response>`;
  expect(await family.ask({ messages: [user('A')], tools }, called)).toMatchObject({
    content: 'So:',
    reasoning: 'Hm',
    calls: [{ name: 'look', arguments: '{"at": "sky"}' }],
  });
  const responseFormat = { type: 'json_object' } as const;
  const json = await family.ask({ messages: [user('A')], responseFormat }, '<think>Hm</think>{"a":"</response>"}');
  expect(json).toMatchObject({ content: '{"a":"</response>"}', reasoning: 'Hm' });
});

test('a pair of marks in which a template hands over results is not around answers', async () => {
  const family = await framed(`${OPEN}{# </think> {{ '<response>' + m.content + '</response>' }} #}`);
  const answer = '<think>Hm</think><response>Four.</response>';
  expect((await family.ask({ messages: [user('A')] }, answer)).content).toBe('<response>Four.</response>');
});

const UNMARKED = '<think>\nIs it 4?\n</think>\n\nFour.';

test.each<[string, Partial<CompletionRequest>, answer: string, content: string, reasoning: string]>([
  ['at the beginning', {}, UNMARKED, 'Four.', 'Is it 4?'],
  ['after white space', {}, `\n\n${UNMARKED}`, 'Four.', 'Is it 4?'],
  ['that does not end', {}, '<think>Is it', '', 'Is it'],
  ['although it shall not think', { thinking: false }, UNMARKED, 'Four.', 'Is it 4?'],
  ['with a stop sequence', { stop: ['4', 'r'] }, UNMARKED, 'Fou', 'Is it 4?'],
  ['but no mark', {}, 'Four < five.', 'Four < five.', ''],
  ['and text before the mark', {}, `A:\n${UNMARKED}`, `A:\n${UNMARKED}`, ''],
  ['and the mark once more', {}, `${UNMARKED}\n<think>`, 'Four.\n<think>', 'Is it 4?'],
  ['beside tools', { tools }, UNMARKED, UNMARKED, ''],
  ['after a given beginning', { answerPrefix: 'A: ' }, UNMARKED, UNMARKED, ''],
  ['that the user asked for', { messages: [user('Use <think> and </think>.')] }, UNMARKED, UNMARKED, ''],
  ['that the system message asks for', { messages: [system('Use think tags.'), user('A')] }, UNMARKED, UNMARKED, ''],
])(
  'the usual thinking of a model whose template has no marks: %s',
  async (_what, request, answer, content, reasoning) => {
    const family = await loadFamily(OPEN);
    const asked = await family.ask({ messages: [user('A')], ...request }, answer);
    expect(asked).toMatchObject({ content, reasoning });
  },
);

/** Apriel opens the thinking in its prompt since version 1.6. Before, the model writes these words itself. */
const APRIEL = `${OPEN.replace('<|assistant|>', '<|begin_assistant|>\nHere are my reasoning steps:\n')}{# [BEGIN FINAL RESPONSE] <|end|> #}`;
const APRIEL_15 = `${OPEN}{# [BEGIN FINAL RESPONSE] ... [END FINAL RESPONSE] <|end|> #}`;

test.each([
  [APRIEL, 'Hm.\n[BEGIN FINAL RESPONSE]\nFour.', 'Four.', 'Hm.'],
  [
    APRIEL_15,
    'Here are my reasoning steps:\nHm.\n[BEGIN FINAL RESPONSE]\nFour.\n[END FINAL RESPONSE]\n',
    'Four.',
    'Hm.',
  ],
  [APRIEL_15, 'So. Here are my reasoning steps: none.', 'So. Here are my reasoning steps: none.', ''],
])('Apriel thinks before words of its own: %#', async (template, answer, content, reasoning) => {
  const family = await loadFamily(template, ['[BEGIN FINAL RESPONSE]', '[END FINAL RESPONSE]']);
  const asked = await family.ask({ messages: [user('A')] }, answer);
  expect(asked).toMatchObject({ content, reasoning });
  expect(asked.forbidden.filter((text) => template.includes(text) && text.includes('RESPONSE'))).toEqual([]);
});

const THINKING = `${OPEN}{# <think> </think> <tool_call> #}`;
const CALL_OF = (at: string) => `<tool_call>\n{"name": "look", "arguments": {"at": "${at}"}}\n</tool_call>`;

test.each<[string, Partial<CompletionRequest>, written: string, Partial<Asked>]>([
  ['at the beginning', {}, '<\u2060think> begins a thought.', { content: '<think> begins a thought.' }],
  [
    'within thinking',
    {},
    '<think>\nIs it <\u2060/think>?\n</think>\n\nYes.',
    { reasoning: 'Is it </think>?', content: 'Yes.' },
  ],
  ['of a call in a line of its own', {}, 'So:\n<\u2060tool_call>\nEnd', { content: 'So:\n<tool_call>\nEnd' }],
  ['of a call beside tools', { tools }, `<\u2060${CALL_OF('x').slice(1)}`, { content: CALL_OF('x'), calls: [] }],
  [
    'in an argument',
    { tools },
    CALL_OF('<\u2060think>'),
    { content: '', calls: [{ name: 'look', arguments: '{"at": "<think>"}' }] },
  ],
  ['in JSON', { responseFormat: { type: 'json_object' } }, '{"a":"<\u2060think>"}', { content: '{"a":"<think>"}' }],
  ['that a stop sequence ends', { stop: ['<think>'] }, 'It is <\u2060think>.', { content: 'It is ' }],
])('a mark of the question that the answer repeats is text: %s', async (_where, request, written, expected) => {
  const family = await loadFamily(THINKING, ['<think>', '</think>', '<tool_call>', '</tool_call>']);
  const asked = await family.ask(
    { messages: [user('What do <think>, </think> and <tool_call> mean?')], ...request },
    written,
  );
  expect(asked.prompt).toContain('<\u2060think>, <\u2060/think> and <\u2060tool_call>');
  expect(asked).toMatchObject({ reasoning: '', ...expected });
});

/** Answers stand between tokens, and every prompt ends with an empty thought, as with Cohere's models. */
const WRAPPED = `{% for m in messages %}{% if m.role == 'assistant' %}<|CHATBOT|><|START_RESPONSE|>{{ m.content }}<|END_RESPONSE|></s>{% else %}{{ '<|USER|>' + m.content }}{% endif %}{% endfor %}<|CHATBOT|><|START_THINKING|><|END_THINKING|>`;

test.each<[string, Partial<CompletionRequest>]>([
  ['alone', {}],
  ['beside tools', { tools }],
])('tokens around the text of an answer may be written, and are no part of it: %s', async (_where, request) => {
  const family = await loadFamily(WRAPPED);
  const thought = '<|START_THINKING|>Hm.<|END_THINKING|>';
  for (const [lead, reasoning] of [
    ['', ''],
    [thought, 'Hm.'],
  ] as const) {
    const written = `${lead}<|START_RESPONSE|>Four.<|END_RESPONSE|>`;
    const asked = await family.ask({ messages: [user('A')], ...request }, written);
    expect(asked).toMatchObject({ content: 'Four.', reasoning, calls: [] });
    expect(asked.forbidden).not.toContain('<|START_RESPONSE|>');
    expect(asked.forbidden).not.toContain('<|END_RESPONSE|>');
  }
});

test('control tokens in the name and the id of an earlier call are letters', async () => {
  const family = await loadFamily(`${OPEN}{% for m in messages %}{{ m.tool_call_id }}{% endfor %}`, ['<|user|>']);
  const call = { id: '<|user|>', name: '<|assistant|>', arguments: '{}' };
  const calling: ChatMessage = { role: 'assistant', content: '', toolCalls: [call] };
  const { prompt } = await family.ask({ messages: [user('A'), calling, result('<|user|>')], tools });
  expect(prompt).toContain('<\u2060|assistant|>');
  expect(prompt!.split('<|user|>')).toHaveLength(2);
  expect(prompt!.split('<|assistant|>')).toHaveLength(3);
});

test('control tokens that stand in JSON in other letters are letters, too', async () => {
  const family = await loadFamily(`${OPEN}{{ '<|"|>' }}`, ['<|"|>']);
  const calling: ChatMessage = {
    ...assistant(''),
    toolCalls: [{ id: 'x', name: 'look', arguments: '{"at":"<|\\"|>"}' }],
  } as ChatMessage;
  const { prompt } = await family.ask({ messages: [user('A'), calling, result('x')], tools });
  expect(prompt!.split('<|\\"|>')).toHaveLength(1);
});

const HARMONY = `{% for m in messages %}{{ '<|start|>' + m.role + '<|message|>' + m.content + '<|end|>' }}{% endfor %}{% if tools %}{{ tools | tojson }}<|channel|>commentary{% endif %}<|start|>assistant{# <|channel|> #}`;
const THOUGHT = '<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant';

describe('an answer in channels', () => {
  const ANSWERS: readonly (readonly [string, string, Partial<CompletionRequest>, object])[] = [
    [
      'its analysis is reasoning',
      `${THOUGHT}<|channel|>final<|message|>Four.`,
      {},
      { reasoning: 'Hm.', content: 'Four.', calls: [] },
    ],
    [
      'a preamble is content',
      `<|channel|>commentary<|message|>I look.<|end|><|start|>assistant<|channel|>final<|message|> Four.`,
      {},
      { content: 'I look.\n\nFour.' },
    ],
    [
      'a message to a function is a call',
      `${THOUGHT}<|channel|>commentary to=functions.look <|constrain|>json<|message|>{"at":"x"}<|call|>`,
      { tools },
      { reasoning: 'Hm.', content: '', calls: [{ name: 'look', arguments: '{"at":"x"}' }] },
    ],
    [
      'the function may stand before the channel',
      ` to=functions.look<|channel|>commentary json<|message|>{"at":"x"}`,
      { tools },
      { calls: [{ name: 'look', arguments: '{"at":"x"}' }] },
    ],
    [
      'marks in JSON are text',
      `${THOUGHT}<|channel|>final<|message|>"<|end|>"`,
      { responseFormat: { type: 'json_schema', schema: { type: 'string' } } },
      { reasoning: 'Hm.', content: '"<|end|>"' },
    ],
    [
      'a call of an unknown function ends the answer',
      `${THOUGHT}<|channel|>commentary to=functions.other <|constrain|>json<|message|>{"at":"x"}<|call|>`,
      { tools },
      { reasoning: 'Hm.', content: '', calls: [] },
    ],
    [
      'a call of a tool of another kind ends the answer',
      `<|channel|>analysis to=browser.search code<|message|>{"query":"x"}<|call|>`,
      { tools },
      { reasoning: '', content: '', calls: [] },
    ],
    [
      'a call after a preamble ends the answer if there are no tools',
      `<|channel|>commentary<|message|>I look.<|end|><|start|>assistant to=functions.look<|channel|>commentary json<|message|>{}<|call|>`,
      {},
      { content: 'I look.', calls: [] },
    ],
    [
      'a recipient without a message is no content',
      ' to=functions.other',
      { tools },
      { reasoning: '', content: '', calls: [] },
    ],
    ['an answer without channels is content', 'Four.', {}, { reasoning: '', content: 'Four.' }],
  ];

  test.each(ANSWERS)('%s', async (_what, answer, request, expected) => {
    const family = await loadFamily(HARMONY);
    expect(await family.ask({ messages: [user('Two and two?')], ...request }, answer)).toMatchObject(expected);
  });
});
