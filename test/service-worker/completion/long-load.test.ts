import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { ChatOpenAI } from '@langchain/openai';
import { APICallError, generateText, RetryError } from 'ai';
import OpenAI6, { APIError as APIError6 } from 'openai';
import OpenAI7, { APIError } from 'openai7';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { EngineClient } from '../../../src/service-worker/engine/engine-client.ts';
import { ApiError } from '../../../src/shared/api-error.ts';
import { EngineClientIdentity } from '../../../src/shared/messaging/engine-connection.ts';
import { startEngineWorker, travel } from '../../support/fakes/engine-worker.ts';
import { MemoryLocks } from '../../support/fakes/web-locks.ts';
import { createTestApp, ORIGIN } from '../support/test-app.ts';

/** How a client's request ended. */
type Outcome = { readonly text: string } | { readonly thrown: unknown };

const QUESTION = 'one two';
const MESSAGES = [{ role: 'user' as const, content: QUESTION }];

/** Each requests JSON with its package's default timeout and retries. */
const CLIENTS: Record<string, (fetch: typeof globalThis.fetch) => Promise<string | null>> = {
  'openai 7': async (fetch) => {
    const client = new OpenAI7({ apiKey: 'local', baseURL: `${ORIGIN}/v1`, fetch });
    return (await client.chat.completions.create({ model: 'pocket', messages: MESSAGES })).choices[0]!.message.content;
  },
  'openai 6': async (fetch) => {
    const client = new OpenAI6({ apiKey: 'local', baseURL: `${ORIGIN}/v1`, fetch });
    return (await client.chat.completions.create({ model: 'pocket', messages: MESSAGES })).choices[0]!.message.content;
  },
  ai: async (fetch) => {
    const model = createOpenAICompatible({ name: 'tabserve', apiKey: 'local', baseURL: `${ORIGIN}/v1`, fetch });
    return (await generateText({ model: model('pocket'), prompt: QUESTION })).text;
  },
  langchain: async (fetch) => {
    const model = new ChatOpenAI({
      model: 'pocket',
      apiKey: 'local',
      configuration: { baseURL: `${ORIGIN}/v1`, fetch },
    });
    return String((await model.invoke(QUESTION)).content);
  },
};

let worker: ReturnType<typeof startEngineWorker>;
/** Responses of the service, in order. */
let statuses: number[];
let app: ReturnType<typeof createTestApp>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const locks = new MemoryLocks();
  vi.stubGlobal('navigator', { locks });
  worker = startEngineWorker({ locks });
  worker.engine.loadedModel = null;
  statuses = [];
  const identity = new EngineClientIdentity('service-worker');
  app = createTestApp({
    service: new EngineClient({ identity, site: `${ORIGIN}/`, connect: async () => worker.connect() }),
  });
});

afterEach(() => {
  worker.die();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

async function fetchFromApp(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await app.fetch(new Request(input, init));
  statuses.push(response.status);
  return response;
}

function ask(client: string): () => Outcome | undefined {
  let outcome: Outcome | undefined;
  void CLIENTS[client]!(fetchFromApp).then(
    (text) => (outcome = { text: text ?? '' }),
    (thrown: unknown) => (outcome = { thrown }),
  );
  return () => outcome;
}

/** Lets messages travel, in real time, until the condition holds: on a busy machine they need many turns. */
async function travelUntil(holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 1000 && !holds(); turn++) await travel();
}

/** Advances the clock in steps; between them, digests and messages of the workers run in real time. */
async function pass(seconds: number): Promise<void> {
  for (let rest = seconds; rest > 0; rest -= 10) {
    await travel();
    await vi.advanceTimersByTimeAsync(Math.min(10, rest) * 1000);
  }
  await travel();
}

/** Advances a load by some of its ten steps, with a wait before each. */
async function load(secondsPerStep: number, steps = 10): Promise<void> {
  for (let step = 0; step < steps; step++) {
    await pass(secondsPerStep);
    // Without a load or a generation there is no step to take.
    await travelUntil(() => worker.engine.isWaiting);
    await worker.engine.advance();
  }
}

/** Lets the model answer, and passes time until a client has its outcome: it may have been told to retry in a second. */
async function finish(outcome: () => unknown): Promise<void> {
  worker.engine.runFreely();
  for (let second = 0; second < 60 && outcome() === undefined; second++) await pass(1);
}

/** The error of the request; of several attempts, the last one's. */
function thrownBy(outcome: () => Outcome | undefined): unknown {
  const result = outcome();
  if (result === undefined || !('thrown' in result)) throw new Error(`Nothing was thrown: ${JSON.stringify(result)}`);
  return RetryError.isInstance(result.thrown) ? result.thrown.lastError : result.thrown;
}

describe.each(Object.keys(CLIENTS))('%s', (name) => {
  test('succeeds when the model needs five minutes to load', async () => {
    const outcome = ask(name);
    await load(30);
    await finish(outcome);
    expect(outcome()).toMatchObject({ text: expect.stringMatching(/one.*two/) });
    expect(worker.engine.history).toEqual(['load pocket', 'generate pocket: one two']);
    expect(statuses.slice(0, -1).every((status) => status === 503)).toBe(true);
  });

  test('gets status and code when the load fails after five minutes', async () => {
    const outcome = ask(name);
    await load(33, 9);
    // Some clients retry although the error is permanent.
    for (let tries = 0; tries < 20 && outcome() === undefined; tries++) {
      worker.engine.failure = new ApiError('model_load_failed', 'shard-1.bin is damaged.');
      await worker.engine.advance();
      await pass(70);
    }
    const thrown = thrownBy(outcome);
    expect(thrown).toMatchObject(
      APICallError.isInstance(thrown) ? { statusCode: 503 } : { status: 503, code: 'model_load_failed' },
    );
    expect(String(thrown)).toContain('shard-1.bin is damaged.');
  });
});

test('every client that waits for a stalled load gets status and code', async () => {
  const outcomes = [ask('openai 7'), ask('openai 6')];
  // Three times two minutes, with at most a minute between them, plus a margin for slow messages.
  for (let waited = 0; waited < 1200 && outcomes.some((outcome) => outcome() === undefined); waited += 10)
    await pass(10);
  for (const outcome of outcomes) {
    const thrown = thrownBy(outcome);
    expect(thrown instanceof APIError || thrown instanceof APIError6).toBe(true);
    expect(thrown).toMatchObject({ status: 503, code: 'model_loading' });
  }
  expect(statuses).toEqual([503, 503, 503, 503, 503, 503]);
});

test('while one client waits for a load of five minutes, one with a timeout of a minute gets a 503 with Retry-After', async () => {
  const patient = ask('openai 7');
  const client = new OpenAI7({ apiKey: 'local', baseURL: `${ORIGIN}/v1`, fetch: fetchFromApp });
  const impatient = client.chat.completions
    .create({ model: 'pocket', messages: MESSAGES }, { timeout: 60_000, maxRetries: 0 })
    .catch((thrown: unknown) => thrown);
  await load(30);
  await finish(patient);
  const refused = await impatient;
  if (!(refused instanceof APIError)) throw new Error(`This is no answer of the service: ${String(refused)}`);
  expect(refused).toMatchObject({ status: 503, code: 'model_loading' });
  expect(refused.headers?.get('retry-after')).toMatch(/^[1-5]?\d$/);
  expect(patient()).toMatchObject({ text: expect.stringMatching(/one.*two/) });
  expect(worker.engine.history).toEqual(['load pocket', 'generate pocket: one two']);
});
