import { expect, test, vi } from 'vitest';
import { delayedLogprob } from '../../../../src/engine-worker/webllm/sampling/delayed-logprob.ts';

test('an entry is computed once, when it is first read', () => {
  const compute = vi.fn<() => { token: string; logprob: number; bytes: number[]; top_logprobs: [] }>(() => ({
    token: 'a',
    logprob: -1,
    bytes: [97],
    top_logprobs: [],
  }));
  const entry = delayedLogprob(compute);
  expect(compute).not.toHaveBeenCalled();
  expect({ ...entry }).toEqual({ token: 'a', logprob: -1, bytes: [97], top_logprobs: [] });
  expect(compute).toHaveBeenCalledTimes(1);
});
