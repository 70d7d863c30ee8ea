import type { AnswerPipeline } from '../answer/answer-tokens.ts';
import type { LoadingProgress } from '../../../shared/engine/engine.ts';
import type { ModelEntry } from '../../../shared/models/model-entry.ts';
import { outOfMemoryError } from '../errors/webllm-errors.ts';
import { CHAT_EXTENSIONS } from '../extensions/extensions.ts';
import type { CountImageTokens } from '../extensions/image-tokens.ts';
import type { ControlPrefill } from '../extensions/interruptible-prefill.ts';
import type { StopAt } from '../extensions/stop-tokens.ts';
import type { TokenPrompt } from '../extensions/token-prompts.ts';
import { applyExtensions } from '../pipeline/apply-extensions.ts';
import { systemPrefix, verbatimTemplate } from '../prompt/chat-template.ts';
import type { PromptCache } from '../prompt-cache/prompt-cache.ts';
import type { RequestSampling } from '../sampling/cpu-sampling.ts';
import { openModel, type LoadEnvironment, type ModelKind, type OpenedModel } from './open-model.ts';

/**
 * A chat model that is loaded on the graphics device. Members whose type includes undefined come from an extension (see
 * `extension.ts`) and are undefined if it is off.
 */
export interface LoadedModel extends OpenedModel {
  readonly pipeline: AnswerPipeline;
  readonly promptCache: PromptCache | undefined;
  readonly controlPrefill: ControlPrefill | undefined;
  readonly requestSampling: RequestSampling | undefined;
  readonly stopAt: StopAt | undefined;
  readonly tokenPrompt: TokenPrompt | undefined;
  readonly countImageTokens: CountImageTokens | undefined;
}

/** Loads a chat model; see {@link openModel}. */
export function loadChatModel(
  entry: ModelEntry,
  environment: LoadEnvironment,
  report: (progress: LoadingProgress) => void,
  signal: AbortSignal,
): Promise<LoadedModel> {
  return openModel(CHAT_MODEL, entry, environment, report, signal);
}

const CHAT_MODEL: ModelKind<LoadedModel> = {
  options({ template, control }, { contextWindow }) {
    const { engineTokens } = systemPrefix(template, control);
    return {
      conv_config: { ...verbatimTemplate(), ...(engineTokens === 0 ? { system_prefix_token_ids: [] } : {}) },
      context_window_size: contextWindow,
      sliding_window_size: -1,
    };
  },

  async equip(opened, environment) {
    const { engine, entry } = opened;
    // WebLLM's `reload` also resolves if it was interrupted. `getMessage` throws unless the model is loaded.
    await engine.getMessage(entry.id).catch((thrown: unknown) => {
      throw outOfMemoryError(entry.id, thrown);
    });
    const model = { ...opened, ...environment };
    const { handles, extensions } = await applyExtensions(opened.pipeline, CHAT_EXTENSIONS, model);
    return {
      ...opened,
      extensions: [...opened.extensions, ...extensions],
      promptCache: handles['prompt-cache'],
      controlPrefill: handles['interruptible-prefill'],
      requestSampling: handles['cpu-sampling']?.request,
      stopAt: handles['stop-tokens'],
      tokenPrompt: handles['token-prompts'],
      countImageTokens: handles['image-tokens'],
    };
  },
};
