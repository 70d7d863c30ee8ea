import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { readEndOfTurn } from '../../../src/engine-worker/webllm/read-end-of-turn.ts';

/** More than the pause after an answer. */
const LONGER = 200;

/** The members of WebLLM's object that are changed; turns end with the token 0. */
function newPipeline() {
  const log: string[] = [];
  const pipeline = {
    stopTokens: [0],
    stopTriggered: false,
    contextWindowSize: 12,
    filledKVCacheLength: 10,
    device: { sync: async () => void log.push('submit') },
    async forwardDecodeToken(token: number) {
      log.push(`feed ${token}`);
      return { dispose: () => void log.push('dispose') };
    },
    commitSampledStep({ tokenId }: { tokenId: number }) {
      if (tokenId === 0) pipeline.stopTriggered = true;
      return `added ${tokenId}`;
    },
    resetChat: () => void (pipeline.stopTriggered = false),
    dispose: () => void log.push('freed'),
  };
  return { pipeline, log, end: (tokenId: number) => pipeline.commitSampledStep({ tokenId }) };
}

test('the token that ends a turn is fed, what it gives is let go of, and the device hears of it', async () => {
  const { pipeline, log, end } = newPipeline();
  expect(readEndOfTurn(pipeline)).toBe(true);
  expect(end(0)).toBe('added 0');
  expect(log).toEqual([]);
  await expect.poll(() => log).toEqual(['feed 0', 'dispose', 'submit']);
});

test.each<[name: string, prepare: (made: ReturnType<typeof newPipeline>) => void]>([
  ['a token in the middle of an answer', ({ end }) => end(5)],
  ['another token than that of a turn’s end', ({ pipeline, end }) => ((pipeline.stopTriggered = true), end(5))],
  ['what no room is left for', ({ pipeline, end }) => ((pipeline.filledKVCacheLength = 12), end(0))],
  ['an answer after which the next prompt comes at once', ({ pipeline, end }) => (end(0), pipeline.resetChat())],
  ['an answer whose model is freed', ({ pipeline, end }) => (end(0), pipeline.dispose())],
])('nothing is fed after %s', async (_name, prepare) => {
  const made = newPipeline();
  readEndOfTurn(made.pipeline);
  prepare(made);
  await sleep(LONGER);
  expect(made.log.filter((entry) => entry.startsWith('feed'))).toEqual([]);
});

test('a device that is lost in the pause harms nothing here', async () => {
  const { pipeline, log, end } = newPipeline();
  pipeline.forwardDecodeToken = async () => {
    log.push('lost');
    throw new Error('no device');
  };
  readEndOfTurn(pipeline);
  end(0);
  await expect.poll(() => log).toEqual(['lost']);
});

test.each(['forwardDecodeToken', 'commitSampledStep', 'resetChat', 'dispose', 'device', 'stopTokens', 'stopTriggered'])(
  'a WebLLM without "%s" is left as it is',
  (name) => {
    const other = { ...newPipeline().pipeline, [name]: undefined };
    const before = { ...other };
    expect(readEndOfTurn(other as never)).toBe(false);
    expect(other).toEqual(before);
  },
);
