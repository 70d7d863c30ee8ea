import type * as os from 'node:os';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { ChaosContext } from './fault.ts';
import { contextOf } from './scripted-context.ts';
import { SeededRandom } from './seeded-random.ts';
import { settle } from './settle.ts';

// A machine that is never busy.
vi.mock('node:os', async (original) => ({
  ...(await original<typeof os>()),
  cpus: () => [{ times: { idle: performance.now() } }],
}));

const never = new Promise(() => {});
let answers = 0;

/** Returns a correct reply of a page. */
function rightReply(expression: string): unknown {
  const stream = expression.includes('\\"stream\\":true');
  const says = { role: 'assistant', content: 'Yes.' };
  const choice = { index: 0, finish_reason: 'stop', ...(stream ? { delta: says } : { message: says }) };
  const object = stream ? 'chat.completion.chunk' : 'chat.completion';
  const document = JSON.stringify({ id: `chatcmpl-${answers++}`, object, model: 'pocket', choices: [choice] });
  return {
    stage: 'whole',
    status: 200,
    contentType: stream ? 'text/event-stream' : 'application/json',
    retryAfter: null,
    body: stream ? `data: ${document}\n\ndata: [DONE]\n\n` : document,
    failure: null,
    controlled: true,
    isFinal: false,
    bypassed: false,
  };
}

test('a tab whose process ends while others are judged is reloaded, and is not reported as stuck', async () => {
  const loads = [0, 0, 0];
  const context: ChaosContext = await contextOf((method, { expression }, tab) => {
    const place = tab!.number - 1;
    if (method === 'Page.navigate') loads[place]!++;
    if (method !== 'Runtime.evaluate') return {};
    // The last tab's process crashes with its first question, and another tab's page in the same process with it.
    if (place === 0 && loads[2] === 1) for (const lost of context.tabs.all.slice(1)) lost.noteCrash();
    return tab!.state === 'crashed' ? never : { result: { value: rightReply(String(expression)) } };
  });
  expect(await settle(context, new SeededRandom(1))).toBeNull();
  expect(loads).toEqual([1, 2, 2]);
});

test('a tab without answers is not stuck but its browser broken if the caches of some other tab do not respond', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const noHead = { ...(rightReply('') as object), stage: 'no head', status: null, controlled: false };
  const context = await contextOf((method, { expression }, tab) => {
    const calls = String(expression);
    if (method !== 'Runtime.evaluate') return {};
    if (calls.includes('chaos.readAnyCache')) return tab!.number === 3 ? never : { result: {} };
    return { result: { value: calls.includes('chaos.ask(') ? noHead : 1 } };
  });
  context.harms.clearings.push(performance.now());
  const settled = settle(context, new SeededRandom(1));
  const ended = new AbortController();
  void settled.finally(() => ended.abort());
  while (!ended.signal.aborted) await vi.advanceTimersByTimeAsync(5000);
  expect(await settled).toMatchObject({ type: 'wedge', tab: 1, unstartable: ['caches'] });
});
