import { expect, test } from 'vitest';
import { parseRoute } from '../../src/chat/common/route.ts';

test.each([
  ['', { view: 'chat', conversation: null }],
  ['#/', { view: 'chat', conversation: null }],
  ['#/chat/0b0c-1', { view: 'chat', conversation: '0b0c-1' }],
  ['#/chat/<img>', { view: 'chat', conversation: null }],
  ['#/temporary', { view: 'temporary' }],
  ['#/models', { view: 'models' }],
  ['#/developers', { view: 'developers' }],
  ['#/privacy', { view: 'privacy' }],
  ['#/nowhere', { view: 'chat', conversation: null }],
])('the address %s', (hash, route) => {
  expect(parseRoute(hash)).toEqual(route);
});
