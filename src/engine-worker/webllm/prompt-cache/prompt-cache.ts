import { trace } from '../../../shared/trace/trace.ts';
import type { CacheAbility } from '../../../shared/storage/site-database.ts';
import { KeyValueCache, onlyTokens, type CachedPipeline } from './key-value-cache.ts';
import { commonPrefix, SavedPrompts, WORTH_SAVING, type SavedPrompt } from './saved-prefixes.ts';

/**
 * Tokens of a prompt that are read in any case. One would be enough to go on with, but a single token takes the way of one
 * that was decoded, whose kernels round otherwise: so the same prompt gets the same logits, to the last bit, once more.
 */
const FEWEST_READ = 2;

/**
 * Bytes that are copied in a few tens of milliseconds, also where the device is the processor: a conversation that nobody
 * leaves may cost that much after each answer.
 */
const CHEAP = 2 ** 23;

/** What is known of the tokens that need not be read again. */
export interface PromptCache {
  /** Why every prompt is read whole; null where none need be. */
  readonly off: string | null;
  /** Tokens of the last prompt that were in the cache. */
  readonly reused: number;
  /** The next prompt is read whole: something has happened after which the cache may hold anything. */
  distrust(): void;
  /**
   * Saves the last conversation while nobody waits, if the one before was another: then the next one may be, too. What is
   * copied quickly is always saved: the first question of another conversation would wait for it.
   */
  saveAhead(): void;
  /**
   * Settles when that reads the cache no more. No request may begin before: each of them, and WebLLM's saving, has scopes of
   * tensors that are open while it waits, and the one that ends first would free the other's.
   */
  ready(): Promise<void>;
}

/**
 * Lets the next prompt begin with what the model has read and written before, in tokens.
 *
 * @param check Tells what the model library can do.
 * @param memory Bytes that conversations beside the last one may take.
 * @returns a cache that is off, and says so in the trace, where that is not the case, or where this WebLLM or this model
 * does not allow one. Then nothing is changed.
 */
export async function createPromptCache(
  pipeline: CachedPipeline,
  check: (cache: KeyValueCache) => Promise<CacheAbility>,
  memory: number,
): Promise<PromptCache> {
  let cache: KeyValueCache;
  let ability: CacheAbility;
  try {
    cache = new KeyValueCache(pipeline);
    ability = await check(cache);
  } catch (thrown) {
    // After a trap the library is of no use any more.
    if (thrown instanceof WebAssembly.RuntimeError) throw thrown;
    return off((thrown as Error).message);
  }
  if (ability === 'none')
    return off('on this graphics device the model library computes something else for a prompt that is read in parts');
  if (ability === 'prefix') trace('engine', 'keeps one conversation: the model library saves none');
  return new TokenPrefixCache(cache, new SavedPrompts(ability === 'prefix' ? 0 : memory));
}

function off(reason: string): PromptCache {
  trace('engine', 'reads every prompt whole:', reason);
  return { off: reason, reused: 0, distrust() {}, saveAhead() {}, async ready() {} };
}

/**
 * Keeps the keys and values of the last prompt and answer, so that of the next prompt only what differs is read. WebLLM
 * by itself does so for a message that continues the last conversation, and gets other tokens into the prompt
 * thereby; here tokens decide, and the prompt is the same as from an empty cache.
 *
 * What another conversation would push out is saved, and restored when its own goes on.
 *
 * Penalties, grammar, seed and logprobs are no matter of the key-value cache: WebLLM begins them anew for each prompt.
 */
class TokenPrefixCache implements PromptCache {
  readonly off = null;
  readonly #cache: KeyValueCache;
  readonly #saved: SavedPrompts;
  /** The tokens in the cache; null where it holds anything else, or what nobody can tell. */
  #tokens: number[] | null = null;
  /** With how many of them the last prompt ended. */
  #promptLength = 0;
  #reused = 0;
  /** Whether the last prompt did not go on from the one before. */
  #alternates = false;
  #savingAhead: Promise<void> = Promise.resolve();
  /** Settles when what was saved can be found. */
  #saving: Promise<void> = Promise.resolve();

  constructor(cache: KeyValueCache, saved: SavedPrompts) {
    this.#cache = cache;
    this.#saved = saved;
    const { pipeline } = cache;
    const forward = pipeline.embedAndForward.bind(pipeline);
    const readPrompt = pipeline.getInputData.bind(pipeline);
    // What of it stays is known when the prompt is. Until then WebLLM takes it for empty.
    pipeline.resetKVCache = () => {};
    pipeline.getInputData = async () => {
      const [data, length, imageSize] = await readPrompt();
      const tokens = onlyTokens(data);
      const reused = await this.#keepPrefix(tokens ?? []);
      this.#reused = reused;
      this.#promptLength = tokens?.length ?? 0;
      return [tokens === null || reused === 0 ? data : [tokens.slice(reused)], length, imageSize];
    };
    pipeline.embedAndForward = async (data, length) => {
      const before = this.#tokens;
      // A call that fails leaves behind what nobody can tell.
      this.#tokens = null;
      const logits = await forward(data, length);
      const added = onlyTokens(data);
      if (before !== null && added !== null && pipeline.filledKVCacheLength === before.length + added.length) {
        for (const token of added) before.push(token);
        this.#tokens = before;
      }
      return logits;
    };
  }

  get reused(): number {
    return this.#reused;
  }

  distrust(): void {
    this.#tokens = null;
  }

  saveAhead(): void {
    const tokens = this.#tokens;
    if (tokens === null || tokens.length < WORTH_SAVING) return;
    if (this.#alternates || this.#cache.size <= CHEAP) this.#savingAhead = this.#save([...tokens]);
  }

  ready(): Promise<void> {
    return this.#savingAhead;
  }

  /**
   * Leaves in the cache, or puts there, what a prompt begins with, but for its last tokens.
   * @returns how many tokens that are.
   */
  async #keepPrefix(prompt: readonly number[]): Promise<number> {
    let held = this.#tokens ?? [];
    const common = commonPrefix(held, prompt);
    await this.#saving;
    const saved = this.#saved.find(prompt, common);
    // Not where only the answer of its own conversation is taken back.
    this.#alternates = common < this.#promptLength - FEWEST_READ;
    if (this.#alternates && held.length - common >= WORTH_SAVING) await this.#save(held);
    // Until it is known again what there is.
    this.#tokens = null;
    if (saved !== null) held = (await this.#restore(saved)) ? [...saved.tokens] : [];
    const kept = Math.max(0, Math.min(commonPrefix(held, prompt), prompt.length - FEWEST_READ));
    if (kept === 0) this.#cache.empty();
    else this.#cache.cutTo(kept, held.length);
    this.#tokens = held.slice(0, kept);
    return kept;
  }

  /**
   * Saves what is held, where it is not saved yet.
   * @returns settles when the cache may be changed: the prompt need not wait until it is copied.
   */
  async #save(held: readonly number[]): Promise<void> {
    if (this.#saved.has(held) || !this.#saved.hasRoomFor(this.#cache.size)) return;
    const saving = this.#cache.save();
    this.#saving = saving
      .then(({ checkpoint, copied }) => copied.then(() => this.#saved.add(held, checkpoint)))
      .catch(tellUnsaved);
    await saving.catch(() => {});
  }

  async #restore({ checkpoint }: SavedPrompt): Promise<boolean> {
    try {
      await this.#cache.restore(checkpoint);
      return true;
    } catch (thrown) {
      trace('engine', 'could not restore a conversation:', String(thrown));
      return false;
    }
  }
}

function tellUnsaved(thrown: unknown): void {
  trace('engine', 'could not save a conversation:', String(thrown));
}
