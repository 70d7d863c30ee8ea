import type { GenerationEvent } from '../../shared/engine/completion-event.ts';
import { inputPath, type EmbeddingInputs } from '../../shared/engine/completion-request.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';
import { withAbort, withTimeout } from '../../shared/timeout.ts';
import { unitVector } from '../answer/unit-vector.ts';
import { generationError } from './generation-error.ts';
import { placeOf, type LlamaCppRuntime } from './llama-cpp-runtime.ts';
import { wholeCharacters } from './whole-characters.ts';

export interface LlamaCppEmbedder extends LlamaCppRuntime {
  readonly entry: ModelEntry;
}

/**
 * Milliseconds after an abort in which llama.cpp may finish an input. It computes a whole text in one step, which
 * cannot be interrupted. After this time its worker is ended, and the model is loaded again at once.
 */
const ABORT_TIMEOUT = 2000;

/**
 * Computes the embedding of each input, one after the other. For a reranking model the first input is a query, and the
 * embedding of each other one is a single number: how relevant it is.
 * @throws ApiError `context_length_exceeded` or `invalid_value` for an input, which `param` names; the signal's reason.
 */
export async function* computeEmbeddings(
  { inputs, dimensions }: EmbeddingInputs,
  model: LlamaCppEmbedder,
  signal: AbortSignal,
): AsyncGenerator<GenerationEvent, undefined> {
  const engine = placeOf(model);
  const ranks = model.entry.embedding?.ranks === true;
  const texts = inputs.map(wholeCharacters);
  let promptTokens = 0;
  for (const index of longestFirst(inputs)) {
    if (ranks && index === 0) continue;
    signal.throwIfAborted();
    yield { type: 'prefill', engine };
    const [computed, param] = ranks
      ? [rank(texts[0]!, texts[index]!, model), `documents[${index - 1}]`]
      : [embed(texts[index]!, model), inputPath(index, inputs)];
    const { vector, tokens } = await interruptible(computed, param, model, signal);
    promptTokens += tokens;
    yield {
      type: 'delta',
      choice: index,
      embedding: ranks ? Float32Array.from(vector) : unitVector(vector, dimensions),
    };
  }
  yield { type: 'done', usage: { promptTokens, completionTokens: 0, cachedTokens: 0, reasoningTokens: 0 } };
}

/**
 * Returns the indices of the inputs, the longest first, so that an input that is too long fails before others are
 * computed.
 */
function longestFirst(inputs: readonly string[]): readonly number[] {
  return [...inputs.keys()].toSorted((one, other) => inputs[other]!.length - inputs[one]!.length);
}

interface Computed {
  readonly vector: readonly number[];
  readonly tokens: number;
}

async function embed(input: string, { wllama }: LlamaCppEmbedder): Promise<Computed> {
  const { data, usage } = await wllama.createEmbedding({ input });
  return { vector: data[0]!.embedding as number[], tokens: usage.prompt_tokens };
}

async function rank(query: string, document: string, { wllama }: LlamaCppEmbedder): Promise<Computed> {
  const { results, usage } = await wllama.createRerank({ query, documents: [document] });
  return { vector: [results[0]!.relevance_score], tokens: usage.prompt_tokens };
}

async function interruptible(
  computed: Promise<Computed>,
  param: string,
  { lost, entry, end }: LlamaCppEmbedder,
  signal: AbortSignal,
): Promise<Computed> {
  try {
    return await withAbort(withAbort(computed, lost), signal);
  } catch (thrown) {
    if (signal.aborted && !(await isSettled(computed))) end();
    signal.throwIfAborted();
    lost.throwIfAborted();
    throw generationError(thrown, entry, param, false);
  }
}

function isSettled(computed: Promise<unknown>): Promise<boolean> {
  const settled = computed.then(
    () => true,
    () => true,
  );
  return withTimeout(ABORT_TIMEOUT, settled, false);
}
