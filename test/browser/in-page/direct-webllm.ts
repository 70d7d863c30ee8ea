import { MLCEngine, type ChatCompletionRequestNonStreaming } from '@mlc-ai/web-llm';
import { engineLibraryUrl, engineModelUrl } from '../../../src/engine-worker/models/package/package-address.ts';
import { INCREMENTAL_DETOKENIZER } from '../../../src/engine-worker/webllm/extensions/incremental-detokenizer.ts';
import { applyExtensions } from '../../../src/engine-worker/webllm/pipeline/apply-extensions.ts';
import { NO_TEMPLATE } from '../../../src/engine-worker/webllm/prompt/chat-template.ts';
import { CPU_SAMPLING } from '../../../src/engine-worker/webllm/sampling/cpu-sampling.ts';
import { builtInModel } from '../../../src/shared/models/built-in-models.ts';

export type DirectRequest = Omit<ChatCompletionRequestNonStreaming, 'stream' | 'messages'>;

/** Natural logarithms of probabilities. */
export interface DirectAnswer {
  readonly text: string;
  readonly logprobs: readonly { readonly token: string; readonly logprob: number; readonly likeliest: string[] }[];
}

/**
 * Less likely alternatives are not compared: WebLLM stops listing when the rounded probabilities add up to 1, and fills
 * the list with any tokens.
 */
const MIN_LOGPROB = -9;

const { id, modelUrl, libraryUrl, contextWindow } = builtInModel(`${location.origin}/`);
const engine = new MLCEngine({
  logLevel: 'ERROR',
  appConfig: {
    model_list: [{ model: engineModelUrl(modelUrl), model_id: id, model_lib: engineLibraryUrl(libraryUrl) }],
    cacheBackend: 'cache',
  },
});

/** Loads the built-in model, whose files are cached, into WebLLM alone. */
export async function load(): Promise<void> {
  await engine.reload(id, { context_window_size: contextWindow, sliding_window_size: -1 });
}

/** Applies two of the adapter's extensions. @returns for each the reason why it is off; null if it is on. */
export async function extend(): Promise<readonly (string | null)[]> {
  const { loadedModelIdToPipeline: pipelines } = engine as unknown as { loadedModelIdToPipeline: Map<string, object> };
  const { extensions } = await applyExtensions(pipelines.get(id) ?? {}, [INCREMENTAL_DETOKENIZER, CPU_SAMPLING], {
    entry: builtInModel(`${location.origin}/`),
    template: NO_TEMPLATE,
    vocabularySize: 0,
    gpuName: async () => '',
    checks: { get: async () => undefined, put: async () => {} },
    onCheckStep: () => {},
    promptMemory: 0,
    smallVocabulary: 0,
  });
  return extensions.map(({ off }) => off);
}

export async function answer(prompt: string, request: DirectRequest): Promise<DirectAnswer> {
  await engine.resetChat();
  const messages = [{ role: 'user' as const, content: prompt }];
  const { choices } = await engine.chat.completions.create({ ...request, messages, stream: false });
  return {
    text: choices[0]?.message.content ?? '',
    logprobs: (choices[0]?.logprobs?.content ?? []).map(({ token, logprob, top_logprobs }) => ({
      token,
      logprob,
      likeliest: top_logprobs.filter((other) => other.logprob > MIN_LOGPROB).map((other) => other.token),
    })),
  };
}
