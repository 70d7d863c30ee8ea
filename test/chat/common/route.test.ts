import { expect, test } from 'vitest';
import { parseRoute } from '../../../src/chat/common/route.ts';

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
