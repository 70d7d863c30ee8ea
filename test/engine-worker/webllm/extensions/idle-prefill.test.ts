import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { IDLE_PREFILL } from '../../../../src/engine-worker/webllm/extensions/idle-prefill.ts';
import { NO_TEMPLATE } from '../../../../src/engine-worker/webllm/prompt/chat-template.ts';
import { applyExtension } from '../support/apply-extension.ts';

/** Milliseconds longer than the pause between an answer and the idle prefill. */
const LONGER = 200;

/** In this template `<end>` ends the turn of an answer, and `<user>` begins the next. */
const TEMPLATE = {
  ...NO_TEMPLATE,
  seps: ['<end>'],
  roles: { user: '<user>', assistant: '', tool: null },
  role_content_sep: '',
};

/** A fake of WebLLM's pipeline with the members that the extension uses. The token 0 ends a turn. */
function newPipeline() {
  const log: string[] = [];
  const pipeline = {
    stopTokens: [0],
    stopTriggered: false,
    contextWindowSize: 12,
    filledKVCacheLength: 10,
    tokenizer: { encode: (text: string) => [text === '<end>' ? 0 : 7] },
    device: { sync: async () => void log.push('submit') },
    tvm: { beginScope: () => undefined, endScope: () => void log.push('dispose') },
    async embedAndForward(data: readonly (readonly number[])[], length: number) {
      log.push(`feed ${data.join()}, which are ${length}`);
    },
    commitSampledStep({ tokenId }: { tokenId: number }) {
      if (tokenId === 0) pipeline.stopTriggered = true;
      return `added ${tokenId}`;
    },
    resetChat: () => void (pipeline.stopTriggered = false),
    dispose: () => void log.push('freed'),
  };
  const extend = async () => {
    const handle = await applyExtension(pipeline, IDLE_PREFILL, { template: TEMPLATE });
    handle.afterwards = () => void log.push('afterwards');
  };
  return { pipeline, log, extend, end: (tokenId: number) => pipeline.commitSampledStep({ tokenId }) };
}

test('idle prefill feeds the end of the turn and the start of the next, disposes of the logits, submits, then runs the idle tasks', async () => {
  const { log, extend, end } = newPipeline();
  await extend();
  expect(end(0)).toBe('added 0');
  expect(log).toEqual([]);
  await expect.poll(() => log).toEqual(['feed 0,7, which are 2', 'dispose', 'submit', 'afterwards']);
});

test.each<[name: string, prepare: (made: ReturnType<typeof newPipeline>) => void]>([
  ['a token in the middle of an answer', ({ end }) => end(5)],
  ['another token than the end-of-turn token', ({ pipeline, end }) => ((pipeline.stopTriggered = true), end(5))],
  [
    'an answer that leaves no room in the context window',
    ({ pipeline, end }) => ((pipeline.filledKVCacheLength = 11), end(0)),
  ],
  ['an answer that is followed at once by the next prompt', ({ pipeline, end }) => (end(0), pipeline.resetChat())],
  ['an answer whose model is unloaded', ({ pipeline, end }) => (end(0), pipeline.dispose())],
])('nothing is prefilled after %s', async (_name, prepare) => {
  const made = newPipeline();
  await made.extend();
  prepare(made);
  await sleep(LONGER);
  expect(made.log.filter((entry) => entry.startsWith('feed'))).toEqual([]);
});

test.each(['resetChat', 'dispose'] as const)('once "%s" is called, no idle task runs', async (name) => {
  const { pipeline, log, extend, end } = newPipeline();
  let done: (() => void) | undefined;
  pipeline.device.sync = () => new Promise<undefined>((resolve) => (done = () => resolve(undefined)));
  await extend();
  end(0);
  await expect.poll(() => log).toEqual(['feed 0,7, which are 2', 'dispose']);
  pipeline[name]();
  done?.();
  await sleep(LONGER);
  expect(log).not.toContain('afterwards');
});

test('a device that is lost during idle prefill causes no error', async () => {
  const { pipeline, log, extend, end } = newPipeline();
  pipeline.embedAndForward = async () => {
    log.push('lost');
    throw new Error('no device');
  };
  await extend();
  end(0);
  await expect.poll(() => log).toEqual(['lost', 'dispose']);
});
