import type { UpstreamState } from '../../../src/page/index.ts';
import { REQUEST_DEFAULTS } from '../../../src/shared/engine/request-defaults.ts';
import type { StoredAnswer } from '../../../src/shared/storage/stored-answer.ts';
import type { SentRequest } from '../../../src/shared/upstreams/sent-request.ts';
import { SAMPLE_TIME } from './developers.ts';

const QUESTIONS = ['How many days has a week?', 'x'.repeat(300), 'What is a service worker? '.repeat(9)];

/** The answers are dated today, because old answers are not kept. */
export const SAMPLE_ANSWERS: readonly StoredAnswer[] = QUESTIONS.map((content, index) => ({
  id: `resp_${index}`,
  kind: index % 2 === 0 ? 'response' : 'chat.completion',
  keyHash: 'a',
  created: Math.floor(Date.now() / 1000) - 3600 * (QUESTIONS.length - index),
  model: 'pocket',
  metadata: {},
  characters: 10 ** (index + 2),
  stream: { id: `resp_${index}`, fingerprint: '' },
  request: { ...REQUEST_DEFAULTS, model: 'pocket', messages: [{ role: 'user', content }] },
  detail: null,
}));

/**
 * An upstream server for each rule that a site can set: one without permission, one with permission, one with a key.
 */
export const SAMPLE_UPSTREAMS: readonly UpstreamState[] = (['local', 'prefer-local', 'upstream'] as const).map(
  (when, index) => ({
    name: `upstream-${'long-'.repeat(index)}name`,
    origin: `https://${'machine-'.repeat(index * 3 + 1)}of-mine.example:8000`,
    models: ['big-*', 'Qwen/Qwen3-32B'],
    when,
    allowed: index > 0,
    hasKey: index > 1,
  }),
);

export const SAMPLE_SENT_REQUESTS: readonly SentRequest[] = SAMPLE_UPSTREAMS.map(({ name, origin }, index) => ({
  time: SAMPLE_TIME + index * 60_000,
  upstream: name,
  method: 'POST',
  address: `${origin}/v1/chat/completions`,
  bytes: 10 ** (index * 2 + 1),
}));
