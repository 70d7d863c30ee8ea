import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampleAnswer, sampleQuestion } from '../../gallery/samples/conversation.ts';
import type { Question } from '../../../src/chat/types/conversation.ts';
import { MessageTree } from '../../../src/chat/storage/message-tree.ts';

/** A tree of messages named by letters, oldest first. `a>b` means that b follows a. */
function tree(...links: string[]): MessageTree {
  return new MessageTree(links.map((link, created) => message(link, created)));
}

function message(link: string, created: number): Question {
  const [parent, id] = link.includes('>') ? link.split('>') : [null, link];
  return { id: id!, parent: parent ?? null, created, conversation: 'c', role: 'user', text: link };
}

const ids = (messages: readonly { id: string }[]): string => messages.map(({ id }) => id).join('');

test('a path leads from the first message to the chosen leaf', () => {
  const branches = tree('a', 'a>b', 'b>c', 'a>d', 'd>e');
  expect(ids(branches.path('c'))).toBe('abc');
  expect(ids(branches.path('e'))).toBe('ade');
});

test('without a leaf, or with a deleted one, the newest branch is shown', () => {
  const branches = tree('a', 'a>b', 'b>c', 'a>d', 'd>e');
  expect(ids(branches.path(null))).toBe('ade');
  expect(ids(branches.path('gone'))).toBe('ade');
});

test('siblings are the alternatives at one place, oldest first', () => {
  const branches = tree('a', 'a>b', 'a>c', 'x');
  expect(ids(branches.siblings('c'))).toBe('bc');
  expect(ids(branches.siblings('a'))).toBe('ax');
});

test('a message whose parent another tab has deleted stands beside the first ones, so that all messages can be shown', () => {
  const branches = tree('a', 'a>b', 'gone>x', 'x>y', 'gone>z');
  expect(ids(branches.path('y'))).toBe('xy');
  expect(ids(branches.siblings('x'))).toBe('axz');
  expect(ids(branches.siblings('a'))).toBe('axz');
  expect(branches.newestLeaf('a')?.id).toBe('b');
  expect(branches.leafWithout(branches.get('z')!)).toBe('y');
});

test('entering a branch leads to its newest end', () => {
  const branches = tree('a', 'a>b', 'b>c', 'b>d', 'd>e');
  expect(branches.newestLeaf('b')?.id).toBe('e');
  expect(branches.newestLeaf('c')?.id).toBe('c');
});

test('deleting a message deletes everything below it, on every branch', () => {
  const branches = tree('a', 'a>b', 'b>c', 'b>d', 'a>e');
  expect(branches.idsBelow('b').toSorted().join('')).toBe('bcd');
});

test('an empty conversation has an empty path', () => {
  expect(new MessageTree([]).path(null)).toEqual([]);
});

test('damaged data whose parents form a cycle do not cause an endless loop', () => {
  const ring = new MessageTree([message('b>a', 0), message('a>b', 1)]);
  expect(ring.path('a').length).toBeLessThanOrEqual(2);
  expect(ring.idsBelow('a').toSorted()).toEqual(['a', 'b']);
  expect(() => ring.newestLeaf('a')).not.toThrow();
});

test('every message of any tree lies on a path to the newest leaf below it', () => {
  const trees = fc.array(fc.nat(), { minLength: 1, maxLength: 30 }).map((parents) =>
    parents.map((pick, index): Question => ({
      id: String(index),
      parent: index === 0 || pick % 5 === 0 ? null : String(pick % index),
      created: index,
      conversation: 'c',
      role: 'user',
      text: '',
    })),
  );
  fc.assert(
    fc.property(trees, (messages) => {
      const branches = new MessageTree(messages);
      for (const { id } of messages) {
        expect(branches.path(branches.newestLeaf(id)!.id).map((step) => step.id)).toContain(id);
      }
    }),
  );
});

test('a comparison answer is shown only beside the answer that it was requested for', () => {
  const answers = [
    sampleAnswer({ id: 'a', created: 1 }),
    sampleAnswer({ id: 'b', created: 2 }),
    sampleAnswer({ id: 'c', created: 3, beside: 'a' }),
    sampleAnswer({ id: 'd', created: 4, beside: 'a' }),
  ];
  const branches = new MessageTree([sampleQuestion(), ...answers]);
  const compared = (index: number) => ids(branches.compared(answers[index]!));
  expect([compared(0), compared(1), compared(2), compared(3)]).toEqual(['ad', 'b', 'ac', 'ad']);
});
