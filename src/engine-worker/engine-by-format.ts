import { ApiError } from '../shared/api-error.ts';
import type { GenerationEvent } from '../shared/engine/completion-event.ts';
import type { CompletionRequest } from '../shared/engine/completion-request.ts';
import type { Engine, ExtensionStatus, LoadingProgress } from '../shared/engine/engine.ts';
import type { ModelEntry } from '../shared/models/model-entry.ts';
import { modelKind, type ModelKind } from '../shared/models/model-kind.ts';
import type { TokenizeInput } from '../shared/engine/tokenization.ts';
import { isBeyondBuiltInModel } from './answer/built-in-model-limits.ts';
import { declining } from './answer/second-attempt.ts';
import { say } from './strings/say.ts';

export interface EngineByFormatOptions {
  readonly webllm: Engine;
  readonly llamaCpp: Engine;
  /** The engine for the browser's own model. */
  readonly browser: Engine;
  /** Resolves to true if WebGPU is missing, and has been missing since the worker started. */
  readonly hasNoGpu: () => Promise<boolean>;
}

/**
 * Runs each model with the engine for its format: GGUF with llama.cpp, the browser's own model with the browser, others
 * with WebLLM. Without WebGPU, llama.cpp runs the GGUF file of a model that has one (`ggufUrl`). Only one chat model and one
 * embedding model are loaded at a time, so loading a model unloads that of another engine.
 */
export class EngineByFormat implements Engine {
  readonly #options: EngineByFormatOptions;
  /** See {@link ModelEntry.decline} of the loaded chat model. */
  #decline: string | undefined;

  constructor(options: EngineByFormatOptions) {
    this.#options = options;
  }

  get loadedModel(): string | null {
    return this.#ofChats.loadedModel;
  }

  get loadedEmbeddingModel(): string | null {
    return this.#ofEmbeddings.loadedEmbeddingModel ?? null;
  }

  get extensions(): readonly ExtensionStatus[] {
    return this.#ofChats.extensions ?? [];
  }

  get place(): string | undefined {
    return (this.loadedModel === null && this.loadedEmbeddingModel !== null ? this.#ofEmbeddings : this.#ofChats).place;
  }

  get parallel(): number {
    return this.#ofChats.parallel ?? 1;
  }

  /** The engine of the loaded chat model. */
  get #ofChats(): Engine {
    const { webllm, llamaCpp, browser } = this.#options;
    return [llamaCpp, browser].find(({ loadedModel }) => loadedModel !== null) ?? webllm;
  }

  /** The engine of the loaded embedding model. */
  get #ofEmbeddings(): Engine {
    const { webllm, llamaCpp } = this.#options;
    return llamaCpp.loadedEmbeddingModel ? llamaCpp : webllm;
  }

  async load(model: ModelEntry, report: (progress: LoadingProgress) => void, signal: AbortSignal): Promise<void> {
    const { webllm, llamaCpp, browser } = this.#options;
    const [engine, loaded] = await this.#engineFor(model);
    const others = [webllm, llamaCpp, browser].filter((other) => other !== engine);
    await Promise.all(others.map((other) => other.unload(modelKind(model))));
    await engine.load(loaded, report, signal);
    if (modelKind(model) === 'chat') this.#decline = model.decline;
  }

  /**
   * Returns the engine for a model, and the entry by which that engine loads it.
   * @throws ApiError `model_load_failed` for a model that needs WebGPU where WebGPU is missing.
   */
  async #engineFor(model: ModelEntry): Promise<readonly [Engine, ModelEntry]> {
    const { webllm, llamaCpp, browser, hasNoGpu } = this.#options;
    const { id, format, ggufUrl } = model;
    if (format === 'browser') return [browser, model];
    if (format === 'gguf') return [llamaCpp, model];
    if (!(await hasNoGpu())) return [webllm, model];
    if (ggufUrl !== undefined) return [llamaCpp, { ...model, format: 'gguf', modelUrl: ggufUrl, libraryUrl: '' }];
    throw new ApiError('model_load_failed', say('webGpuMissing', id), { param: 'model' });
  }

  async unload(kind?: ModelKind): Promise<void> {
    const { webllm, llamaCpp, browser } = this.#options;
    await Promise.all([webllm, llamaCpp, browser].map((engine) => engine.unload(kind)));
  }

  /**
   * Applies the schema check of WebLLM's engine to all engines, because the others do not check a request before its
   * turn.
   */
  check(request: CompletionRequest): void {
    this.#options.webllm.check?.(request);
  }

  async requireTokenizer(model: ModelEntry): Promise<void> {
    const [engine, loaded] = await this.#engineFor(model);
    await engine.requireTokenizer?.(loaded);
  }

  async *generate(request: CompletionRequest, signal: AbortSignal): AsyncGenerator<GenerationEvent, undefined> {
    const engine = request.embed ? this.#ofEmbeddings : this.#ofChats;
    const decline = isBeyondBuiltInModel(request) ? this.#decline : undefined;
    const possible = decline === undefined ? request : declining(request, decline);
    for await (const event of engine.generate(possible, signal)) {
      yield event.type === 'prefill' && engine.place !== undefined ? { engine: engine.place, ...event } : event;
    }
  }

  tokenize(input: TokenizeInput, model?: string): Promise<readonly number[]> {
    return this.#of(model).tokenize(input, model);
  }

  detokenize(tokens: readonly number[], model?: string): string {
    return this.#of(model).detokenize(tokens, model);
  }

  #of(model: string | undefined): Engine {
    return model === undefined || model === this.loadedModel ? this.#ofChats : this.#ofEmbeddings;
  }
}
