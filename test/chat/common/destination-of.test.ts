import { expect, test } from 'vitest';
import type { PageStatus } from '../../../src/page/index.ts';
import { destinationOf } from '../../../src/chat/common/destination-of.ts';
import { destinationStrings } from '../../../src/chat/strings/conversation-strings.ts';

const SERVER = { upstream: 'desk', upstream_origin: 'http://localhost:4383' };
const READY: PageStatus['state'] = 'ready';

test.for([
  ['a model of this device', { state: 'built-in' }, READY, null],
  ['a model that is not in the list', undefined, READY, null],
  ['a model of an upstream', { state: 'upstream', ...SERVER }, READY, 'Goes to desk (localhost:4383)'],
  [
    'a model of this device with an upstream as substitute',
    { state: 'built-in', ...SERVER },
    READY,
    'Goes to desk (localhost:4383) if this device cannot answer',
  ],
  [
    'such a model on a device that can run none',
    { state: 'built-in', ...SERVER },
    'unsupported',
    'Goes to desk (localhost:4383)',
  ],
] as const)('the page says where a question to %s goes', ([, tabserve, state, words]) => {
  const model = tabserve && { id: 'a', tabserve };
  const destination = destinationOf(model, { state } as PageStatus);
  expect(destination && destinationStrings.goesTo(destination)).toBe(words);
  if (destination === null) return;
  expect(destinationStrings.words(destination)).toContain('localhost:4383');
  expect(destinationStrings.words(destination)).not.toMatch(/stays on this device/);
});
