import type { ModelRecord } from '@mlc-ai/web-llm';
import { ApiError } from '../../shared/api-error.ts';
import type { GenerationEvent } from '../../shared/engine/completion-event.ts';
import type { CompletionRequest } from '../../shared/engine/completion-request.ts';
import { gpuCrashed } from '../../shared/engine/engine-errors.ts';
import type { Engine, ExtensionStatus, LoadingProgress } from '../../shared/engine/engine.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';
import type { ModelKind } from '../../shared/models/model-kind.ts';
import type { TokenizeInput } from '../../shared/engine/tokenization.ts';
import { trace } from '../../shared/trace/trace.ts';
import { systemPrefix } from './prompt/chat-template.ts';
import type { CheckRecords } from './pipeline/extension.ts';
import { STORED_CHECKS } from './prompt-cache/check-key-value-cache.ts';
import { computeEmbeddings } from './generation/compute-embeddings.ts';
import { loadEmbeddingModel, type LoadedEmbeddingModel } from './loading/load-embedding-model.ts';
import { isOutOfMemory } from './errors/webllm-errors.ts';
import { generateWithText } from './generation/generate-choice.ts';
import { loadChatModel, type LoadedModel } from './loading/load-chat-model.ts';
import type { LoadEnvironment, OpenedModel, WebLlm } from './loading/open-model.ts';
import { checkGrammars } from '../grammar/request-grammar.ts';
import { planGeneration } from './generation/plan-generation.ts';
import { planRawPrompts } from './generation/plan-raw-prompts.ts';
import { detokenize, tokenize } from './generation/tokenize.ts';
import { echoPrompt } from './generation/echo-prompt.ts';

export interface WebLlmEngineOptions {
  /** Loads WebLLM's script. Default: imports the package when the first model is loaded, since it is large. */
  readonly loadWebLlm?: () => Promise<WebLlm>;
  /** Whether a GPU device was available before and is gone now. Default: always false. */
  readonly isGpuGone?: () => Promise<boolean>;
  /** Name of the GPU. Default: an empty name. */
  readonly gpuName?: () => Promise<string>;
  /** Stores the kind of prompt cache that each model library was found to support. Default: the site's database. */
  readonly checks?: CheckRecords;
  /** Maximum memory in bytes for KV cache checkpoints of earlier conversations. Default: 256 MiB. */
  readonly promptMemory?: number;
  /** Limit of the vocabulary size up to which tokens are sampled on the CPU. Default: 16,384, whose logits take 64 kB. */
  readonly smallVocabulary?: number;
}

/**
 * Creates the engine that runs models with WebLLM in this worker. WebLLM's package is unmodified; only this folder
 * adapts its behaviour to the contract of `Engine`.
 */
export function createWebLlmEngine(options: WebLlmEngineOptions = {}): Engine {
  return new WebLlmEngine(options);
}

function importWebLlm(): Promise<WebLlm> {
  return import('@mlc-ai/web-llm');
}

/** Returns WebLLM's own catalogue: the models whose libraries fit the pinned version. */
export async function prebuiltModels(): Promise<readonly ModelRecord[]> {
  return (await importWebLlm()).prebuiltAppConfig.model_list;
}

type LoadArguments = [report: (progress: LoadingProgress) => void, signal: AbortSignal];

class WebLlmEngine implements Engine {
  readonly #environment: LoadEnvironment;
  readonly #isGpuGone: () => Promise<boolean>;
  #model: LoadedModel | null = null;
  #embeddingModel: LoadedEmbeddingModel | null = null;

  constructor(options: WebLlmEngineOptions) {
    const {
      loadWebLlm = importWebLlm,
      gpuName = async () => '',
      checks = STORED_CHECKS,
      promptMemory = 2 ** 28,
      smallVocabulary = 2 ** 14,
    } = options;
    this.#environment = { loadWebLlm, gpuName, checks, promptMemory, smallVocabulary };
    this.#isGpuGone = options.isGpuGone ?? (async () => false);
  }

  get loadedModel(): string | null {
    return idOf(this.#model);
  }

  get loadedEmbeddingModel(): string | null {
    return idOf(this.#embeddingModel);
  }

  get extensions(): readonly ExtensionStatus[] {
    return (this.#model ?? this.#embeddingModel)?.extensions ?? [];
  }

  async load(model: ModelEntry, report: (progress: LoadingProgress) => void, signal: AbortSignal): Promise<void> {
    await (model.embedding ? this.#unloadEmbeddingModel() : this.#unloadModel());
    try {
      await this.#put(model, report, signal).catch(async (thrown: unknown) => {
        const beside = model.embedding ? this.loadedModel : this.loadedEmbeddingModel;
        if (beside === null || !isOutOfMemory(thrown)) throw thrown;
        trace('engine', beside, 'makes room for', model.id);
        await this.unload();
        return this.#put(model, report, signal);
      });
    } catch (thrown) {
      const gone = thrown instanceof ApiError && thrown.code === 'gpu_unavailable' && (await this.#isGpuGone());
      throw gone ? gpuCrashed(thrown) : thrown;
    }
  }

  async #put(model: ModelEntry, ...how: LoadArguments): Promise<void> {
    if (model.embedding) this.#embeddingModel = await loadEmbeddingModel(model, this.#environment, ...how);
    else this.#model = await loadChatModel(model, this.#environment, ...how);
  }

  async unload(kind?: ModelKind): Promise<void> {
    await Promise.all([kind !== 'embedding' && this.#unloadModel(), kind !== 'chat' && this.#unloadEmbeddingModel()]);
  }

  async #unloadModel(): Promise<void> {
    const model = this.#model;
    this.#model = null;
    await free(model);
  }

  async #unloadEmbeddingModel(): Promise<void> {
    const model = this.#embeddingModel;
    this.#embeddingModel = null;
    await free(model);
  }

  check(request: CompletionRequest): void {
    checkGrammars(request);
  }

  async *generate(request: CompletionRequest, signal: AbortSignal): AsyncGenerator<GenerationEvent, undefined> {
    signal.throwIfAborted();
    if (request.embed) return yield* computeEmbeddings(request.embed, required(this.#embeddingModel), signal);
    const model = required(this.#model);
    const plans = request.raw ? planRawPrompts(request, request.raw, model) : [planGeneration(request, model)];
    const usage = { promptTokens: 0, completionTokens: 0, cachedTokens: 0, reasoningTokens: 0 };
    yield { type: 'prefill' };
    for (const plan of plans) {
      let promptTokens = 0;
      for (let choice = 0; choice < request.choices; choice++) {
        const generated =
          request.maxTokens === 0
            ? echoPrompt(model, plan, choice, signal)
            : generateWithText(model, request, plan, choice, signal);
        const { reason, stopSequence, isStuck, ...counts } = yield* generated;
        promptTokens = counts.promptTokens + systemPrefix(model.template, model.control).engineTokens;
        if (choice === 0) usage.cachedTokens += counts.cachedTokens;
        usage.completionTokens += counts.completionTokens;
        usage.reasoningTokens += counts.reasoningTokens;
        const why = { ...(stopSequence && { stopSequence }), ...(isStuck && { isStuck }) };
        yield { type: 'finish', choice: plan.firstChoice + choice, reason, ...why };
      }
      usage.promptTokens += promptTokens;
    }
    yield { type: 'done', usage };
  }

  async tokenize(input: TokenizeInput, model?: string): Promise<readonly number[]> {
    return tokenize(input, this.#either(model));
  }

  detokenize(tokens: readonly number[], model?: string): string {
    return detokenize(tokens, this.#either(model));
  }

  #either(id: string | undefined): LoadedModel | LoadedEmbeddingModel {
    const model = this.#embeddingModel;
    return required(model !== null && model.entry.id === id ? model : this.#model);
  }
}

function idOf(model: OpenedModel | null): string | null {
  return model === null || model.lost.aborted ? null : model.entry.id;
}

function required<Model extends OpenedModel>(model: Model | null): Model {
  if (model === null) throw new ApiError('model_not_loaded', 'No model is loaded.');
  model.lost.throwIfAborted();
  return model;
}

/** Frees a model, unless its device is lost: the loss has already freed it. */
async function free(model: OpenedModel | null): Promise<void> {
  if (model !== null && !model.lost.aborted) await model.unload();
}
