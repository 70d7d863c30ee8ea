import type { LitElement } from 'lit';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LatestMessagesFirstController } from '../../../src/chat/conversation/scrolling/latest-messages-first-controller.ts';
import { sampleQuestion } from '../../gallery/samples/conversation.ts';

const path = (length: number, conversation = 'c1') =>
  Array.from({ length }, (_, index) => sampleQuestion({ id: `${conversation}-${index}`, conversation }));

const keyboard = new EventTarget();
vi.stubGlobal('addEventListener', keyboard.addEventListener.bind(keyboard));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/**
 * Renders a conversation in a host that renders again whenever an update is requested. `ids` are the rendered messages.
 */
function render(length = 100, isBusy = () => false) {
  const shown = { path: path(length), steps: 0, wanted: undefined as string | undefined, ids: [] as readonly string[] };
  const update = (): void => {
    shown.steps++;
    shown.ids = latest.of(shown.path, shown.wanted).map(({ id }) => id);
    latest.hostUpdated();
  };
  const host = {
    addController: () => {},
    removeController: () => {},
    requestUpdate: update,
    updateComplete: Promise.resolve(true),
  };
  const latest = new LatestMessagesFirstController(host as unknown as LitElement, () => true, isBusy);
  update();
  return { shown, update };
}

test('a long conversation renders its end first, then the earlier messages step by step', () => {
  const { shown } = render();
  let before = 0;
  while (shown.ids.length < 100) {
    expect(shown.ids).toEqual(shown.path.slice(-shown.ids.length).map(({ id }) => id));
    expect(shown.ids.length - before).toBeGreaterThan(0);
    expect(shown.ids.length - before).toBeLessThan(50);
    before = shown.ids.length;
    vi.advanceTimersToNextTimer();
  }
  expect(vi.getTimerCount()).toBe(0);
});

test('rendered messages stay when messages are added, and another conversation starts over', () => {
  const { shown, update } = render();
  const first = shown.ids[0];
  shown.path = [...shown.path, ...path(3, 'c1').map((message) => ({ ...message, id: `${message.id} added` }))];
  update();
  expect(shown.ids[0]).toBe(first);
  expect(shown.ids.at(-1)).toBe('c1-2 added');
  shown.path = path(60, 'c2');
  update();
  expect(shown.ids.length).toBeLessThan(60);
});

test('a found message is rendered at once, with all messages after it', () => {
  const { shown, update } = render();
  shown.wanted = 'c1-7';
  update();
  expect(shown.ids[0]).toBe('c1-7');
  shown.path = path(10, 'c3');
  update();
  expect(shown.ids).toHaveLength(10);
});

test('while the user types no older message is added, and all are added soon after', () => {
  const { shown } = render();
  vi.advanceTimersByTime(100);
  const before = shown.ids.length;
  for (let letter = 0; letter < 20; letter += 1) {
    keyboard.dispatchEvent(new Event('keydown'));
    vi.advanceTimersByTime(100);
  }
  expect(shown.ids.length).toBe(before);
  vi.advanceTimersByTime(2000);
  expect(shown.ids.length).toBe(100);
});

test('the steps of a chat of 3,000 messages grow with what is shown, but stay small', () => {
  const { shown } = render(3000);
  let largest = 0;
  for (let before = shown.ids.length; shown.ids.length < 3000; before = shown.ids.length) {
    vi.advanceTimersToNextTimer();
    largest = Math.max(largest, shown.ids.length - before);
  }
  expect(shown.steps).toBeLessThan(170);
  expect(largest).toBeLessThan(40);
});

test('while an answer grows older messages are added rarely, and afterwards quickly', () => {
  let isBusy = true;
  const { shown, update } = render(1000, () => isBusy);
  vi.advanceTimersByTime(10_000);
  expect(shown.steps).toBeLessThanOrEqual(12);
  expect(shown.ids.length).toBeGreaterThan(100);
  isBusy = false;
  update();
  vi.advanceTimersByTime(5000);
  expect(shown.ids.length).toBe(1000);
});
