import { afterEach, expect, test, vi } from 'vitest';
import { conversationAddress, parseRoute } from '../../../src/chat/common/route.ts';

afterEach(() => vi.unstubAllGlobals());

test.each([
  ['', { view: 'chat', conversation: null }],
  ['#/', { view: 'chat', conversation: null }],
  ['#/chat/0b0c-1', { view: 'chat', conversation: '0b0c-1' }],
  ['#/chat/<img>', { view: 'chat', conversation: null }],
  ['#/temporary', { view: 'temporary' }],
  ['#/chat/a/m1/two%20w%2Fords', { view: 'chat', conversation: 'a', found: { message: 'm1', words: 'two w/ords' } }],
  ['#/chat/a/m1', { view: 'chat', conversation: 'a', found: { message: 'm1', words: '' } }],
  ['#/chat/a/m1/%', { view: 'chat', conversation: 'a', found: { message: 'm1', words: '' } }],
  ['#/chat/a/', { view: 'chat', conversation: 'a' }],
  ['#/models', { view: 'models' }],
  ['#/developers', { view: 'developers' }],
  ['#/privacy', { view: 'privacy' }],
  ['#/nowhere', { view: 'chat', conversation: null }],
])('the address %s opens the expected screen', (hash, route) => {
  expect(parseRoute(hash)).toEqual(route);
});

test('the address of a found message has the searched words, unless they are to stay out of the history', () => {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', { getItem: (key: string) => kept.get(key) ?? null });
  const found = { message: 'm1', words: 'two w/ords' };
  expect(conversationAddress('a', found)).toBe('#/chat/a/m1/two%20w%2Fords');
  kept.set('tabserve-neutral-titles', '');
  const address = conversationAddress('a', found);
  expect(address).not.toContain('two');
  expect(parseRoute(address)).toEqual({ view: 'chat', conversation: 'a', found: { message: 'm1', words: '' } });
});
