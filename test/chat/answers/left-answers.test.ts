import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { noteLeftAnswers, takeLeftAnswers } from '../../../src/chat/answers/left-answers.ts';

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
  noteLeftAnswers(['a', 'b']);
  expect(takeLeftAnswers()).toEqual(new Set(['a', 'b']));
  expect(takeLeftAnswers()).toEqual(new Set());
  expect(stored.size).toBe(0);
});

test('a tab that is opened again after more than a minute starts no old answers', () => {
  noteLeftAnswers(['a']);
  vi.setSystemTime(Date.now() + 61_000);
  expect(takeLeftAnswers()).toEqual(new Set());
});

test('a tab that generates nothing stores nothing', () => {
  noteLeftAnswers([]);
  expect(stored.size).toBe(0);
});

test('broken storage means that no answers are known', () => {
  stored.set('tabserve-left-answers', '{');
  expect(takeLeftAnswers()).toEqual(new Set());
});

test('denied storage means that no answers are known', () => {
  vi.stubGlobal('sessionStorage', undefined);
  noteLeftAnswers(['a']);
  expect(takeLeftAnswers()).toEqual(new Set());
});
