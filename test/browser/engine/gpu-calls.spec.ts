import { expect } from '@playwright/test';
import { inPage } from '../../support/pages/in-page.ts';
import { test } from '../../support/pages/shared-site.ts';
import type * as gpuCalls from '../in-page/gpu-calls.ts';

test('with fewer GPU calls no bit of the logits changes, in long answers, after prefixes and abandoned prompts', async ({
  site,
}) => {
  const { steps, different } = await inPage<typeof gpuCalls>(site, 'gpu-calls').compareLogits();
  expect(different).toEqual([]);
  expect(steps).toBeGreaterThan(400);
});

test('with fewer GPU calls no bit of an embedding changes', async ({ site }) => {
  expect(await inPage<typeof gpuCalls>(site, 'gpu-calls').compareEmbeddings()).toEqual([]);
});

test('a token of the answer makes few GPU calls @core', async ({ site }) => {
  const tokens = await inPage<typeof gpuCalls>(site, 'gpu-calls').callsOfDecoding();
  for (const { groups, passes, uniformWrites } of tokens) {
    expect(groups).toBeLessThanOrEqual(2);
    expect(passes).toBeLessThanOrEqual(2);
    expect(uniformWrites).toBeLessThanOrEqual(12);
  }
});
