import { setTimeout as wait } from 'node:timers/promises';
import OpenAI from 'openai7';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../../../src/shared/api-error.ts';
import { StoppableEndpoint, SITE } from '../../support/fakes/stoppable-endpoint.ts';

// How often one request of a client can be generated if everything fails. ARCHITECTURE.md has the sums.

/**
 * What happens to a generation after it has begun: the engine fails, or it dies together with the service worker. `late`
 * is after the response headers, and `after seconds` ends a connection that counts as stable.
 */
type Fate = 'fails' | 'fails late' | 'dies' | 'dies after seconds' | 'answers';

/** Milliseconds after which response headers are sent without output. */
const HEADERS_DELAY = 500;

let endpoint: StoppableEndpoint;
/** Number of requests that the page has sent and that have no response headers yet. */
let withoutHeaders: number;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  endpoint = StoppableEndpoint.ofPage(HEADERS_DELAY);
  withoutHeaders = 0;
  vi.stubGlobal('fetch', async (...request: Parameters<typeof fetch>) => {
    withoutHeaders++;
    return endpoint.fetch(...request).finally(() => withoutHeaders--);
  });
});

afterEach(() => {
  endpoint.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Lets the messages of the workers travel, in real time, until the condition holds. */
async function travelUntil(holds: () => boolean, turns: number): Promise<void> {
  for (let turn = 0; turn < turns && !holds(); turn++) await wait(1);
}

/** Advances the clock, with real time for messages before each step. */
async function pass(milliseconds: number, until: () => boolean = () => false): Promise<void> {
  for (let rest = milliseconds; rest > 0 && !until(); rest -= 100) {
    await travelUntil(until, 5);
    await vi.advanceTimersByTimeAsync(Math.min(rest, 100));
  }
}

async function meet(fate: Fate): Promise<void> {
  if (fate.includes(' ')) {
    await endpoint.engine.advance();
    await pass(10 * HEADERS_DELAY, () => withoutHeaders === 0);
  }
  if (fate === 'dies after seconds') await vi.advanceTimersByTimeAsync(4000);
  if (fate.startsWith('dies')) {
    endpoint.stopServiceWorker();
    endpoint.replaceEngine();
    return;
  }
  if (fate.startsWith('fails')) endpoint.engine.failure = new ApiError('engine_unavailable', 'The engine has failed.');
  await endpoint.engine.advance(2);
}

/**
 * Sends one request with OpenAI's client and its default number of retries.
 * @param fates What happens to each generation, in order; the last one repeats.
 * @returns how many generations began, and how the request ended.
 */
async function ask(isResuming: boolean, stream: boolean, fates: readonly Fate[]) {
  const fetch: typeof globalThis.fetch = isResuming
    ? endpoint.createTabFetch()
    : (...request) => globalThis.fetch(...request);
  const client = new OpenAI({ apiKey: 'local', baseURL: `${SITE}v1`, fetch, dangerouslyAllowBrowser: true });
  const body = { model: 'a', messages: [{ role: 'user' as const, content: 'two words' }] };
  const outcomes: string[] = [];
  const request = async () => {
    if (!stream) return (await client.chat.completions.create(body)).choices[0]!.message.content!;
    let text = '';
    for await (const chunk of await client.chat.completions.create({ ...body, stream }))
      text += chunk.choices[0]?.delta.content ?? '';
    return text;
  };
  void request().then(
    (text) => outcomes.push(text),
    () => outcomes.push('error'),
  );
  let generations = 0;
  const isDue = () => endpoint.engine.isWaiting || outcomes.length > 0;
  while (outcomes.length === 0) {
    if (endpoint.engine.isWaiting) {
      await meet(fates[Math.min(generations++, fates.length - 1)]!);
      continue;
    }
    // A request that is on its way reaches the engine without the clock.
    if (withoutHeaders > 0) await travelUntil(isDue, 300);
    await pass(100, isDue);
  }
  return { generations, outcome: outcomes[0] };
}

const times = (count: number, ...fates: readonly Fate[]) => Array.from({ length: count }, () => fates).flat();

test.each<[what: string, stream: boolean, fates: readonly Fate[], generations: number, outcome: string]>([
  ['a stream that fails before its headers is sent again by the client, twice', true, ['fails'], 3, 'error'],
  ['a stream that fails after its headers is not generated again', true, ['fails late'], 1, 'error'],
  ['JSON that fails after its headers is generated once more', false, ['fails late'], 2, 'error'],
  ['JSON that fails at both places', false, ['fails', 'fails', 'fails late', 'fails late'], 4, 'error'],
  ['JSON that succeeds at last', false, ['fails', 'fails', 'fails late', 'answers'], 4, 'twowords'],
])('a plain fetch: %s', async (_what, stream, fates, generations, outcome) => {
  expect(await ask(false, stream, fates)).toEqual({ generations, outcome });
});

test.each<[what: string, stream: boolean, fates: readonly Fate[], generations: number, outcome: string]>([
  ['a failure is the client’s to repeat', true, ['fails'], 3, 'error'],
  ['a connection that breaks before the headers is opened six times, for each request', true, ['dies'], 18, 'error'],
  [
    'the worst order for JSON: two requests without headers, then six broken bodies, each with a failure before',
    false,
    [...times(12, 'dies'), ...times(6, 'fails late', 'dies')],
    24,
    'error',
  ],
  ['bodies of JSON that each last for seconds are limited, too', false, ['dies after seconds'], 48, 'error'],
])('`tabserve.fetch`: %s', async (_what, stream, fates, generations, outcome) => {
  expect(await ask(true, stream, fates)).toEqual({ generations, outcome });
});
