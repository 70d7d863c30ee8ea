import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { answerRequest } from '../../../src/chat/api/answer-request.ts';
import { RunningAnswer } from '../../../src/chat/answers/running-answer.ts';
import { ROUTE_HEADER } from '../../../src/shared/upstreams/upstream.ts';
import { engineUnavailable } from '../../../src/shared/engine/engine-errors.ts';
import { sampleAnswer, sampleQuestion } from '../../gallery/samples/conversation.ts';
import type { Answer } from '../../../src/chat/types/conversation.ts';
import { StoppableEndpoint, SITE } from '../../support/fakes/stoppable-endpoint.ts';

/** Long enough for a busy machine. */
const PATIENTLY = { interval: 5, timeout: 20_000 };
const READY = () => Promise.resolve();
const TEXT = 'One two three four five six';
const PATH = [sampleQuestion({ text: TEXT })];
/** The text of the answer: the scripted model leaves out the spaces. */
const WHOLE = TEXT.replaceAll(' ', '');

let endpoint: StoppableEndpoint;

beforeEach(() => {
  endpoint = StoppableEndpoint.ofPage();
});

afterEach(() => {
  endpoint.close();
  vi.unstubAllGlobals();
});

/** Opens a tab. @returns its resuming `fetch`. */
function startTab(): typeof fetch {
  const ask = endpoint.createTabFetch();
  return (input, init) => ask(new URL(String(input), SITE), init);
}

/** Generates an answer in a tab, and keeps every version of it that the tab could have stored. */
function write(ask = startTab()) {
  const answer = sampleAnswer({ model: 'a', text: '', state: 'running' });
  const running = new RunningAnswer(answer, READY, ask);
  const moments: Answer[] = [];
  running.addEventListener('change', () => moments.push(running.answer));
  const written = running.write(() => answerRequest('a', PATH, answer.settings, answer.seed));
  return { running, moments, written };
}

/** Makes the scripted model generate this many words, each when it is requested. */
async function sayWords(count: number): Promise<void> {
  for (let word = 0; word < count; word++) {
    await vi.waitUntil(() => endpoint.engine.isWaiting, PATIENTLY);
    await endpoint.engine.advance();
  }
}

/** Returns a running answer as a tab stored it before tab and service worker ended without notice. */
async function leaveInMidAnswer(): Promise<Answer> {
  // The browser's own `fetch` does not resume a stream.
  const { running } = write(endpoint.fetch);
  await sayWords(2);
  await vi.waitUntil(() => running.answer.text === 'Onetwo', PATIENTLY);
  const stored = running.answer;
  endpoint.stopServiceWorker();
  return stored;
}

async function resume(stored: Answer, wasReloaded = false): Promise<Answer> {
  const running = new RunningAnswer(stored, READY, startTab());
  await running.resume(stored.stream!, () => wasReloaded);
  return running.answer;
}

const generations = () => endpoint.engine.history.filter((line) => line.startsWith('generate')).length;

test('an answer that was stored at any moment resumes with the same text, and is not generated again', async () => {
  const { running, moments, written } = write();
  for (const word of TEXT.split(' ')) {
    await sayWords(1);
    await vi.waitUntil(() => running.answer.text.endsWith(word), PATIENTLY);
  }
  await written;
  expect(running.answer).toMatchObject({ text: WHOLE, state: 'complete', stream: undefined });
  const unfinished = moments.filter(({ state }) => state === 'running');
  expect(unfinished.length).toBeGreaterThan(6);
  for (const stored of unfinished) {
    expect(await resume(stored)).toMatchObject({
      text: WHOLE,
      state: 'complete',
      finishReason: 'stop',
      completionTokens: running.answer.completionTokens,
    });
  }
  expect(generations()).toBe(1);
});

test('an answer continues without its tab, and stopping it in another tab ends its generation', async () => {
  const stored = await leaveInMidAnswer();
  await sayWords(2);
  const running = new RunningAnswer(stored, READY, startTab());
  const resumed = running.resume(stored.stream!);
  await vi.waitUntil(() => running.answer.text === 'Onetwothreefour', PATIENTLY);
  running.stop();
  await resumed;
  expect(running.answer).toMatchObject({ state: 'stopped', text: 'Onetwothreefour', stream: undefined });
  await vi.waitUntil(() => endpoint.engine.history.at(-1) === 'stopped', PATIENTLY);
});

test('an answer whose engine is gone is interrupted, keeps its text, and sends no new request', async () => {
  const stored = await leaveInMidAnswer();
  endpoint.replaceEngine();
  expect(await resume(stored)).toMatchObject({ state: 'interrupted', text: 'Onetwo', error: null, stream: undefined });
  expect(generations()).toBe(0);
});

test('an answer whose engine ended with the reloaded tab is generated again, but not by another tab', async () => {
  const stored = await leaveInMidAnswer();
  endpoint.replaceEngine();
  endpoint.engine.runFreely();
  expect(await resume(stored)).toMatchObject({ text: 'Onetwo', state: 'interrupted' });
  expect(await resume(stored, true)).toMatchObject({ text: WHOLE, state: 'complete', error: null });
  expect(generations()).toBe(1);
  expect(endpoint.requests.at(-1)?.headers.get(ROUTE_HEADER)).toBe('local');
});

test('an answer whose model ended with the reloaded page is generated again, and its text goes on', async () => {
  const stored = await leaveInMidAnswer();
  endpoint.engine.failure = engineUnavailable('The page that ran llama.cpp was closed or frozen.');
  endpoint.engine.runFreely();
  const running = new RunningAnswer(stored, READY, startTab());
  const texts: string[] = [];
  running.addEventListener('change', () => texts.push(running.answer.text));
  await running.resume(stored.stream!);
  expect(running.answer).toMatchObject({ text: WHOLE, state: 'complete', error: null, stream: undefined });
  expect(texts.every((text) => text.startsWith('Onetwo'))).toBe(true);
  expect(generations()).toBe(2);
});

test('an answer whose model ended with the reloaded page and cannot be loaded again is interrupted', async () => {
  const stored = await leaveInMidAnswer();
  Object.assign(endpoint.engine, { failure: engineUnavailable('The worker did not start.'), failsAll: true });
  endpoint.engine.runFreely();
  expect(await resume(stored)).toMatchObject({ text: 'Onetwo', state: 'interrupted', error: null, stream: undefined });
});

test('an answer that was still thinking and cannot be generated again keeps its thinking', async () => {
  const stored = { ...(await leaveInMidAnswer()), text: '', thinking: 'Let me see.' };
  Object.assign(endpoint.engine, { failure: engineUnavailable('The worker did not start.'), failsAll: true });
  endpoint.engine.runFreely();
  expect(await resume(stored)).toMatchObject({ thinking: 'Let me see.', text: '', state: 'interrupted', error: null });
});
