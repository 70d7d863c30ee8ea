import { expect } from '@playwright/test';
import type { CompletionRequest } from '../../../src/shared/engine/completion-request.ts';
import { inPage } from '../../support/pages/in-page.ts';
import { test } from '../../support/pages/shared-site.ts';
import type * as adapterModule from '../in-page/adapter.ts';

const REQUESTS: readonly Partial<CompletionRequest>[] = [
  {},
  { temperature: 2, seed: 1 },
  { logprobs: true, topLogprobs: 5 },
  { presencePenalty: 1, frequencyPenalty: 1, repetitionPenalty: 1.2, logitBias: { '5': 1 } },
  { responseFormat: { type: 'json_object' } },
];

test('a ready model has compiled all its kernels, so that no request waits for compilation @core', async ({ site }) => {
  const adapter = inPage<typeof adapterModule>(site, 'adapter');
  expect(await adapter.load()).toBeGreaterThan(10);
  for (const request of REQUESTS) expect(await adapter.compiledBy(request), JSON.stringify(request)).toBe(0);
});
