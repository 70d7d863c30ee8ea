import { expect, test } from 'vitest';
import type { Checkpoint } from '../../../../src/engine-worker/webllm/pipeline/webllm-pipeline.ts';
import { SavedPrefixes } from '../../../../src/engine-worker/webllm/prompt-cache/saved-prefixes.ts';

const CHECKPOINT = { pageGroups: [{ data: new ArrayBuffer(8) }] } as unknown as Checkpoint;
const tokens = (length: number) => Array.from({ length }, (_, index) => index);

test('a conversation is found in its own scope only, and replaces none of another scope', () => {
  const saved = new SavedPrefixes(1000);
  saved.add(tokens(100), CHECKPOINT, 'hub https://one.test');
  expect(saved.find(tokens(120), 0, 'hub https://one.test')?.tokens).toHaveLength(100);
  expect(saved.find(tokens(120), 0, 'hub https://other.test')).toBeNull();
  expect(saved.find(tokens(120), 0)).toBeNull();
  expect([saved.has(tokens(100), 'hub https://one.test'), saved.has(tokens(100))]).toEqual([true, false]);
  saved.add(tokens(110), CHECKPOINT);
  expect(saved.find(tokens(120), 0, 'hub https://one.test')?.tokens).toHaveLength(100);
  expect(saved.find(tokens(120), 0)?.tokens).toHaveLength(110);
});
