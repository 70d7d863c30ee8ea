import { expect } from '@playwright/test';
import { inPage } from '../../support/pages/in-page.ts';
import { test } from '../../support/pages/shared-site.ts';
import { pageStatus } from '../../support/pages/site-page.ts';
import type * as effectsModule from '../in-page/extension-effects.ts';

/**
 * The effect of each WebLLM extension on an answer of the built-in model. Listed here, so that a missing extension
 * fails.
 */
const EFFECTS: readonly (readonly [extension: string, effect: object])[] = [
  ['merge-barrier', { barriers: 1 }],
  ['fewer-gpu-calls', { groups: 0, passes: 1 }],
  ['device-polling', { remindsBrowser: true }],
  ['context-window', { tokens: 512 }],
  ['image-tokens', { placesOfImage: 6 }],
  ['deferred-readback', { layersWaitedFor: 0 }],
  ['prompt-cache', { prefilled: 2, notCached: 2 }],
  ['incremental-detokenizer', { detokenizesEnd: true }],
  ['cpu-sampling', { alternatives: 20, sampledByWebLlm: 0 }],
  ['jump-forward', { computedAtOnce: ['"temperature'] }],
  ['decode-ahead', { fed: [0, 2, 3, 4, 4] }],
  ['stop-tokens', { text: 'aa', reason: 'stop' }],
  ['interruptible-prefill', { stopsEarly: true }],
  ['token-prompts', { promptTokens: 5, fed: true }],
  // Last, because it unloads the model.
  ['watch-device', { loadedModel: null, failure: 'gpu_device_lost' }],
];

for (const [extension, effect] of EFFECTS) {
  test(`${extension} takes effect on the pinned WebLLM`, async ({ site }) => {
    const effects = inPage<typeof effectsModule>(site, 'extension-effects');
    expect(await effects.effectOf(extension)).toEqual(effect);
  });
}

test('a model that prefers blanks writes at most one in a row into JSON', async ({ site }) => {
  expect(await inPage<typeof effectsModule>(site, 'extension-effects').blanksInJson()).toBe(1);
});

test('every WebLLM extension is active with the built-in model', async ({ site }) => {
  const { extensions = [] } = (await pageStatus(site)) as { extensions?: { name: string; off: string | null }[] };
  expect(extensions.map(({ name }) => name).toSorted()).toEqual(EFFECTS.map(([name]) => name).toSorted());
  expect(extensions.filter(({ off }) => off !== null)).toEqual([]);
});
