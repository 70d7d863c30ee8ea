import type {
  CompletionRequest,
  EmbeddingInputs,
  RawPrompts,
  ResponseFormat,
  Tool,
} from '../../../src/shared/engine/completion-request.ts';
import type { EngineName, Outcome } from './ask-engine.ts';
import { idOf, type ScriptedModel } from './scripted-model.ts';

/**
 * Every field of a request to the engine. A field that is itself an object has a row for each of its fields, and the
 * format of the answer one for each kind. No engine reads `keepAlive`, and `cacheScope` changes no answer.
 */
export type FieldName =
  | Exclude<keyof CompletionRequest, 'raw' | 'embed' | 'responseFormat' | 'keepAlive' | 'cacheScope'>
  | 'messages with images'
  | `raw.${keyof RawPrompts}`
  | `embed.${keyof EmbeddingInputs}`
  | `responseFormat.${Exclude<ResponseFormat['type'], 'text'>}`;

/** What an engine does with a field: its effect is seen, the request is refused, or the field changes nothing. */
type Cell =
  | 'effect'
  | { readonly sees: Pick<Row, 'observe' | 'without' | 'effect'> }
  | { readonly refuses: string | null }
  | { readonly ignoresBecause: string };

export interface Row {
  readonly field: Partial<CompletionRequest>;
  /** Fields without which the field means nothing. Default: a chat with the message "Hello". */
  readonly needs?: Partial<CompletionRequest>;
  /** Fields that make the effect visible in WebLLM and llama.cpp, not sent to other cells. Default: none. */
  readonly beside?: Partial<CompletionRequest>;
  readonly model?: ScriptedModel;
  /** What of the outcome shows the effect. `again` sends the same request to a new engine. */
  readonly observe: (outcome: Outcome, again: () => Promise<Outcome>) => unknown;
  /** What is observed without the field, and what with it. */
  readonly without: unknown;
  readonly effect: unknown;
  readonly engines: Readonly<Record<EngineName, Cell>>;
}

const ALL = { webllm: 'effect', llamaCpp: 'effect', browser: 'effect' } as const;
const REPLY = { reply: ['a ', 'b ', 'c ', 'd '] } as const;

/** Engines of which the browser's own model refuses the request parameter. */
const notInBrowser = (param: string | null) => ({ ...ALL, browser: { refuses: param } });

/** 40 sampled words with a seed, so that each run has the same ranks. */
const SAMPLED = { seed: 1, maxTokens: 40 } as const;
/** Sampling that takes the likeliest word, unless a penalty or bias changes which one that is. */
const LIKELIEST = { topP: 0.01, maxTokens: 12 } as const;

/** A constrained answer. The browser's model is given the constraint; what it writes is its own. */
const constrained = (responseFormat: ResponseFormat, pattern: RegExp): Row => ({
  field: { responseFormat },
  beside: LIKELIEST,
  observe: ({ text }) => pattern.test(text),
  without: false,
  effect: true,
  engines: {
    ...ALL,
    browser: { sees: { observe: ({ constraint }) => constraint !== undefined, without: false, effect: true } },
  },
});

const CLOCK: Tool = {
  name: 'clock',
  description: null,
  parameters: { type: 'object', properties: {}, additionalProperties: false },
};
const CALL = ['<tool_call>', '\n{"name": "clock", "argu', 'ments": {}}\n', '</tool_call>'];

const raw = (fields: Partial<RawPrompts> = {}) => ({
  messages: [],
  raw: { prompts: ['Is it? Y'], suffix: null, echo: false, ...fields },
});

/** Whether only the likeliest word was written. */
const isLikeliest = ({ words }: Outcome) => words.every((word) => word === 'a ');
const distinct = ({ words }: Outcome) => new Set(words).size;

export const FIELDS: Readonly<Record<FieldName, Row>> = {
  model: {
    field: { model: 'other' },
    model: REPLY,
    observe: ({ loadedModel }) => loadedModel,
    without: 'scripted',
    effect: 'other',
    engines: ALL,
  },
  messages: {
    field: {
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hello' },
      ],
    },
    model: REPLY,
    observe: ({ prompt }) => [prompt.includes('Be brief.'), prompt.includes('Hello')],
    without: [false, true],
    effect: [true, true],
    engines: ALL,
  },
  answerPrefix: {
    field: { answerPrefix: 'Well, <|end|>' },
    model: REPLY,
    observe: ({ prompt, text }) => [/Well, .*end.*>$/u.test(prompt), text],
    without: [false, 'a b c d '],
    effect: [true, 'a b c d '],
    engines: notInBrowser('messages'),
  },
  'messages with images': {
    field: { messages: [{ role: 'user', content: [{ type: 'image', url: 'data:image/png;base64,' }] }] },
    model: REPLY,
    observe: ({ text }) => text,
    without: 'a b c d ',
    effect: null,
    // `images.test.ts` of both engines has models that take images.
    engines: { webllm: { refuses: 'messages' }, llamaCpp: { refuses: 'messages' }, browser: { refuses: 'messages' } },
  },
  'raw.prompts': {
    field: raw(),
    model: REPLY,
    observe: ({ prompt }) => prompt === 'Is it? Y',
    without: false,
    effect: true,
    engines: notInBrowser('prompt'),
  },
  'raw.suffix': {
    field: raw({ suffix: '!' }),
    beside: raw(),
    model: REPLY,
    observe: ({ prompt }) => prompt,
    without: 'Is it? Y',
    effect: '<fim_prefix>Is it? Y<fim_suffix>!<fim_middle>',
    engines: { webllm: 'effect', llamaCpp: { refuses: 'suffix' }, browser: { refuses: 'prompt' } },
  },
  'raw.echo': {
    field: raw({ echo: true }),
    beside: raw(),
    model: REPLY,
    observe: ({ text }) => text,
    without: 'a b c d ',
    effect: 'Is it? Ya b c d ',
    engines: notInBrowser('prompt'),
  },
  'raw.constraintPrefix': {
    field: raw({ constraintPrefix: 'Y' }),
    needs: { ...raw(), responseFormat: { type: 'choice', choices: ['Yes', 'Yet', 'No'] } },
    beside: LIKELIEST,
    observe: ({ text }) => /^e[st]$/.test(text),
    without: false,
    effect: true,
    engines: notInBrowser('prompt'),
  },
  'embed.inputs': {
    field: { model: 'embeds', messages: [], embed: { inputs: ['one', 'three'], dimensions: null } },
    model: REPLY,
    observe: ({ vectors }) => vectors.length,
    without: 0,
    effect: 2,
    // Its entry never has the kind "embedding"; if it had, no engine would have loaded a model for the request.
    engines: notInBrowser(null),
  },
  'embed.dimensions': {
    field: { embed: { inputs: ['one'], dimensions: 2 } },
    needs: { model: 'embeds', messages: [], embed: { inputs: ['one'], dimensions: null } },
    model: REPLY,
    observe: ({ vectors }) => vectors[0]?.length === 2,
    without: false,
    effect: true,
    engines: notInBrowser(null),
  },
  truncation: {
    field: { truncation: 'auto' },
    beside: {
      messages: [
        { role: 'user', content: 'word '.repeat(80) },
        { role: 'user', content: 'Hello' },
      ],
    },
    model: { ...REPLY, contextWindow: 60 },
    observe: ({ error, prompt }) => error?.code ?? prompt.includes('word'),
    without: 'context_length_exceeded',
    effect: false,
    engines: ALL,
  },
  maxTokens: {
    field: { maxTokens: 2 },
    model: REPLY,
    observe: ({ text }) => text,
    without: 'a b c d ',
    effect: 'a b ',
    engines: notInBrowser('max_tokens'),
  },
  temperature: {
    field: { temperature: 0 },
    beside: SAMPLED,
    observe: isLikeliest,
    without: false,
    effect: true,
    engines: notInBrowser('temperature'),
  },
  topP: {
    field: { topP: 0.01 },
    beside: SAMPLED,
    observe: isLikeliest,
    without: false,
    effect: true,
    engines: notInBrowser('top_p'),
  },
  topK: {
    field: { topK: 2 },
    beside: { ...SAMPLED, temperature: 2, topP: 1 },
    observe: ({ words }) => words.every((word) => word === 'a ' || word === 'b '),
    without: false,
    effect: true,
    engines: notInBrowser('top_k'),
  },
  minP: {
    // b has 37 % of the probability of a, c has 14 %.
    field: { minP: 0.3 },
    beside: { ...SAMPLED, temperature: 1, topP: 1 },
    observe: ({ words }) => words.every((word) => word === 'a ' || word === 'b '),
    without: false,
    effect: true,
    engines: notInBrowser('min_p'),
  },
  stop: {
    field: { stop: ['c'] },
    model: REPLY,
    observe: ({ text, stopSequence }) => [text, stopSequence],
    without: ['a b c d ', null],
    effect: ['a b ', 'c'],
    engines: notInBrowser('stop'),
  },
  stopTokens: {
    field: { stopTokens: [idOf('b ')] },
    beside: { topP: 0.01, frequencyPenalty: 2, maxTokens: 12 },
    observe: ({ words }) => words.length,
    without: 12,
    effect: 1,
    engines: notInBrowser('stop_token_ids'),
  },
  ignoreEnd: {
    field: { ignoreEnd: true },
    beside: { ...raw(), ...LIKELIEST },
    model: { endScore: 9 },
    observe: ({ words }) => words.length,
    without: 0,
    effect: 12,
    engines: notInBrowser('ignore_eos'),
  },
  seed: {
    field: { seed: 7 },
    beside: { maxTokens: 40, temperature: 2, topP: 1 },
    observe: async ({ text }, again) => text === (await again()).text,
    without: false,
    effect: true,
    engines: notInBrowser('seed'),
  },
  presencePenalty: {
    field: { presencePenalty: 1.5 },
    beside: LIKELIEST,
    observe: distinct,
    without: 1,
    effect: 2,
    engines: notInBrowser('presence_penalty'),
  },
  frequencyPenalty: {
    field: { frequencyPenalty: 2 },
    beside: LIKELIEST,
    observe: distinct,
    without: 1,
    effect: 6,
    engines: notInBrowser('frequency_penalty'),
  },
  repetitionPenalty: {
    field: { repetitionPenalty: 1.9 },
    beside: LIKELIEST,
    observe: distinct,
    without: 1,
    effect: 4,
    engines: notInBrowser('repetition_penalty'),
  },
  choices: {
    field: { choices: 3 },
    model: REPLY,
    observe: ({ texts }) => texts.length,
    without: 1,
    effect: 3,
    engines: notInBrowser('n'),
  },
  logprobs: {
    field: { logprobs: true },
    beside: LIKELIEST,
    observe: ({ alternatives }) => alternatives.length,
    without: 0,
    effect: 12,
    engines: notInBrowser('logprobs'),
  },
  topLogprobs: {
    field: { topLogprobs: 7 },
    needs: { logprobs: true },
    beside: LIKELIEST,
    observe: ({ alternatives }) => alternatives[0],
    without: 0,
    effect: 7,
    engines: notInBrowser('logprobs'),
  },
  logitBias: {
    field: { logitBias: { [idOf('h ')]: 20 } },
    beside: LIKELIEST,
    observe: ({ words }) => new Set(words),
    without: new Set(['a ']),
    effect: new Set(['h ']),
    engines: notInBrowser('logit_bias'),
  },
  'responseFormat.json_object': constrained({ type: 'json_object' }, /^\s*\{/),
  'responseFormat.json_schema': constrained({ type: 'json_schema', schema: { enum: ['x', 'y'] } }, /^"[xy]"$/),
  'responseFormat.regex': constrained({ type: 'regex', pattern: '[0-9]{3}', param: 'guided_regex' }, /^\d{3}$/),
  'responseFormat.choice': constrained({ type: 'choice', choices: ['Yes', 'No'] }, /^(Yes|No)$/),
  'responseFormat.grammar': {
    ...constrained({ type: 'grammar', grammar: 'root ::= "(" "x"+ ")"', param: 'guided_grammar' }, /^\(x+\)$/),
    engines: notInBrowser('guided_grammar'),
  },
  tools: {
    field: { tools: [CLOCK] },
    model: { reply: CALL },
    observe: ({ calls, prompt }) => [calls, prompt.includes('clock')],
    without: [[], false],
    effect: [['clock'], true],
    engines: notInBrowser('tools'),
  },
  toolChoice: {
    field: { toolChoice: 'required' },
    needs: { tools: [CLOCK] },
    beside: { topP: 0.01, maxTokens: 100 },
    observe: ({ calls }) => calls,
    without: [],
    effect: ['clock'],
    engines: notInBrowser('tools'),
  },
  parallelToolCalls: {
    field: { parallelToolCalls: false },
    needs: { tools: [CLOCK, { ...CLOCK, name: 'date' }] },
    model: { reply: [...CALL, '\n', ...CALL.map((part) => part.replace('clock', 'date'))] },
    observe: ({ calls }) => calls,
    without: ['clock', 'date'],
    effect: ['clock'],
    engines: notInBrowser('tools'),
  },
  thinking: {
    field: { thinking: false },
    model: { ...REPLY, thought: 'Hm.' },
    observe: ({ text, reasoning }) => [reasoning, text],
    without: ['Hm.', 'a b c d '],
    effect: ['', 'a b c d '],
    engines: { ...ALL, browser: { ignoresBecause: "the browser's own model shows no thinking" } },
  },
  loopDetection: {
    field: { loopDetection: false },
    model: { reply: Array.from({ length: 400 }, () => 'varied ') },
    observe: ({ words }) => words.length === 400,
    without: false,
    effect: true,
    engines: ALL,
  },
};
