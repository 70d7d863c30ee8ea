import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EventBatcher } from '../../../src/engine-worker/ports/event-batcher.ts';
import { ApiError } from '../../../src/shared/api-error.ts';
import type { CompletionEvent } from '../../../src/shared/engine/completion-event.ts';

const PACE = 35;
const READING = 200;

/** The sent messages, each as `sequence: contents`. */
let sent: string[];
let pacer: EventBatcher;

beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
  pacer = new EventBatcher((events, sequence) => sent.push(`${sequence}: ${events.map(describe).join(' ')}`), PACE);
});

afterEach(() => {
  vi.useRealTimers();
});

function describe(event: CompletionEvent): string {
  return event.type === 'delta' ? (event.content ?? '') : event.type;
}

function push(content: string): void {
  pacer.push({ type: 'delta', choice: 0, content });
}

const DONE: CompletionEvent = {
  type: 'done',
  usage: { promptTokens: 1, completionTokens: 1, cachedTokens: 0, reasoningTokens: 0 },
};

test('the first piece is sent at once, together with earlier events', () => {
  pacer.push({ type: 'queued', position: 1 });
  pacer.push({ type: 'prefill' });
  push('a');
  expect(sent).toEqual(['0: queued', '1: prefill a']);
});

test('a long prefill is reported before the first piece, which is then not delayed', () => {
  pacer.push({ type: 'prefill' });
  vi.advanceTimersByTime(READING - 1);
  expect(sent).toEqual([]);
  vi.advanceTimersByTime(1);
  push('a');
  expect(sent).toEqual(['0: prefill', '1: a']);
});

test('the prefill of a further choice is sent with the pieces before it, and delays none after it', () => {
  push('a');
  vi.advanceTimersByTime(10);
  push('b');
  pacer.push({ type: 'finish', choice: 0, reason: 'stop' });
  pacer.push({ type: 'prefill' });
  vi.advanceTimersByTime(PACE);
  expect(sent).toEqual(['0: a', '1: b finish prefill']);
  pacer.push({ type: 'prefill' });
  push('c');
  vi.advanceTimersByTime(PACE);
  expect(sent.slice(2)).toEqual(['4: prefill c']);
});

test('pieces in quick succession are sent together, once per interval', () => {
  for (const content of 'abcdefgh') {
    push(content);
    vi.advanceTimersByTime(10);
  }
  expect(sent).toEqual(['0: a', '1: b c d', '4: e f g']);
});

test('the pieces of a slow model are never delayed', () => {
  for (const content of 'abc') {
    push(content);
    expect(sent.at(-1)).toMatch(new RegExp(`${content}$`));
    vi.advanceTimersByTime(PACE);
  }
});

test('the last pieces are sent with the end of the answer, and nothing follows', () => {
  for (const content of 'abc') push(content);
  pacer.push({ type: 'finish', choice: 0, reason: 'stop' });
  pacer.push(DONE);
  vi.advanceTimersByTime(10 * PACE);
  expect(sent).toEqual(['0: a', '1: b c finish done']);
});

test('a failure is sent at once, after the pieces before it', () => {
  for (const content of 'ab') push(content);
  pacer.push({ type: 'error', error: new ApiError('gpu_device_lost', 'Lost.').toData() });
  expect(sent).toEqual(['0: a', '1: b error']);
});

test('nothing is sent after stop()', () => {
  for (const content of 'ab') push(content);
  pacer.stop();
  vi.advanceTimersByTime(10 * PACE);
  expect(sent).toEqual(['0: a']);
});
