import { trace } from '../../../shared/trace/trace.ts';
import { MODEL_CACHES } from '../../models/package/package-file.ts';
import type { ExtendedModel, Extension } from '../pipeline/extension.ts';
import { ON_GPU, type Methods } from '../pipeline/webllm-pipeline.ts';
import { checkKeyValueCacheOnce } from './check-key-value-cache.ts';
import type { ReadCopies } from './deferred-readback.ts';
import { CACHE_MEMBERS, KeyValueCache, onlyTokens } from './key-value-cache.ts';
import { MeasuredTimes } from './measured-times.ts';
import { commonPrefix, SavedPrefixes, WORTH_SAVING, type SavedPrefix } from './saved-prefixes.ts';

/**
 * Number of tokens of a prompt that are prefilled even if all are in the cache. One would suffice for the logits, but a
 * single token is computed by the decode kernels, which round differently. With two tokens, each repetition of a prompt
 * gets exactly the same logits.
 */
const MIN_PREFILLED = 2;

/**
 * Size in bytes below which a checkpoint is saved after every answer: even a software device copies it in some tens of
 * milliseconds.
 */
const CHEAP_CHECKPOINT = 2 ** 23;

/**
 * Milliseconds between the end of an answer and a save. A request that arrives during the save waits for it, so programs
 * that send one request after the other must not meet one; people take longer.
 */
const IDLE = 1000;

/** Milliseconds of saving and restoring that nobody notices. */
const UNNOTICED = 10;

/**
 * How many times as long as saving and restoring a conversation its prefill must take for a save while a request waits:
 * the request pays for the save, and perhaps the conversation never continues.
 */
const WORTH_WAITING = 2;

/** Reuses the KV cache for prompts that begin with the same tokens as an earlier prompt. */
export interface PromptCache {
  /** Number of tokens of the last prompt, as WebLLM counts them. */
  readonly promptTokens: number;
  /** Number of tokens of the last prompt that were taken from the cache. */
  readonly reused: number;
  /**
   * Marks the content of the cache as unknown, as after a failure. The next prompt is then prefilled from its start.
   */
  invalidate(): void;
  /** Tells which token was fed as {@link ON_GPU}. */
  learn(token: number): void;
  /**
   * Saves the last conversation if no prompt arrives for {@link IDLE}, and if conversations alternate or its checkpoint
   * is small. Without this, the first prompt of another conversation would wait for the save.
   */
  saveWhenIdle(): void;
  /** Measures the prefill, and reads a new checkpoint. Call it when the first token of the answer has arrived. */
  answerBegun(): void;
  /**
   * Resolves when a save by `saveWhenIdle` has read the cache, and prevents one that has not begun. A request must wait
   * for this: the tensor scopes of request and save would interleave, and the scope that ends first would free the
   * other's tensors.
   * @param scope Conversations of other scopes are not reused. Default: the scope of the requests without one.
   */
  ready(scope?: string): Promise<void>;
}

/**
 * Keeps the keys and values of earlier prompts and answers, so that only the new tokens of the next prompt are
 * prefilled. WebLLM does this only for a message that continues the last conversation, and it then renders a prompt
 * with different tokens.
 */
export const PROMPT_CACHE: Extension<'prompt-cache', PromptCache> = {
  name: 'prompt-cache',
  needs: [...CACHE_MEMBERS, 'getInputData', 'dispose'],
  replaces: ['resetKVCache', 'getInputData', 'embedAndForward', 'dispose'],
  gain:
    '1,500 known tokens cost 4 to 12 ms instead of 7.6 to 9.3 s (built-in model, software WebGPU, Xeon, 2026-11-23). ' +
    'The first token of turn 2 comes after 33 instead of 126 s, 32 of 40 tokens known (SmolLM2, software WebGPU, EPYC, 2026-11-25).',
  async apply(pipeline, model, handles) {
    const read = (handles['deferred-readback'] ?? (async () => {})) as ReadCopies;
    try {
      const cache = new KeyValueCache(pipeline, read);
      const ability = await check(cache, model);
      if (ability === 'none')
        return { off: 'on this graphics processor the model library computes other logits for a prompt in parts' };
      if (ability === 'unchecked')
        return { off: 'the check of the model library takes too long on this graphics processor' };
      if (ability === 'prefix') trace('engine', 'keeps one conversation: the model library cannot save any');
      const made = new TokenPrefixCache(cache, new SavedPrefixes(ability === 'prefix' ? 0 : model.promptMemory));
      return { handle: made, layers: made.layers };
    } catch (thrown) {
      if (thrown instanceof WebAssembly.RuntimeError) throw thrown;
      return { off: (thrown as Error).message };
    }
  },
};

async function check(cache: KeyValueCache, model: ExtendedModel) {
  const { entry, gpuName, vocabularySize, checks, onCheckStep } = model;
  const file = await (await caches.open(MODEL_CACHES.library)).match(entry.libraryUrl);
  return checkKeyValueCacheOnce(cache, { file, gpu: await gpuName(), vocabularySize }, checks, onCheckStep);
}

/**
 * Compares the tokens of a prompt with those in the KV cache, and removes the tokens that differ from the cache. A
 * conversation that another one would evict is saved, and restored when it continues.
 *
 * Penalties, grammar, seed and log-probabilities do not depend on the KV cache, because WebLLM resets them for each
 * prompt.
 */
class TokenPrefixCache implements PromptCache {
  readonly #cache: KeyValueCache;
  readonly #saved: SavedPrefixes;
  /** The tokens in the cache; null if unknown. */
  #tokens: number[] | null = null;
  /** See `CompletionRequest.cacheScope`: of the tokens in the cache, and of the next prompt. */
  readonly #scope = { held: '', next: '' };
  /** Number of tokens of the last prompt. */
  #promptLength = 0;
  #reused = 0;
  #promptTokens = 0;
  /** Whether the last prompt belongs to another conversation than the prompt before it. */
  #alternates = false;
  #savingIdle: Promise<void> = Promise.resolve();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Resolves when the last checkpoint has been added to the saved prefixes. */
  #saving: Promise<void> = Promise.resolve();
  /** Lets a checkpoint be read that was copied before the running prefill. */
  #mayRead = () => {};
  /** The running prefill; null if there is none. */
  #prefill: { readonly tokens: number; readonly begun: number } | null = null;
  readonly #times = { prefill: new MeasuredTimes(), save: new MeasuredTimes(), restore: new MeasuredTimes() };

  constructor(cache: KeyValueCache, saved: SavedPrefixes) {
    this.#cache = cache;
    this.#saved = saved;
  }

  get layers() {
    const { pipeline } = this.#cache;
    return {
      // Does nothing here: the cache is cut when the prompt is known. Until then WebLLM assumes that it is empty.
      resetKVCache: () => () => {},
      getInputData: (next: Methods['getInputData']) => async () => {
        const [data, length, imageSize] = await next();
        const tokens = onlyTokens(data);
        const reused = await this.#keepPrefix(tokens ?? []);
        this.#reused = reused;
        this.#promptTokens = length;
        this.#promptLength = tokens?.length ?? 0;
        this.#prefill = { tokens: this.#promptLength - reused, begun: performance.now() };
        return [tokens === null || reused === 0 ? data : [tokens.slice(reused)], length, imageSize] as const;
      },
      embedAndForward:
        (next: Methods['embedAndForward']): typeof next =>
        async (data, length) => {
          const before = this.#tokens;
          // If the call fails, the content of the cache is unknown.
          this.#tokens = null;
          const logits = await next(data, length);
          const added = onlyTokens(data);
          if (before !== null && added !== null && pipeline.filledKVCacheLength === before.length + added.length) {
            for (const token of added) before.push(token);
            this.#tokens = before;
          }
          return logits;
        },
      dispose: (next: Methods['dispose']) => () => {
        clearTimeout(this.#timer);
        next();
      },
    };
  }

  get promptTokens(): number {
    return this.#promptTokens;
  }

  get reused(): number {
    return this.#reused;
  }

  invalidate(): void {
    this.#tokens = null;
  }

  learn(token: number): void {
    const index = this.#tokens?.lastIndexOf(ON_GPU) ?? -1;
    if (this.#tokens !== null && index >= 0) this.#tokens[index] = token;
  }

  saveWhenIdle(): void {
    // The answer may have failed before its first token.
    this.#mayRead();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const tokens = this.#tokens;
      if (tokens === null || tokens.length < WORTH_SAVING) return;
      if (this.#alternates || this.#cache.size <= CHEAP_CHECKPOINT)
        this.#savingIdle = this.#save([...tokens], Promise.resolve());
    }, IDLE);
  }

  answerBegun(): void {
    this.#mayRead();
    const prefill = this.#prefill;
    this.#prefill = null;
    // The time of a short prompt says little about that of a long one.
    if (prefill === null || prefill.tokens < WORTH_SAVING) return;
    this.#times.prefill.add(prefill.tokens, performance.now() - prefill.begun);
  }

  ready(scope = ''): Promise<void> {
    this.#scope.next = scope;
    clearTimeout(this.#timer);
    return this.#savingIdle;
  }

  /**
   * Makes the cache contain only tokens with which the prompt begins: cuts it to their common prefix, or restores a
   * longer saved prefix. The last tokens of the prompt are never included, because their prefill computes the logits.
   * @returns number of tokens of the prompt that are now in the cache.
   */
  async #keepPrefix(prompt: readonly number[]): Promise<number> {
    let held = this.#tokens ?? [];
    const common = this.#scope.next === this.#scope.held ? commonPrefix(held, prompt) : 0;
    await this.#saving;
    const saved = this.#saved.find(prompt, common, this.#scope.next);
    // A prompt that only replaces the last answer belongs to the same conversation.
    this.#alternates = common < this.#promptLength - MIN_PREFILLED;
    if (this.#alternates && held.length - common >= WORTH_SAVING && this.#isWorthWaiting(held.length))
      await this.#save(held, new Promise((resolve) => (this.#mayRead = resolve)));
    // The content is unknown until the cache has been changed.
    this.#tokens = null;
    if (this.#scope.next !== this.#scope.held) held = [];
    if (saved !== null) held = (await this.#restore(saved)) ? [...saved.tokens] : [];
    this.#scope.held = this.#scope.next;
    const kept = Math.max(0, Math.min(commonPrefix(held, prompt), prompt.length - MIN_PREFILLED));
    if (kept === 0) this.#cache.empty();
    else this.#cache.cutTo(kept, held.length);
    this.#tokens = held.slice(0, kept);
    return kept;
  }

  /** Whether prefilling tokens again takes longer than saving and restoring them; true if that was not measured. */
  #isWorthWaiting(tokens: number): boolean {
    const { prefill, save, restore } = this.#times;
    const again = prefill.estimate(tokens);
    const saved = save.estimate(tokens);
    if (again === null || saved === null) return true;
    const both = saved + (restore.estimate(tokens) ?? 0);
    return both < UNNOTICED || again >= WORTH_WAITING * both;
  }

  /**
   * Saves the tokens in the cache, unless they are saved already.
   * @param mayRead Resolves when the copy may be read from the GPU.
   * @returns a promise that resolves when the cache may be changed.
   */
  async #save(held: readonly number[], mayRead: Promise<void>): Promise<void> {
    const scope = this.#scope.held;
    if (this.#saved.has(held, scope) || !this.#saved.hasRoomFor(this.#cache.size)) return;
    const begun = performance.now();
    const saving = this.#cache.save();
    const keep = async () => {
      const { checkpoint, read } = await saving;
      const copying = performance.now() - begun;
      await mayRead;
      const readBegun = performance.now();
      await read();
      this.#times.save.add(held.length, copying + performance.now() - readBegun);
      this.#saved.add(held, checkpoint, scope);
    };
    this.#saving = keep().catch(traceUnsaved);
    await saving.catch(() => {});
  }

  async #restore({ tokens, checkpoint }: SavedPrefix): Promise<boolean> {
    const begun = performance.now();
    try {
      await this.#cache.restore(checkpoint);
      this.#times.restore.add(tokens.length, performance.now() - begun);
      return true;
    } catch (thrown) {
      trace('engine', 'could not restore a conversation:', String(thrown));
      return false;
    }
  }
}

function traceUnsaved(thrown: unknown): void {
  trace('engine', 'could not save a conversation:', String(thrown));
}
