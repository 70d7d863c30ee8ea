import { sha256 } from '../../../shared/keys/sha256.ts';
import { openSiteDatabase, type CacheAbility } from '../../../shared/storage/site-database.ts';
import type { KeyValueCache } from './key-value-cache.ts';

/** Tokens that are read for the check. */
const LENGTH = 12;

/** How many of them are in the cache already when the rest is read again. */
const KEPT = 7;

/** Share of the range of all logits by which one may differ: rounding stays a hundred times below, wrong ones go far over. */
const TOLERANCE = 0.005;

/** What is remembered of checks, by library and graphics device. */
export interface CheckRecords {
  get(key: string): Promise<CacheAbility | undefined>;
  put(key: string, ability: CacheAbility): Promise<void>;
}

/** The records in the site's database. */
export const STORED_CHECKS: CheckRecords = {
  async get(key) {
    const ability = await (await openSiteDatabase()).get('settings', `prompt-cache ${key}`);
    return typeof ability === 'string' ? ability : undefined;
  },
  async put(key, ability) {
    await (await openSiteDatabase()).put('settings', ability, `prompt-cache ${key}`);
  },
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
): Promise<CacheAbility> {
  const key = file && `${await sha256(new Uint8Array(await file.arrayBuffer()))} ${gpu}`;
  // Without a database the check is done again next time.
  const remember = async (ability: CacheAbility) =>
    key === undefined ? undefined : records.put(key, ability).catch(() => {});
  const known = key === undefined ? undefined : await records.get(key).catch(() => undefined);
  if (known !== undefined) return known;
  try {
    const ability = await checkKeyValueCache(cache, vocabularySize);
    await remember(ability);
    return ability;
  } catch (thrown) {
    // The library is of no use any more, and shall not be asked this again.
    if (thrown instanceof WebAssembly.RuntimeError) await remember('none');
    throw thrown;
  }
}

/**
 * Finds out what a model library computes for a prompt that is read in two parts, the first of which was in the cache, or
 * was saved and restored. Not each computes the same as for the whole: one that TVM compiled gave other logits for several
 * tokens on a cache that was not empty. Costs the reading of some 30 tokens, and leaves the cache empty.
 */
async function checkKeyValueCache(cache: KeyValueCache, vocabularySize: number): Promise<CacheAbility> {
  const tokens = Array.from({ length: LENGTH }, (_, index) => (index * 7919 + 97) % vocabularySize);
  cache.empty();
  const whole = await logitsAfter(cache, tokens);
  /** Whether the logits of the whole come out when what follows `from` is read once more. */
  const isRightFrom = async (from: number) => isAlike(whole, await logitsAfter(cache, tokens.slice(from)));
  try {
    cache.cutTo(KEPT, LENGTH);
    if (!(await isRightFrom(KEPT))) return 'none';
    // After a token as an answer has them, which are read by other kernels.
    cache.cutTo(KEPT, LENGTH);
    await logitsAfter(cache, tokens.slice(KEPT, KEPT + 1));
    if (!(await isRightFrom(KEPT + 1))) return 'none';
    return (await canRestore(cache, tokens)) && (await isRightFrom(KEPT)) ? 'checkpoints' : 'prefix';
  } finally {
    cache.empty();
  }
}

/** Saves the whole, and restores the part that is kept. */
async function canRestore(cache: KeyValueCache, tokens: readonly number[]): Promise<boolean> {
  try {
    const { checkpoint, copied } = await cache.save();
    // Other keys and values in the same places, as when the next prompt is read at once.
    cache.empty();
    await logitsAfter(cache, tokens.slice(KEPT));
    await copied;
    await cache.restore(checkpoint);
    cache.cutTo(KEPT, LENGTH);
    return true;
  } catch (thrown) {
    if (thrown instanceof WebAssembly.RuntimeError) throw thrown;
    return false;
  }
}

function isAlike(logits: readonly number[], others: readonly number[]): boolean {
  const range =
    logits.reduce((most, value) => Math.max(most, value)) - logits.reduce((least, value) => Math.min(least, value));
  return logits.every((value, index) => Math.abs(value - (others[index] ?? Number.NaN)) <= TOLERANCE * range);
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
