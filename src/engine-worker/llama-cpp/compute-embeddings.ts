import { ApiError } from '../../shared/api-error.ts';
import type { GenerationEvent } from '../../shared/engine/completion-event.ts';
import { inputPath, type EmbeddingInputs, type RawPrompt } from '../../shared/engine/completion-request.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';
import { withAbort, withTimeout } from '../../shared/timeout.ts';
import { unitVector } from '../answer/unit-vector.ts';
import { generationError } from './generation-error.ts';
import { placeOf, type LlamaCppRuntime } from './llama-cpp-runtime.ts';

/** An embedding model that llama.cpp has loaded. */
export interface LlamaCppEmbedder extends LlamaCppRuntime {
  readonly entry: ModelEntry;
}

/**
 * Milliseconds after an abort in which llama.cpp may finish an input. It computes a whole text in one step, which cannot be
 * interrupted. Then its worker is ended, and the next request loads the model again.
 */
const ABORT_TIMEOUT = 2000;

/**
 * Computes the embedding of each input, one after the other.
 * @throws ApiError `context_length_exceeded` or `invalid_value` for an input, which `param` names; the signal's reason.
 */
export async function* computeEmbeddings(
  { inputs, dimensions }: EmbeddingInputs,
  model: LlamaCppEmbedder,
  signal: AbortSignal,
): AsyncGenerator<GenerationEvent, undefined> {
  const engine = placeOf(model);
  let promptTokens = 0;
  for (const index of longestFirst(inputs)) {
    signal.throwIfAborted();
    yield { type: 'prefill', engine };
    const { vector, tokens } = await embed(inputs[index]!, inputPath(index, inputs), model, signal);
    promptTokens += tokens;
    yield { type: 'delta', choice: index, embedding: unitVector(vector, dimensions) };
  }
  yield { type: 'done', usage: { promptTokens, completionTokens: 0, cachedTokens: 0, reasoningTokens: 0 } };
}

/** Returns the indices of the inputs, the longest first, so that an input that is too long fails before others are computed. */
function longestFirst(inputs: readonly RawPrompt[]): readonly number[] {
  return [...inputs.keys()].toSorted((one, other) => inputs[other]!.length - inputs[one]!.length);
}

async function embed(
  input: RawPrompt,
  param: string,
  { wllama, lost, entry, end }: LlamaCppEmbedder,
  signal: AbortSignal,
): Promise<{ readonly vector: readonly number[]; readonly tokens: number }> {
  const computed = wllama.createEmbedding({ input: typeof input === 'string' ? input : [...input] });
  try {
    const { data, usage } = await withAbort(withAbort(computed, lost), signal);
    return { vector: data[0]!.embedding as number[], tokens: usage.prompt_tokens };
  } catch (thrown) {
    if (signal.aborted && !(await isSettled(computed))) end();
    signal.throwIfAborted();
    lost.throwIfAborted();
    throw thrown instanceof ApiError ? thrown : generationError(thrown, entry, param, false);
  }
}

function isSettled(computed: Promise<unknown>): Promise<boolean> {
  const settled = computed.then(
    () => true,
    () => true,
  );
  return withTimeout(ABORT_TIMEOUT, settled, false);
}
