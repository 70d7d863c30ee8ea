import { expect, test } from 'vitest';
import { DECODE_AHEAD } from '../../../../src/engine-worker/webllm/extensions/decode-ahead.ts';
import { applyExtension } from '../support/apply-extension.ts';
import { ask, loadedEngine, requestOf } from '../support/test-engine.ts';

const replies = [['a', 'b', 'c', 'd'], ['next']];

test('the GPU gets each token except the first before its text is consumed', async () => {
  const { engine, runs } = await loadedEngine({ replies });
  const steps: (number | undefined)[] = [];
  for await (const { type } of engine.generate(requestOf('x'), new AbortController().signal)) {
    if (type === 'delta') steps.push(runs[0]?.steps);
  }
  expect(steps).toEqual([0, 2, 3, 4]);
});

test.each([
  ['the end of a turn', {}, 4],
  ['the last token before the token limit', { maxTokens: 3 }, 2],
])('%s is not fed to the model', async (_name, request, steps) => {
  const { engine, runs } = await loadedEngine({ replies });
  await ask(engine, request);
  expect(runs[0]?.steps).toBe(steps);
});

test('a full context window ends an answer, and no token is decoded beyond it', async () => {
  const endless = [Array<string>(200).fill('a')];
  const { engine, runs } = await loadedEngine({ replies: endless, entry: { contextWindow: 64 } });
  const { choices, usage } = await ask(engine, 'x');
  expect(choices[0]?.reason).toBe('length');
  expect(usage.promptTokens + usage.completionTokens).toBe(64);
  expect(runs[0]!.promptTokens + runs[0]!.steps).toBeLessThan(64);
});

test('a GPU failure in a discarded decode step affects neither answer', async () => {
  let decoded = 0;
  const { engine } = await loadedEngine({
    replies,
    async onForward(kind) {
      if (kind === 'decode' && ++decoded === 2) throw new Error('no device');
    },
  });
  expect((await ask(engine, { stop: ['b'] })).choices[0]).toMatchObject({ content: 'a', reason: 'stop' });
  expect(decoded).toBe(2);
  expect((await ask(engine, 'again')).choices[0]?.content).toBe('next');
});

/**
 * A fake of WebLLM's pipeline with the members that the extension uses. It answers 1, 2, 3, … and stops after `last`.
 */
function newPipeline(last: number) {
  const kept = new Set<number>();
  const log: string[] = [];
  const pipeline = {
    stopTokens: [0],
    outputIds: [] as number[],
    stopTriggered: false,
    contextWindowSize: 100,
    filledKVCacheLength: 10,
    tvm: { lib: { webGPUContext: { flushCommands: () => void log.push('submit') } } },
    async forwardDecodeToken(token: number) {
      log.push(`feed ${token}`);
      pipeline.filledKVCacheLength++;
      kept.add(token);
      return { dispose: () => void kept.delete(token) };
    },
    async sampleDecodeStep(_config?: object) {
      const tokenId = pipeline.outputIds.length + 1;
      log.push(`choose ${tokenId}`);
      return { tokenId, source: 'decode' as const };
    },
    commitSampledStep({ tokenId }: { tokenId: number; source: 'prefill' | 'decode' }) {
      log.push(`add ${tokenId}`);
      pipeline.processNextToken(tokenId, undefined);
    },
    processNextToken(token: number, _config: unknown, length?: number) {
      log.push(`at ${length ?? pipeline.filledKVCacheLength}`);
      pipeline.outputIds.push(token);
      if (token === last) pipeline.stopTriggered = true;
    },
    triggerStop() {
      pipeline.stopTriggered = true;
    },
  };
  return { pipeline, kept, log };
}

/** Generates a token of the answer, as WebLLM does. */
async function decode({ pipeline }: ReturnType<typeof newPipeline>) {
  pipeline.commitSampledStep(await pipeline.sampleDecodeStep({}));
}

/** Lets pending promises settle, after which unused tensors are disposed of. */
async function settled() {
  await Promise.resolve();
  await Promise.resolve();
}

test('the next decode step is encoded before the token is committed, and the KV cache position stays correct', async () => {
  const made = newPipeline(2);
  const { pipeline, kept, log } = made;
  await applyExtension(pipeline, DECODE_AHEAD);
  await decode(made);
  (await pipeline.forwardDecodeToken(1)).dispose();
  await decode(made);
  await settled();
  const [first, second] = [1, 2].map((token) => [`choose ${token}`, `feed ${token}`, 'submit', `add ${token}`]);
  expect(log).toEqual([...first!, 'at 10', ...second!, 'at 11']);
  expect(kept.size).toBe(0);
});

test('after an answer is stopped, the next one does not use the logits that were computed ahead for it', async () => {
  const made = newPipeline(9);
  const { pipeline, kept } = made;
  await applyExtension(pipeline, DECODE_AHEAD);
  await decode(made);
  pipeline.triggerStop();
  await settled();
  expect(kept.size).toBe(0);
  expect(pipeline.stopTriggered).toBe(true);
});

test('a pending decode step that is not used leaves no logits for the next answer', async () => {
  const made = newPipeline(9);
  const { pipeline, kept, log } = made;
  await applyExtension(pipeline, DECODE_AHEAD);
  await pipeline.sampleDecodeStep({});
  pipeline.filledKVCacheLength = 50;
  pipeline.commitSampledStep({ tokenId: 1, source: 'prefill' });
  await settled();
  expect(log.at(-1)).toBe('at 50');
  expect(kept.size).toBe(0);
});

test('a token other than the committed one gets its own decode step', async () => {
  const made = newPipeline(9);
  const { pipeline, kept, log } = made;
  await applyExtension(pipeline, DECODE_AHEAD);
  await decode(made);
  await pipeline.forwardDecodeToken(5);
  expect(log.filter((entry) => entry.startsWith('feed'))).toEqual(['feed 1', 'feed 5']);
  await Promise.resolve();
  expect([...kept]).toEqual([5]);
});

test('decode-ahead is off for a model with a manifest', async () => {
  const { pipeline } = newPipeline(9);
  Object.assign(pipeline, { artifact: {} });
  await expect(applyExtension(pipeline, DECODE_AHEAD)).rejects.toThrow('has a manifest');
});
