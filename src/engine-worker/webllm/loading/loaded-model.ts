import { BUILT_IN_MODEL_ID } from '../../../shared/models/built-in-models.ts';
import type { LoadingProgress } from '../../../shared/engine/engine.ts';
import type { ModelEntry } from '../../../shared/models/model-entry.ts';
import { trace } from '../../../shared/trace/trace.ts';
import { MODEL_CACHES } from '../../models/package/package-file.ts';
import { systemPrefix, verbatimTemplate, type ChatTemplate } from '../prompt/chat-template.ts';
import { checkKeyValueCacheOnce } from '../prompt-cache/check-key-value-cache.ts';
import { compactJson } from '../grammar/compact-json.ts';
import { sampleOnCpu, type SamplingPipeline } from '../sampling/cpu-sampling.ts';
import { outOfMemoryError } from '../errors/engine-error.ts';
import { decodeIncrementally, type DecodingPipeline } from '../extensions/incremental-detokenizer.ts';
import type { ImagePipeline } from '../extensions/image-tokens.ts';
import { interruptiblePrefill, type PrefillPipeline } from '../extensions/interruptible-prefill.ts';
import type { CachedPipeline, KeyValueCache } from '../prompt-cache/key-value-cache.ts';
import { decodeAhead, type AheadPipeline } from '../extensions/decode-ahead.ts';
import { openModel, type LoadEnvironment, type ModelKind, type OpenedModel } from './open-model.ts';
import { createPromptCache, type PromptCache } from '../prompt-cache/prompt-cache.ts';
import { readBetweenTurns, type TurnPipeline } from '../extensions/idle-prefill.ts';
import { betweenTurns } from '../prompt/render-prompt.ts';
import { rememberTokens } from '../extensions/tokenizer-cache.ts';
import { acceptTokenPrompts, type PipelineTokenizer } from '../extensions/token-prompts.ts';

/** A model that writes, on the graphics device, with everything a generation needs. */
export interface LoadedModel extends OpenedModel {
  readonly pipeline: Pipeline;
  readonly promptCache: PromptCache;
  /** From now on an abort of this signal, the request's, ends the reading of a prompt. */
  abortPrefillWith(signal: AbortSignal): void;
  /** The next request gets so many alternatives for each token, where it wants any. Null where it gets five at most. */
  readonly wantAlternatives: ((count: number) => void) | null;
  /** A prompt for WebLLM that it turns into these tokens. Absent where it keeps its tokenizer elsewhere. */
  readonly tokenPrompt?: (tokens: readonly number[]) => string;
}

/** What is used of WebLLM's own object for a loaded model, beside what its engine offers. */
type Pipeline = PrefillPipeline &
  DecodingPipeline &
  AheadPipeline &
  TurnPipeline &
  SamplingPipeline &
  CachedPipeline &
  ImagePipeline & { readonly tokenizer?: PipelineTokenizer; contextWindowSize?: number };

/** Loads a model that writes; see {@link openModel}. */
export function loadModel(
  entry: ModelEntry,
  environment: LoadEnvironment,
  report: (progress: LoadingProgress) => void,
  signal: AbortSignal,
): Promise<LoadedModel> {
  return openModel(WRITING_MODEL, entry, environment, report, signal);
}

const WRITING_MODEL: ModelKind<LoadedModel> = {
  options({ template, control }, { contextWindow }) {
    const { engineTokens } = systemPrefix(template, control);
    return {
      conv_config: { ...verbatimTemplate(), ...(engineTokens === 0 ? { system_prefix_token_ids: [] } : {}) },
      context_window_size: contextWindow,
      sliding_window_size: -1,
    };
  },

  async equip(opened, { gpuName, checks, promptMemory }) {
    const { engine, entry, vocabularySize } = opened;
    const pipeline: Pipeline = opened.pipeline;
    const isPocket = entry.id === BUILT_IN_MODEL_ID;
    compactJson(pipeline);
    // Before prompts are cut into smaller chunks: it has to see each chunk that is read.
    const check = async (cache: KeyValueCache) => {
      const file = await (await caches.open(MODEL_CACHES.library)).match(entry.libraryUrl);
      return checkKeyValueCacheOnce(cache, { file, gpu: await gpuName(), vocabularySize }, checks);
    };
    const promptCache = await createPromptCache(pipeline, check, promptMemory);
    // `reload` also returns when it was given up; only a model that is there has a message.
    await engine.getMessage(entry.id).catch((thrown: unknown) => {
      throw outOfMemoryError(entry.id, thrown);
    });
    // WebLLM counts what it has computed, and the last token of an answer is not computed any more.
    if (pipeline.contextWindowSize !== undefined) pipeline.contextWindowSize = entry.contextWindow - 1;
    if (!decodeIncrementally(pipeline)) trace('engine', 'decodes all of an answer for each token, as WebLLM does');
    // Before the device is given tokens ahead: their logits are to come with them.
    const wantAlternatives = sampleOnCpu(pipeline, isPocket);
    if (!wantAlternatives) trace('engine', 'samples on the graphics device, as WebLLM does');
    if (!decodeAhead(pipeline)) trace('engine', 'waits with a token until the one before is taken, as WebLLM does');
    const afterwards = () => promptCache.saveAhead();
    const tokensFrom = (end: number) => tokensBetweenTurns(end, opened.template, pipeline.tokenizer);
    if (promptCache.off === null && !readBetweenTurns(pipeline, { tokensFrom, afterwards }))
      trace('engine', 'reads what stands between two turns with the next prompt');
    const abortPrefillWith = interruptiblePrefill(pipeline, isPocket);
    if (pipeline.tokenizer) rememberTokens(pipeline.tokenizer);
    const tokenPrompt = pipeline.tokenizer && acceptTokenPrompts(pipeline.tokenizer);
    const made = { ...opened, pipeline, promptCache, abortPrefillWith, wantAlternatives };
    return tokenPrompt ? { ...made, tokenPrompt } : made;
  },
};

/** Of an answer that ended otherwise than the template has it, it is not known what comes after that token. */
function tokensBetweenTurns(end: number, template: ChatTemplate, tokenizer?: PipelineTokenizer): readonly number[] {
  const tokens = betweenTurns(template).flatMap((text) =>
    text === '' ? [] : Array.from(tokenizer?.encode(text) ?? []),
  );
  return tokens[0] === end ? tokens : [end];
}
