import { UNSPECIFIED_REQUEST } from '../../../shared/completion-request.ts';
import type { StoredAnswer } from '../../../shared/stored-answer.ts';

const QUESTIONS = ['How many days has a week?', 'x'.repeat(300), 'What is a service worker? '.repeat(9)];

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
  request: { ...UNSPECIFIED_REQUEST, model: 'pocket', messages: [{ role: 'user', content }] },
  detail: null,
}));
