import { expect, test } from 'vitest';
import type { RawPrompts } from '../../../../src/shared/engine/completion-request.ts';
import { completionRequest } from '../../../support/fakes/completion-request.ts';
import { ask, loadedEngine, type TestEngineOptions } from '../support/test-engine.ts';

const raw = (...prompts: RawPrompts['prompts']): RawPrompts => ({ prompts, suffix: null, echo: false });
const START = { template: { system_prefix_token_ids: [261] } };

test.each<[string, RawPrompts['prompts'][number], TestEngineOptions, string]>([
  ['a text is prefilled unchanged', ' Once upon\n', {}, ' Once upon\n'],
  ['control markers of a text are interpreted', '<|user|>Hi<|end|>', {}, '«<|user|>»Hi«<|end|>»'],
  ['a text follows the prefix of every prompt', 'Once', START, '«<s>»Once'],
  ['a prefix that the text begins with is not repeated', '<s>Once', START, '«<s>»Once'],
  ['an empty text begins a document', '', START, '«<s>»'],
  ['an empty text follows the end of another document', '', {}, '«<|end|>»'],
  ['tokens are prefilled unchanged', [0xe2, 0x82, 257, 72], START, '\u{FFFD}«<|system|>»H'],
])('%s', async (_name, prompt, options, read) => {
  const { engine, runs } = await loadedEngine({ replies: [['ok']], ...options });
  const { choices, usage } = await ask(engine, { messages: [], raw: raw(prompt) });
  expect(runs.map((run) => run.prompt)).toEqual([read]);
  expect(usage).toMatchObject({ promptTokens: runs[0]?.promptTokens, completionTokens: 2 });
  expect(choices.map(({ content, reason }) => [content, reason])).toEqual([['ok', 'stop']]);
});

test('several prompts are answered in sequence, each as if it were alone', async () => {
  const { engine, runs } = await loadedEngine({ replies: [['a'], ['b'], ['c'], ['d']] });
  const request = { messages: [], choices: 2, seed: 7 };
  const { choices, usage, events } = await ask(engine, { ...request, raw: raw('one', [65, 66]) });
  expect(choices.map(({ content }) => content)).toEqual(['a', 'b', 'c', 'd']);
  expect(events.flatMap((event) => (event.type === 'finish' ? [event.choice] : []))).toEqual([0, 1, 2, 3]);
  expect(runs.map(({ prompt }) => prompt)).toEqual(['one', 'one', 'AB', 'AB']);
  expect(usage).toMatchObject({ promptTokens: 5, completionTokens: 8 });
  await ask(engine, { ...request, raw: raw('AB') });
  expect(runs.map(({ seed }) => seed).slice(2, 4)).toEqual(runs.map(({ seed }) => seed).slice(4));
});

test("thinking markers and the template's stop sequences are plain text in a raw completion", async () => {
  const { engine } = await loadedEngine({
    replies: [['<think>', 'x', '</think>', 'USER:', '!']],
    template: { stop_str: ['USER:'] },
    entry: { thinking: { open: '<think>', close: '</think>' } },
  });
  const { choices } = await ask(engine, { messages: [], raw: raw('a') });
  expect(choices[0]).toMatchObject({ content: '<think>x</think>USER:!', reasoning: '' });
});

test('the prompt is echoed before each choice, and its stop sequences end none of them', async () => {
  const { engine } = await loadedEngine({ replies: [['ok', '.', '!']] });
  const { choices } = await ask(engine, {
    messages: [],
    choices: 2,
    stop: ['.'],
    raw: { ...raw('One. ', [65, 46]), echo: true },
  });
  expect(choices.map(({ pieces }) => pieces)).toEqual([
    ['One. ', 'ok'],
    ['One. ', 'ok'],
    ['A.', 'ok'],
    ['A.', 'ok'],
  ]);
});

const FORMAT = { type: 'regex', pattern: 'Yes|No', param: 'guided_regex' } as const;

test.each([
  ['a raw completion', raw('Is it? '), [['Y', 'e', 's', '!']], 'Yes'],
  [
    'what is begun together with a raw completion',
    { ...raw('Is it? Y'), constraintPrefix: 'Y' },
    [['e', 's', '!']],
    'es',
  ],
])('a constraint applies to %s', async (_name, prompts, replies, content) => {
  const { engine } = await loadedEngine({ replies });
  const { choices } = await ask(engine, { messages: [], raw: prompts, responseFormat: FORMAT });
  expect(choices[0]).toMatchObject({ content, reason: 'stop' });
});

test.each([
  ['that the constraint does not allow', FORMAT],
  ['without a constraint', { type: 'text' }],
] as const)('a beginning %s is refused before the request waits', async (_name, responseFormat) => {
  const { engine } = await loadedEngine({ replies: [['ok']] });
  const request = {
    ...completionRequest('x'),
    messages: [],
    raw: { ...raw('Is it? M'), constraintPrefix: 'M' },
    responseFormat,
  };
  expect(() => engine.check!(request)).toThrow(
    expect.objectContaining({ code: 'invalid_value', param: 'constraint_prefix' }),
  );
});

test('a beginning that an ambiguous constraint allows in too many ways is refused with that reason', async () => {
  const { engine } = await loadedEngine({ replies: [['ok']] });
  const beginning = 'a'.repeat(5000);
  const grammar = 'root ::= "a" root | "a" root "b" | "c"';
  const responseFormat = { type: 'grammar', grammar, param: 'guided_grammar' } as const;
  const request = {
    ...completionRequest('x'),
    messages: [],
    raw: { ...raw(beginning), constraintPrefix: beginning },
    responseFormat,
  };
  expect(() => engine.check!(request)).toThrow(
    expect.objectContaining({
      code: 'invalid_value',
      param: 'constraint_prefix',
      message: expect.stringMatching(/is too complex to be followed; use a shorter beginning or a simpler constraint/),
    }),
  );
});

test('with max_tokens 0 nothing is computed', async () => {
  const { engine, runs } = await loadedEngine({ replies: [['ok']] });
  const { choices, usage } = await ask(engine, {
    messages: [],
    maxTokens: 0,
    raw: { ...raw('One', [65, 66]), echo: true },
  });
  expect(runs).toEqual([]);
  expect(choices.map(({ content, reason }) => [content, reason])).toEqual([
    ['One', 'length'],
    ['AB', 'length'],
  ]);
  expect(usage).toMatchObject({ promptTokens: 5, completionTokens: 0 });
});

test.each([
  ['text', 'x'.repeat(50), null],
  ['tokens', Array.from({ length: 50 }, () => 65), null],
  ['text, with no room for a token of the answer', 'x'.repeat(50), 0],
])('too much %s is refused', async (_name, prompt, maxTokens) => {
  const { engine } = await loadedEngine({ replies: [['ok']], entry: { contextWindow: 50 } });
  const failure = ask(engine, { messages: [], raw: raw(prompt), maxTokens });
  await expect(failure).rejects.toMatchObject({ code: 'context_length_exceeded', param: 'prompt' });
  await expect(failure).rejects.toThrow(
    /maximum context length is 50 tokens\. However, your prompt resulted in 50 tokens/,
  );
});

test('an unknown token is refused', async () => {
  const { engine, entry } = await loadedEngine({ replies: [['ok']] });
  const failure = ask(engine, { messages: [], raw: raw([1, entry.vocabularySize]) });
  await expect(failure).rejects.toMatchObject({ code: 'unsupported_value', param: 'prompt' });
});

test('infilling works with a model whose tokenizer has markers for it, and is refused by others', async () => {
  const gap = { ...raw('one three'), suffix: ' three' };
  const markers = ['<fim_prefix>', '<fim_suffix>', '<fim_middle>'];
  const { engine, runs, tokenizer } = await loadedEngine({ replies: [['two']] });
  const failure = ask(engine, { messages: [], raw: gap });
  await expect(failure).rejects.toMatchObject({ code: 'unsupported_value', param: 'suffix' });
  const encode = tokenizer.encode.bind(tokenizer);
  tokenizer.encode = (text) => (markers.includes(text) ? Int32Array.of(1) : encode(text));
  await ask(engine, { messages: [], raw: gap });
  expect(runs[0]?.prompt).toBe('<fim_prefix>one three<fim_suffix> three<fim_middle>');
});
