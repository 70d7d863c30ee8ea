import { setImmediate } from 'node:timers/promises';
import type { ApiError } from '../../../src/shared/api-error.ts';
import type { GenerationEvent } from '../../../src/shared/engine/completion-event.ts';
import type { CompletionRequest } from '../../../src/shared/engine/completion-request.ts';
import type { Engine, ExtensionStatus, LoadingProgress } from '../../../src/shared/engine/engine.ts';
import type { ModelEntry } from '../../../src/shared/models/model-entry.ts';
import type { ModelKind } from '../../../src/shared/models/model-kind.ts';
import type { TokenizeInput } from '../../../src/shared/engine/tokenization.ts';

/**
 * An engine whose steps are controlled by the test. It answers each request with its last user message, one word per
 * token, or with the vector (0.6, 0.8) for each input. It records its calls in {@link history}.
 */
export class ScriptedEngine implements Engine {
  loadedModel: string | null = null;
  loadedEmbeddingModel: string | null = null;
  /** Entries such as `load a`, `generate a: two words`, `stopped`, `unload`. */
  readonly history: string[] = [];
  /** Number of tokens of each prompt that are reported as cached; a prompt has one token. */
  cachedTokens = 0;
  extensions: readonly ExtensionStatus[] = [];
  parallel = 1;
  /** Thrown by the next load or generation step. */
  failure: ApiError | Error | null = null;
  /** If true, `failure` is thrown by every step, not only by the next one. */
  failsAll = false;
  /** After this many steps the engine ignores its signal and never takes another step. */
  stuckAfter = Infinity;
  /** If true, an aborted load completes its current step first, as a transfer of weights to the GPU does. */
  loadsEndLate = false;
  /** If true, `unload` never resolves. */
  stuckForGood = false;
  /** Number of running generations and loads. */
  running = 0;
  mostRunning = 0;
  #waiting: (() => void)[] = [];
  #automatic = false;

  /** Whether a generation or load waits for its next step. */
  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Takes `steps` steps. A step is a token of a generation, or a tenth of a load. */
  async advance(steps = 1): Promise<void> {
    for (let step = 0; step < steps; step++) {
      await setImmediate();
      const waiting = this.#waiting;
      this.#waiting = [];
      for (const proceed of waiting) proceed();
    }
    await setImmediate();
  }

  /** From now on, every step is taken immediately. */
  runFreely(): void {
    this.#automatic = true;
    for (const proceed of this.#waiting.splice(0)) proceed();
  }

  async load(model: ModelEntry, report: (progress: LoadingProgress) => void, signal: AbortSignal): Promise<void> {
    this.history.push(`load ${model.id}`);
    this.#enter();
    const slot = model.embedding ? 'loadedEmbeddingModel' : 'loadedModel';
    this[slot] = null;
    try {
      for (let tenth = 1; tenth <= 10; tenth++) {
        await this.#step(this.loadsEndLate ? new AbortController().signal : signal);
        signal.throwIfAborted();
        report({ progress: tenth / 10, text: `${tenth} of 10` });
      }
      this[slot] = model.id;
    } catch (thrown) {
      if (signal.aborted) this.history.push('load stopped');
      throw thrown;
    } finally {
      this.running--;
    }
  }

  async unload(kind?: ModelKind): Promise<void> {
    this.history.push(kind === undefined ? 'unload' : `unload ${kind}`);
    if (this.stuckForGood) await new Promise(() => {});
    if (kind !== 'embedding') this.loadedModel = null;
    if (kind !== 'chat') this.loadedEmbeddingModel = null;
  }

  async *generate(request: CompletionRequest, signal: AbortSignal): AsyncGenerator<GenerationEvent> {
    if (request.embed) return yield* this.#embed(request.embed.inputs, signal);
    const content = request.messages.findLast(({ role }) => role === 'user')?.content;
    const words = String(content).split(' ');
    this.history.push(`generate ${this.loadedModel}: ${words.join(' ')}`);
    this.#enter();
    try {
      yield { type: 'prefill' };
      for (const [index, word] of words.entries()) {
        if (index >= this.stuckAfter) await new Promise(() => {});
        await this.#step(signal);
        if (signal.aborted) {
          this.history.push('stopped');
          return;
        }
        yield { type: 'delta', choice: 0, content: word };
      }
      yield { type: 'finish', choice: 0, reason: 'stop' };
      const { cachedTokens } = this;
      const usage = { promptTokens: 1, completionTokens: words.length, cachedTokens, reasoningTokens: 0 };
      yield { type: 'done', usage };
    } finally {
      this.running--;
    }
  }

  async *#embed(inputs: readonly unknown[], signal: AbortSignal): AsyncGenerator<GenerationEvent, undefined> {
    this.history.push(`embed ${this.loadedEmbeddingModel}: ${inputs.length}`);
    this.#enter();
    try {
      for (const choice of inputs.keys()) {
        yield { type: 'prefill' };
        await this.#step(signal);
        if (signal.aborted) return void this.history.push('stopped');
        yield { type: 'delta', choice, embedding: Float32Array.of(0.6, 0.8) };
      }
      const promptTokens = inputs.length;
      yield { type: 'done', usage: { promptTokens, completionTokens: 0, cachedTokens: 0, reasoningTokens: 0 } };
    } finally {
      this.running--;
    }
  }

  /** Returns one token per word, whose id is the length of the word. */
  async tokenize(input: TokenizeInput): Promise<number[]> {
    return (input.type === 'text' ? input.text : '').split(' ').map(({ length }) => length);
  }

  detokenize(tokens: readonly number[]): string {
    return tokens.map((length) => 'x'.repeat(length)).join(' ');
  }

  async #step(signal: AbortSignal): Promise<void> {
    if (!this.#automatic) {
      await new Promise<void>((resolve) => {
        const goOn = () => {
          signal.removeEventListener('abort', goOn);
          resolve();
        };
        this.#waiting.push(goOn);
        signal.addEventListener('abort', goOn);
      });
    }
    const { failure } = this;
    if (!this.failsAll) this.failure = null;
    if (failure) throw failure;
  }

  #enter(): void {
    this.running++;
    this.mostRunning = Math.max(this.mostRunning, this.running);
  }
}
