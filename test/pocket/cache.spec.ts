import { expect, test, type Harness } from './support/pocket-test.ts';
import { largestDifference } from './support/largest-difference.ts';

const FIRST = Array.from({ length: 30 }, (_, index) => (index * 37) % 250);
const SECOND = Array.from({ length: 11 }, (_, index) => (index * 11 + 5) % 250);

/** Returns the message of the error that a global function of the library throws; null if it throws none. */
async function errorOf(harness: Harness, name: string, numbers: number[]): Promise<string | null> {
  return harness.evaluate(
    async (h, [name, numbers]) => {
      const { kvCache, tvm } = h.getPipeline();
      return h.withLibrary(name, (called) => {
        try {
          called(kvCache, ...numbers.map((number) => tvm.scalar(number, 'int64')));
          return null;
        } catch (error) {
          return String(error);
        }
      });
    },
    [name, numbers] as const,
  );
}

test('removing positions restores the earlier state of the cache', async ({ load, tiny }) => {
  const harness = await load((await tiny(8)).name);
  const logits = await harness.evaluate(
    async (h, [first, second]) => {
      const [, expected] = await h.forwardAnew([first, second]);
      await h.forwardAnew([first, [1, 2, 3, 4, 5]]);
      const pipeline = h.getPipeline();
      await h.withLibrary('vm.builtin.kv_state_popn', (pop) => {
        const { tvm, kvCache } = pipeline;
        pop(kvCache, tvm.scalar(0, 'int64'), tvm.scalar(5, 'int32'));
      });
      pipeline.filledKVCacheLength -= 5;
      const [computed] = await h.forward([second]);
      return { expected: expected!, computed: computed! };
    },
    [FIRST, SECOND] as const,
  );
  expect(logits.computed).toEqual(logits.expected);
});

test('a restored snapshot continues where it was taken', async ({ load, tiny }) => {
  const harness = await load((await tiny(8)).name);
  const result = await harness.evaluate(
    async (h, [first, second]) => {
      const [, expected] = await h.forwardAnew([first, second]);
      await h.forwardAnew([first]);
      const checkpoint = await h.exportCheckpoint();
      await h.forwardAnew([second, second]);
      h.getPipeline().resetChat();
      await h.importCheckpoint(checkpoint);
      const length = h.getPipeline().filledKVCacheLength;
      const [computed] = await h.forward([second]);
      return { expected: expected!, computed: computed!, length, processed: checkpoint.processedSeqLen };
    },
    [FIRST, SECOND] as const,
  );
  expect(result.processed).toBe(FIRST.length);
  expect(result.length).toBe(FIRST.length);
  expect(largestDifference(result.computed, result.expected)).toBe(0);
});

test('a foreign or incomplete snapshot is refused', async ({ load, tiny }) => {
  const harness = await load((await tiny(8)).name);
  const errors = await harness.evaluate(async (h, first) => {
    await h.forwardAnew([first]);
    const checkpoint = await h.exportCheckpoint();
    const attempt = async (change: object) => {
      h.getPipeline().resetChat();
      return h.importCheckpoint({ ...checkpoint, ...change }).then(() => null, String);
    };
    const foreign = { metadata: { ...checkpoint.metadata, layout_hash: 'another' } };
    const incomplete = { pageGroups: checkpoint.pageGroups.slice(1) };
    return { foreign: await attempt(foreign), incomplete: await attempt(incomplete) };
  }, FIRST);
  expect(errors.foreign).toContain('was not made by this model library');
  expect(errors.incomplete).toContain('incomplete: 2 of 3 layers');
});

test('unsupported cache operations fail with a clear message', async ({ load, tiny }) => {
  const harness = await load((await tiny(8)).name);
  await harness.evaluate((h, first) => h.forwardAnew([first]), FIRST);
  const slide = 'vm.builtin.attention_kv_cache_enable_sliding_window_for_seq';
  expect(await errorOf(harness, slide, [0, 16, 4])).toContain('no sliding window');
  expect(await errorOf(harness, 'vm.builtin.kv_state_fork_sequence', [0, 1])).toContain('only one');
  expect(await errorOf(harness, 'vm.builtin.kv_state_add_sequence', [1])).toContain('one sequence');
  expect(await errorOf(harness, 'vm.builtin.kv_state_remove_sequence', [7])).toContain('no sequence 7');
  expect(await errorOf(harness, 'vm.builtin.kv_state_popn', [0, 31])).toContain('31 of 30');
  expect(await errorOf(harness, 'vm.builtin.kv_state_clear', [])).toBeNull();
});

test('a text longer than the context is refused, and the cache still works', async ({ load, tiny }) => {
  const harness = await load((await tiny(8)).name, { context_window_size: 64 });
  const chunk = Array.from({ length: 40 }, (_, index) => index);
  const result = await harness.evaluate(async (h, chunk) => {
    const error = await h.forwardAnew([chunk, chunk]).then(() => null, String);
    h.getPipeline().tvm.endScope();
    const [logits] = await h.forwardAnew([chunk]);
    return { error, finite: logits!.every(Number.isFinite) };
  }, chunk);
  expect(result.error).toContain('40 of 64 are in use');
  expect(result.finite).toBe(true);
});
