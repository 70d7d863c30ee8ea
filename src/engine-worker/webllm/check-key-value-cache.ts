import { sha256 } from '../../shared/sha256.ts';
import { openStore } from '../../shared/store.ts';
import type { KeyValueCache } from './key-value-cache.ts';

/** Tokens that are read for the check. */
const LENGTH = 12;

/** How many of them are in the cache already when the rest is read again. */
const KEPT = 7;

/** Share of the range of all logits by which one may differ: rounding stays a hundred times below, wrong ones go far over. */
const TOLERANCE = 0.005;

/** What is remembered of checks: whether one was passed, by library and graphics device. */
export interface CheckRecords {
  get(key: string): Promise<boolean | undefined>;
  put(key: string, passed: boolean): Promise<void>;
}

/** The records in the site's database. */
export const STORED_CHECKS: CheckRecords = {
  get: async (key) => (await openStore()).get('settings', `prompt-cache ${key}`),
  put: async (key, passed) => void (await (await openStore()).put('settings', passed, `prompt-cache ${key}`)),
};

/** A model library, and where it runs. */
export interface CheckedLibrary {
  /** The library's file; undefined where it is not at hand, and nothing is remembered. */
  readonly file: Response | undefined;
  /** Name of the graphics device. */
  readonly gpu: string;
  /** Tokens that the model knows. */
  readonly vocabularySize: number;
}

/** {@link checkKeyValueCache}, once for each library on each graphics device. */
export async function checkKeyValueCacheOnce(
  cache: KeyValueCache,
  { file, gpu, vocabularySize }: CheckedLibrary,
  records: CheckRecords,
): Promise<boolean> {
  const key = file && `${await sha256(new Uint8Array(await file.arrayBuffer()))} ${gpu}`;
  // Without a database the check is done again next time.
  const remember = async (passed: boolean) =>
    key === undefined ? undefined : records.put(key, passed).catch(() => {});
  const known = key === undefined ? undefined : await records.get(key).catch(() => undefined);
  if (known !== undefined) return known;
  try {
    const passed = await checkKeyValueCache(cache, vocabularySize);
    await remember(passed);
    return passed;
  } catch (thrown) {
    // The library is of no use any more, and shall not be asked this again.
    if (thrown instanceof WebAssembly.RuntimeError) await remember(false);
    throw thrown;
  }
}

/**
 * Whether a model library computes the same for a prompt that is read in two parts, the first of which was in the
 * cache, as for the whole. Not each does: one that TVM compiled gave other logits for several tokens on a cache that
 * was not empty. Costs the reading of some 20 tokens, and leaves the cache empty.
 */
async function checkKeyValueCache(cache: KeyValueCache, vocabularySize: number): Promise<boolean> {
  const tokens = Array.from({ length: LENGTH }, (_, index) => (index * 7919 + 97) % vocabularySize);
  cache.empty();
  const whole = await logitsAfter(cache, tokens);
  let largest = 0;
  // What follows a prompt, and what follows a token that was decoded.
  for (const decoded of [0, 1]) {
    cache.cutTo(KEPT, LENGTH);
    if (decoded > 0) await logitsAfter(cache, tokens.slice(KEPT, KEPT + decoded));
    const split = await logitsAfter(cache, tokens.slice(KEPT + decoded));
    for (const [index, value] of whole.entries()) largest = Math.max(largest, Math.abs(value - (split[index] ?? NaN)));
  }
  cache.empty();
  const range =
    whole.reduce((most, value) => Math.max(most, value)) - whole.reduce((least, value) => Math.min(least, value));
  return largest <= TOLERANCE * range;
}

async function logitsAfter({ pipeline }: KeyValueCache, tokens: readonly number[]): Promise<number[]> {
  pipeline.tvm.beginScope();
  try {
    const copy = pipeline.updateLogitsOnCPU(await pipeline.embedAndForward([tokens], tokens.length));
    await pipeline.device.sync();
    return Array.from(copy.toArray());
  } finally {
    pipeline.tvm.endScope();
  }
}
