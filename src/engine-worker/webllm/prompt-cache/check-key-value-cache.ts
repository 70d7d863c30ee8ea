import { sha256 } from '../../../shared/keys/sha256.ts';
import { openSiteDatabase, type CacheAbility } from '../../../shared/storage/site-database.ts';
import type { CheckRecords } from '../pipeline/extension.ts';
import type { KeyValueCache } from './key-value-cache.ts';

/** Number of tokens in the prompt that the check prefills. */
const LENGTH = 12;

/** Number of tokens of the check's prompt that stay in the KV cache while the rest is prefilled again. */
const KEPT = 7;

/**
 * Share of the range of all logits by which one logit may differ. Rounding errors are a hundred times smaller; real
 * faults are far larger.
 */
const TOLERANCE = 0.005;

/** Number of steps of the check that compute tokens. */
const STEPS = 6;

/** Milliseconds after which the check is given up at its next step. The prompt cache then stays off. */
const TIME_LIMIT = 240_000;

/** Stores the results of the checks in the site's database. */
export const STORED_CHECKS: CheckRecords = {
  async get(key) {
    const ability = await (await openSiteDatabase()).get('settings', `kv-cache-check ${key}`);
    return typeof ability === 'string' ? ability : undefined;
  },
  async put(key, ability) {
    await (await openSiteDatabase()).put('settings', ability, `kv-cache-check ${key}`);
  },
};

/** A model library and the GPU on which it runs. */
interface CheckedLibrary {
  /** The library's file. If undefined, the result is not recorded. */
  readonly file: Response | undefined;
  /** Name of the graphics device. */
  readonly gpu: string;
  /** Number of tokens in the model's vocabulary. */
  readonly vocabularySize: number;
}

/** Runs {@link checkKeyValueCache} once for each pair of library and GPU. */
export async function checkKeyValueCacheOnce(
  cache: KeyValueCache,
  { file, gpu, vocabularySize }: CheckedLibrary,
  records: CheckRecords,
  onStep: (step: number, steps: number) => void,
): Promise<CacheAbility> {
  const key = file && `${await sha256(new Uint8Array(await file.arrayBuffer()))} ${gpu}`;
  // Without a database the check runs again at the next load.
  const remember = async (ability: CacheAbility) =>
    key === undefined ? undefined : records.put(key, ability).catch(() => {});
  const known = key === undefined ? undefined : await records.get(key).catch(() => undefined);
  if (known !== undefined) return known;
  try {
    const ability = await checkKeyValueCache(cache, vocabularySize, onStep);
    await remember(ability);
    return ability;
  } catch (thrown) {
    if (thrown instanceof CheckTimeout) {
      await remember('unchecked');
      return 'unchecked';
    }
    // The library trapped and is unusable now. The record prevents the next load from trapping, too.
    if (thrown instanceof WebAssembly.RuntimeError) await remember('none');
    throw thrown;
  }
}

/**
 * Checks whether a model library computes a prompt in two parts correctly, by comparing the logits with those of the
 * whole prompt. The first part is in the cache, or restored from a checkpoint. On some GPUs, libraries compiled by TVM
 * compute wrong logits for several tokens if the cache is not empty. The check prefills some 30 tokens and leaves the
 * cache empty.
 */
async function checkKeyValueCache(
  cache: KeyValueCache,
  vocabularySize: number,
  onStep: (step: number, steps: number) => void,
): Promise<CacheAbility> {
  const begun = performance.now();
  let step = 0;
  const compute = (tokens: readonly number[]) => {
    if (performance.now() - begun > TIME_LIMIT) throw new CheckTimeout();
    onStep(++step, STEPS);
    return logitsAfter(cache, tokens);
  };
  const tokens = Array.from({ length: LENGTH }, (_, index) => (index * 7919 + 97) % vocabularySize);
  cache.empty();
  const whole = await compute(tokens);
  /**
   * Whether prefilling only the tokens from index `from` on gives the same logits as prefilling all of them at once.
   */
  const isRightFrom = async (from: number) => isAlike(whole, await compute(tokens.slice(from)));
  try {
    cache.cutTo(KEPT, LENGTH);
    if (!(await isRightFrom(KEPT))) return 'none';
    // Checks a single token, as in an answer, because other kernels compute it.
    cache.cutTo(KEPT, LENGTH);
    await compute(tokens.slice(KEPT, KEPT + 1));
    if (!(await isRightFrom(KEPT + 1))) return 'none';
    return (await canRestore(cache, tokens, compute)) && (await isRightFrom(KEPT)) ? 'checkpoints' : 'prefix';
  } finally {
    cache.empty();
  }
}

/** Saves a checkpoint of the whole prompt, restores it and cuts it to its first part. Returns false if that fails. */
async function canRestore(
  cache: KeyValueCache,
  tokens: readonly number[],
  compute: (tokens: readonly number[]) => Promise<unknown>,
): Promise<boolean> {
  try {
    const { checkpoint, read } = await cache.save();
    // Overwrites the positions before the copies are read, as the next prompt may do.
    cache.empty();
    await compute(tokens.slice(KEPT));
    await read();
    await cache.restore(checkpoint);
    cache.cutTo(KEPT, LENGTH);
    return true;
  } catch (thrown) {
    if (thrown instanceof WebAssembly.RuntimeError || thrown instanceof CheckTimeout) throw thrown;
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

/** Thrown when the check takes too long on this device. */
class CheckTimeout extends Error {}
