import { BUILT_IN_EMBEDDING_MODEL_ID } from '../../../src/shared/models/built-in-models.ts';
import { UPSTREAM_MODEL } from '../chaos-upstream.ts';
import type { PromptBody } from '../in-page/prompt.ts';
import type { ChaosModel } from '../chaos-model.ts';
import type { ApiName } from './apis/apis.ts';

/** A request body without `stream`, with temperature 0, so that its right answer is always the same. */
export interface Question {
  readonly name: string;
  readonly api: ApiName;
  /** Name of the question of another API that has the same text as its answer. */
  readonly as?: string;
  readonly body: Readonly<Record<string, unknown>>;
}

const PERSON = {
  type: 'object',
  properties: { name: { type: 'string' }, age: { type: 'integer' } },
  required: ['name', 'age'],
  additionalProperties: false,
};

const PLACE = {
  type: 'object',
  properties: { city: { type: 'string', enum: ['Paris', 'London'] } },
  required: ['city'],
  additionalProperties: false,
};

function question(name: string, text: string, fields: object = {}): Question {
  return {
    name,
    api: 'chat completions',
    body: {
      temperature: 0,
      max_tokens: 24,
      messages: [{ role: 'user', content: text }],
      ...fields,
    },
  };
}

const SUM = 'What is 3 + 4?';

const QUESTIONS: readonly Question[] = [
  question('week', 'How many days has a week?'),
  question('capital', 'What is the capital of France?'),
  question('opposite', 'What is the opposite of big?'),
  question('sum', SUM),
  question('service worker', 'What is a service worker?', { max_tokens: 40 }),
  question('WebGPU', 'What is WebGPU?', { max_tokens: 40 }),
  question('long prompt', `${'The dog sat on the mat. '.repeat(25)}Tell me a story about a fox.`),
  question('two choices', 'Name three fruits.', { n: 2 }),
  question('conversation', '', {
    messages: [
      { role: 'system', content: 'You answer in one sentence.' },
      { role: 'user', content: 'My name is Anna.' },
      { role: 'assistant', content: 'Nice to meet you, Anna.' },
      { role: 'user', content: 'What is my name?' },
    ],
  }),
  question('schema', 'Tell me about a person.', {
    max_tokens: 40,
    response_format: { type: 'json_schema', json_schema: { name: 'person', strict: true, schema: PERSON } },
  }),
  question('tool', 'What is the weather in Paris?', {
    max_tokens: 40,
    tools: [{ type: 'function', function: { name: 'weather', strict: true, parameters: PLACE } }],
    tool_choice: 'required',
  }),
  question('stopped', 'Count from 1 to 10.', { stop: ['5', 'five'] }),
];

/** Names of questions that take the least processor time, of which there is one each time that a tab must recover. */
export const SHORT_QUESTIONS: readonly string[] = ['week', 'capital', 'opposite', 'sum'];

/** Questions that take several times the processor time of others, some by loading a second model. They are asked less often, because that time limits the number of faults. */
const LONG_QUESTIONS: readonly string[] = ['long prompt', 'two choices', 'tool', 'dog', 'cat'];

/** Returns how often a question is asked, relative to others. */
export function frequencyOf({ name, api }: Question): number {
  return LONG_QUESTIONS.includes(name) || api === 'embeddings' ? 0.4 : 1;
}

/** The same question by each other API that writes text; the answers must be the same, too. */
const OTHER_APIS: readonly Question[] = [
  {
    name: 'sum by responses',
    api: 'responses',
    as: 'sum',
    body: { temperature: 0, max_output_tokens: 24, store: false, input: [{ role: 'user', content: SUM }] },
  },
  {
    name: 'sum in the background',
    api: 'background responses',
    as: 'sum',
    body: { temperature: 0, max_output_tokens: 24, background: true, input: [{ role: 'user', content: SUM }] },
  },
  {
    name: 'sum by messages',
    api: 'messages',
    as: 'sum',
    body: { temperature: 0, max_tokens: 24, messages: [{ role: 'user', content: SUM }] },
  },
];

/** Stored, and asked for again. */
const STORED: Question = {
  ...question('stored', 'What is 5 + 4?', { store: true }),
  api: 'stored completions',
};

/** By the Prompt API, whose answers have no maximum number of tokens. */
const PROMPTED: Question = {
  name: 'prompted',
  api: 'Prompt API',
  body: { prompt: 'What is the opposite of hot?' } satisfies Omit<PromptBody, 'model'>,
};

/** A question that the upstream answers. */
const FORWARDED: Question = {
  ...question('forwarded', 'Which server are you?', { model: UPSTREAM_MODEL }),
  api: 'upstream completions',
};

/** Questions to the embedding model, which shares the queue with the chat model. */
const EMBEDDING_QUESTIONS: readonly Question[] = [
  ['vectors of animals', ['A dog sat on the mat.', 'A cat sat on the mat.']],
  ['vector of a city', ['Paris is the capital of France.']],
].map(([name, input]) => ({
  name: name as string,
  api: 'embeddings',
  body: { model: BUILT_IN_EMBEDDING_MODEL_ID, encoding_format: 'base64', input },
}));

/**
 * Returns questions of several kinds and lengths. No two have the same answer, so that an exchanged answer is noticed.
 */
export function questionsTo({ id, endTokens, longest, mostTokens, gguf }: ChaosModel): readonly Question[] {
  // Without end tokens, an answer has `max_tokens` tokens.
  const endless = { logit_bias: Object.fromEntries(endTokens.map((token) => [token, -100])) };
  const questions = [
    ...[...QUESTIONS, ...OTHER_APIS, STORED, ...(gguf === undefined ? [PROMPTED] : [])].map((asked) =>
      mostTokens === undefined ? asked : shortened(asked, mostTokens),
    ),
    question('dog', 'Tell me a story about a dog.', { max_tokens: longest, ...endless }),
    question('cat', 'Tell me a story about a cat.', { max_tokens: Math.round(longest * 0.4), ...endless }),
  ].map((asked) => ({ ...asked, body: { model: id, ...asked.body } }));
  const all = [...questions, FORWARDED];
  // The built-in embedding model needs WebGPU, which a browser of a GGUF model does not have here.
  return gguf === undefined ? [...all, ...EMBEDDING_QUESTIONS] : all;
}

function shortened(asked: Question, tokens: number): Question {
  const { body } = asked;
  return {
    ...asked,
    body: { ...body, [body['max_tokens'] === undefined ? 'max_output_tokens' : 'max_tokens']: tokens },
  };
}

/** A request that the endpoint rejects in every state. */
export interface Refusal {
  readonly name: string;
  readonly status: number;
  readonly code: string;
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/** @param model Id of a model of the endpoint. */
export function malformed(model: string): readonly Refusal[] {
  const chat = (fields: object) => chatWith(model, fields);
  return [
    { name: 'half a JSON document', status: 400, code: 'invalid_json', body: chat({}).slice(0, 30) },
    { name: 'an empty body', status: 400, code: 'invalid_json', body: '' },
    { name: 'no messages', status: 400, code: 'missing_required_parameter', body: JSON.stringify({ model }) },
    { name: 'messages of another type', status: 400, code: 'invalid_type', body: chat({ messages: 'Hello' }) },
    {
      name: 'a temperature out of range',
      status: 400,
      code: 'decimal_above_max_value',
      body: chat({ temperature: 9 }),
    },
    { name: 'an unknown model', status: 404, code: 'model_not_found', body: chat({ model: 'no-such-model' }) },
    {
      name: 'a wrong key',
      status: 401,
      code: 'invalid_api_key',
      headers: { authorization: 'Bearer no' },
      body: chat({}),
    },
    { name: 'a wrong method', status: 405, code: 'method_not_supported', method: 'PUT', body: chat({}) },
    { name: 'an unknown address', status: 404, code: 'unknown_url', path: '/v1/no-such-thing', body: chat({}) },
  ];
}

function chatWith(model: string, fields: object): string {
  return JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }], ...fields });
}

/** A request with a megabyte of text, far more than the context window. */
export function megabyte(model: string): Refusal {
  const content = 'The dog sat on the mat. '.repeat(43_000);
  return {
    name: 'a megabyte',
    status: 400,
    code: 'context_length_exceeded',
    body: chatWith(model, { messages: [{ role: 'user', content }] }),
  };
}
