import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Completions } from '../../../src/engine-worker/completions/completions.ts';
import type {
  CompletionEvent,
  FinishReason,
  GenerationEvent,
  ToolCallDelta,
} from '../../../src/shared/engine/completion-event.ts';
import type { CompletionRequest, Tool } from '../../../src/shared/engine/completion-request.ts';
import { builtInModel } from '../../../src/shared/models/built-in-models.ts';
import { completionRequest } from '../../support/fakes/completion-request.ts';
import { ScriptedEngine } from '../../support/fakes/scripted-engine.ts';

interface Answer {
  readonly pieces?: readonly string[];
  readonly calls?: readonly ToolCallDelta[];
  readonly reason?: FinishReason;
}

/** Completes a request with an engine that ignores the grammar. Each choice gets one of `answers`. */
async function complete(fields: Partial<CompletionRequest>, ...answers: readonly Answer[]): Promise<CompletionEvent[]> {
  const engine = new ScriptedEngine();
  engine.runFreely();
  engine.generate = async function* (): AsyncGenerator<GenerationEvent> {
    yield { type: 'prefill' };
    for (const [choice, { pieces = [], calls = [], reason }] of answers.entries()) {
      for (const content of pieces) yield { type: 'delta', choice, content };
      for (const call of calls) yield { type: 'delta', choice, toolCalls: [call] };
      yield { type: 'finish', choice, reason: reason ?? (calls.length > 0 ? 'tool_calls' : 'stop') };
    }
    yield { type: 'done', usage: { promptTokens: 1, completionTokens: 1, cachedTokens: 0, reasoningTokens: 0 } };
  };
  const completions = new Completions({
    engine,
    findModel: async (id) => ({ ...builtInModel('https://site.test/'), id }),
  });
  const options = { requestId: 'request', fingerprint: 'fingerprint', holdTime: null };
  const { log } = completions.start({ ...completionRequest('x'), ...fields }, options, 'https://site.test/');
  const events: CompletionEvent[] = [];
  log.subscribe((event) => events.push(event));
  await vi.waitUntil(() => log.ended);
  return events;
}

beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}));
afterEach(() => vi.restoreAllMocks());

const SCHEMA = {
  type: 'object',
  properties: { n: { type: 'integer', minimum: 3 }, next: { $ref: '#' } },
  required: ['n'],
};
const JSON_FORMAT = { type: 'json_schema', schema: SCHEMA } as const;
const TOOL: Tool = { name: 'set', description: null, parameters: SCHEMA };
const CUSTOM: Tool = { name: 'note', description: null, parameters: null, custom: { pattern: '[a-z]+' } };
const call = (text: string, name = 'set'): ToolCallDelta => ({ index: 0, id: 'c', name, arguments: text });

/** The answer begins in the prompt. */
const BEGUN: Partial<CompletionRequest> = {
  messages: [],
  raw: { prompts: ['Answer: {"n":'], suffix: null, echo: false, constraintPrefix: '{"n":' },
};

const BROKEN: readonly [string, Partial<CompletionRequest>, Answer][] = [
  ['an answer that is not JSON', { responseFormat: JSON_FORMAT }, { pieces: ['{"n":', '-}'] }],
  ['an answer outside a bound', { responseFormat: JSON_FORMAT }, { pieces: ['{"n":', '2}'] }],
  ['a deeply nested fault', { responseFormat: JSON_FORMAT }, { pieces: ['{"n":3,"next":{"n":3,"next":{"n":1}}}'] }],
  ['an empty answer', { responseFormat: JSON_FORMAT }, {}],
  ['an array in JSON mode', { responseFormat: { type: 'json_object' } }, { pieces: ['[]'] }],
  [
    'a text that is not one of the choices',
    { responseFormat: { type: 'choice', choices: ['yes', 'no'] } },
    { pieces: ['maybe'] },
  ],
  [
    'a text that precedes the pattern',
    { responseFormat: { type: 'regex', pattern: 'a+', param: 'guided_regex' } },
    { pieces: ['baa'] },
  ],
  [
    'a text that the grammar does not allow',
    { responseFormat: { type: 'grammar', grammar: 'root ::= "a" root "b" | "c"', param: 'grammar' } },
    { pieces: ['aa', 'cb'] },
  ],
  ['the wrong end of a begun answer', { ...BEGUN, responseFormat: JSON_FORMAT }, { pieces: ['2}'] }],
  ['arguments outside a bound', { tools: [TOOL] }, { calls: [call('{"n":2}')] }],
  ['arguments in pieces', { tools: [TOOL] }, { calls: [call('{"n":'), { index: 0, arguments: '2}' }] }],
  ['a second call where one is allowed', { tools: [TOOL] }, { calls: [call('{"n":3}'), { ...call('{}'), index: 1 }] }],
  ['a call of an unknown tool', { tools: [TOOL] }, { calls: [call('{"n":3}', 'get')] }],
  ['the input of a custom tool', { tools: [CUSTOM] }, { calls: [{ ...call('A', 'note'), custom: true }] }],
];

test.each(BROKEN)('%s is an error instead of a finished answer', async (_name, fields, answer) => {
  const events = await complete(fields, answer);
  expect(events.at(-1)).toMatchObject({
    type: 'error',
    error: { status: 500, code: 'internal_error', message: expect.stringContaining('does not satisfy') },
  });
  expect(events.filter(({ type }) => type === 'finish')).toEqual([]);
});

const WHOLE: readonly [string, Partial<CompletionRequest>, Answer][] = [
  ['an answer that matches the schema', { responseFormat: JSON_FORMAT }, { pieces: ['{"n":3,', '"next":{"n":4}}'] }],
  [
    'an answer that was cut by the token limit',
    { responseFormat: JSON_FORMAT },
    { pieces: ['{"n":'], reason: 'length' },
  ],
  ['an answer that was cut by a stop sequence', { responseFormat: JSON_FORMAT, stop: ['2'] }, { pieces: ['{"n":'] }],
  [
    'a text that matches the grammar',
    { responseFormat: { type: 'grammar', grammar: 'root ::= "a" root "b" | "c"', param: 'grammar' } },
    { pieces: ['aac', 'bb'] },
  ],
  ['the end of a begun answer', { ...BEGUN, responseFormat: JSON_FORMAT }, { pieces: ['3}'] }],
  [
    'an answer after its echoed prompt',
    { messages: [], raw: { prompts: ['Answer: '], suffix: null, echo: true }, responseFormat: JSON_FORMAT },
    { pieces: ['Answer: ', '{"n":3}'] },
  ],
  ['free text', {}, { pieces: ['{"n":'] }],
  ['free text beside tools', { tools: [TOOL] }, { pieces: ['{"n":'] }],
  ['a call in place of an answer', { tools: [TOOL], responseFormat: JSON_FORMAT }, { calls: [call('{"n":3}')] }],
  ['the input of a custom tool', { tools: [CUSTOM] }, { calls: [{ ...call('a', 'note'), custom: true }] }],
  ['any input', { tools: [{ ...CUSTOM, custom: { pattern: null } }] }, { calls: [call('{', 'note')] }],
  ['a call without parameters', { tools: [{ ...TOOL, parameters: null }] }, { calls: [call('{}')] }],
];

test.each(WHOLE)('%s ends as the engine ended it', async (_name, fields, answer) => {
  expect((await complete(fields, answer)).at(-1)).toMatchObject({ type: 'done' });
});

test('each choice is checked', async () => {
  const events = await complete(
    { choices: 2, responseFormat: JSON_FORMAT },
    { pieces: ['{"n":3}'] },
    { pieces: ['{"n":1}'] },
  );
  expect(events.filter(({ type }) => type === 'finish')).toEqual([{ type: 'finish', choice: 0, reason: 'stop' }]);
  expect(events.at(-1)).toMatchObject({ type: 'error', error: { code: 'internal_error' } });
});
