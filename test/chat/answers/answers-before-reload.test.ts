import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { noteAnswersBeforeReload, takeAnswersBeforeReload } from '../../../src/chat/answers/answers-before-reload.ts';

let stored: Map<string, string>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  stored = new Map();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a reloaded tab learns once which answers it was generating', () => {
  noteAnswersBeforeReload(['a', 'b']);
  expect(takeAnswersBeforeReload()).toEqual(new Set(['a', 'b']));
  expect(takeAnswersBeforeReload()).toEqual(new Set());
  expect(stored.size).toBe(0);
});

test('a tab that is opened again after more than a minute starts no old answers', () => {
  noteAnswersBeforeReload(['a']);
  vi.setSystemTime(Date.now() + 61_000);
  expect(takeAnswersBeforeReload()).toEqual(new Set());
});

test('a tab that generates nothing stores nothing', () => {
  noteAnswersBeforeReload([]);
  expect(stored.size).toBe(0);
});

test('broken storage means that no answers are known', () => {
  stored.set('tabserve-answers-before-reload', '{');
  expect(takeAnswersBeforeReload()).toEqual(new Set());
});

test('denied storage means that no answers are known', () => {
  vi.stubGlobal('sessionStorage', undefined);
  noteAnswersBeforeReload(['a']);
  expect(takeAnswersBeforeReload()).toEqual(new Set());
});
