import { afterEach, expect, test, vi } from 'vitest';
import { ActionController } from '../../../src/chat/common/action-controller.ts';

afterEach(() => vi.restoreAllMocks());

function actions(): ActionController {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  return new ActionController({
    addController() {},
    removeController() {},
    requestUpdate() {},
    updateComplete: Promise.resolve(true),
  });
}

test.each([
  [
    'throws',
    () => {
      throw new Error('No room left.');
    },
    undefined,
    'No room left.',
  ],
  ['rejects', () => Promise.reject(new Error('No room left.')), undefined, 'No room left.'],
  ['rejects with a value that is no error', () => Promise.reject('gone'), undefined, 'gone'],
  ['fails and has its own message', () => Promise.reject(new Error('0x7')), 'It was not stored.', 'It was not stored.'],
])('an action that %s is shown as a problem and never as a rejection', async (_name, action, words, problem) => {
  const controller = actions();
  expect(await controller.run(action, words)).toBe(false);
  expect(controller.problem).toBe(problem);
});

test('the next action clears the last problem', async () => {
  const controller = actions();
  await controller.run(() => Promise.reject(new Error('No.')));
  expect(await controller.run(() => 'done')).toBe(true);
  expect(controller.problem).toBe('');
});
