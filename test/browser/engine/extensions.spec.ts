import { expect } from '@playwright/test';
import type { Tabserve } from '../../../src/page/index.ts';
import { test } from '../../support/pages/shared-site.ts';

/** Written out: an extension that is removed from the table is missed here. */
const EXTENSIONS = [
  'watch-device',
  'device-polling',
  'compact-json',
  'context-window',
  'image-tokens',
  'deferred-readback',
  'prompt-cache',
  'incremental-detokenizer',
  'cpu-sampling',
  'decode-ahead',
  'idle-prefill',
  'interruptible-prefill',
  'tokenizer-cache',
  'token-prompts',
];

test('every extension of WebLLM applies to the pinned version with the built-in model', async ({ site }) => {
  const status = await site.evaluate(
    () => document.querySelector<HTMLElement & { readonly tabserve: Tabserve }>('chat-app')!.tabserve.status,
  );
  expect(status).toMatchObject({ extensions: EXTENSIONS.map((name) => ({ name, off: null })) });
});
