import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { beginAdmission, holdAnswerLock } from '../../../src/service-worker/engine/admission.ts';
import { takeOver } from '../../../src/service-worker/lifecycle/takeover.ts';
import { ANSWER_LOCK } from '../../../src/shared/locks/site-locks.ts';
import { MemoryLocks } from '../../support/fakes/web-locks.ts';

const MINUTE = 60_000;
const NEWER = { code: 'engine_unavailable', retryAfter: 1, message: expect.stringContaining('newer version') };

let locks: MemoryLocks;
/** The running responses, each with the function that ends it. */
let running: Set<() => void>;
/** The number of running responses when the newer build became active. */
let cut: number[];

beforeEach(() => {
  vi.useFakeTimers();
  locks = new MemoryLocks();
  vi.stubGlobal('navigator', { locks });
  vi.stubGlobal('self', { serviceWorker: { state: 'activated' } });
  running = new Set();
  cut = [];
});

afterEach(() => {
  for (const end of running) end();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const skipWaiting = async () => {
  vi.stubGlobal('self', { serviceWorker: { state: 'redundant' } });
  cut.push(running.size);
};

/** A response from its admission to its end; undefined if it is not admitted. */
async function answer(duration: number): Promise<'whole' | undefined> {
  await beginAdmission()(4 * MINUTE);
  const finished = new AbortController();
  await holdAnswerLock(finished.signal);
  const end = () => finished.abort();
  running.add(end);
  await new Promise((resolve) => setTimeout(resolve, duration));
  running.delete(end);
  end();
  return 'whole';
}

/** A client that sends a request one second after each response, until the newer build is active. */
async function client(duration: number, outcomes: unknown[]): Promise<void> {
  while (cut.length === 0) {
    outcomes.push(await answer(duration).catch((thrown: unknown) => thrown));
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

test('without a newer build a completion starts at once', async () => {
  await beginAdmission()(MINUTE);
  expect(vi.getTimerCount()).toBe(0);
});

test('a newer build takes over as soon as no response is running', async () => {
  void answer(30_000);
  await vi.advanceTimersByTimeAsync(1000);
  void takeOver(skipWaiting, 0);
  await vi.advanceTimersByTimeAsync(28_000);
  expect(cut).toEqual([]);
  await vi.advanceTimersByTimeAsync(2000);
  expect(cut).toEqual([0]);
});

for (const { waited, least, most } of [
  { waited: 0, least: 2 * MINUTE, most: 2 * MINUTE + 46_000 },
  // The browser stopped the waiting worker; the page tells the next one how long it has waited.
  { waited: 5 * MINUTE, least: 0, most: 46_000 },
]) {
  test(`if answers overlap without a gap, a newer build that has waited ${waited / MINUTE} minutes takes over in a limited time and interrupts no answer`, async () => {
    const outcomes: unknown[][] = [[], []];
    void client(45_000, outcomes[0]!);
    await vi.advanceTimersByTimeAsync(20_000);
    void client(45_000, outcomes[1]!);
    await vi.advanceTimersByTimeAsync(100);
    const start = performance.now();
    // The page repeats its message.
    const taken = [takeOver(skipWaiting, waited), takeOver(skipWaiting, waited + 1)];
    while (cut.length === 0) await vi.advanceTimersByTimeAsync(100);
    const time = performance.now() - start;
    expect(time).toBeGreaterThanOrEqual(least);
    expect(time).toBeLessThan(most);
    await Promise.all(taken);
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(cut).toEqual([0]);
    // Each got complete responses; blocked requests are to be retried.
    for (const ends of outcomes) expect(ends).toContain('whole');
    const refused = outcomes.flat().filter((end) => end !== 'whole');
    expect(refused.length).toBeGreaterThan(0);
    for (const end of refused) expect(end).toMatchObject(NEWER);
  });
}

test('a completion is blocked for a limited time only', async () => {
  void answer(10 * MINUTE);
  await vi.advanceTimersByTimeAsync(0);
  void takeOver(skipWaiting, 2 * MINUTE);
  await vi.advanceTimersByTimeAsync(0);
  const outcome = beginAdmission()(MINUTE).catch((thrown: unknown) => thrown);
  await vi.advanceTimersByTimeAsync(MINUTE + 1000);
  expect(await outcome).toMatchObject(NEWER);
  expect(cut).toEqual([]);
  await vi.advanceTimersByTimeAsync(9 * MINUTE);
  expect(cut).toEqual([0]);
});

test('a completion that gets its lock too late does not start', async () => {
  void answer(MINUTE);
  await vi.advanceTimersByTimeAsync(0);
  void locks.request(ANSWER_LOCK, () => new Promise(() => {}));
  await expect(holdAnswerLock(new AbortController().signal)).rejects.toMatchObject(NEWER);
});

test('if the browser does not activate the newer build, responses continue, and none starts that an activation would interrupt', async () => {
  const browser = new EventTarget();
  const activation = new Promise((resolve) => browser.addEventListener('activate', resolve));
  const asked = vi.fn<() => Promise<void>>(() => activation.then(skipWaiting));
  void takeOver(asked, 0);
  const outcomes: unknown[] = [];
  void client(5000, outcomes);
  await vi.advanceTimersByTimeAsync(5 * MINUTE - 5000);
  const refused = outcomes.filter((end) => end !== 'whole');
  expect(outcomes.length - refused.length).toBeGreaterThan(30);
  // Two seconds of each half minute, in which a client fails twice, and the last call.
  expect(refused.length).toBeLessThan(30);
  expect(running.size).toBe(0);
  expect(asked).toHaveBeenCalledTimes(1);
  browser.dispatchEvent(new Event('activate'));
  await vi.advanceTimersByTimeAsync(1000);
  expect(cut).toEqual([0]);
});
