import type { CompletionRequest } from '../../../shared/completion-request.ts';
import type { StoredAnswer } from '../../../shared/stored-answer.ts';

const QUESTIONS = ['How many days has a week?', 'x'.repeat(300), 'What is a service worker? '.repeat(9)];

const REQUEST: CompletionRequest = {
  model: 'pocket',
  messages: [],
  maxTokens: null,
  temperature: null,
  topP: null,
  stop: [],
  seed: null,
  presencePenalty: null,
  frequencyPenalty: null,
  repetitionPenalty: null,
  choices: 1,
  logprobs: false,
  topLogprobs: 0,
  logitBias: null,
  responseFormat: { type: 'text' },
  tools: [],
  toolChoice: 'auto',
  parallelToolCalls: true,
  thinking: null,
};

/** Of today, since older ones do not stay. */
export const SAMPLE_ANSWERS: readonly StoredAnswer[] = QUESTIONS.map((content, index) => ({
  id: `resp_${index}`,
  kind: index % 2 === 0 ? 'response' : 'chat.completion',
  keyHash: 'a',
  created: Math.floor(Date.now() / 1000) - 3600 * (QUESTIONS.length - index),
  model: 'pocket',
  metadata: {},
  characters: 10 ** (index + 2),
  stream: { id: `resp_${index}`, fingerprint: '' },
  request: { ...REQUEST, messages: [{ role: 'user', content }] },
  detail: null,
}));
