import type { GenerationEvent } from '../../../shared/engine/completion-event.ts';
import { inputPath, type EmbeddingInputs } from '../../../shared/engine/completion-request.ts';
import { contextLengthExceeded } from '../../../shared/engine/engine-errors.ts';
import { withAbort, sleep } from '../../../shared/timeout.ts';
import { unitVector } from '../../answer/unit-vector.ts';
import type { LoadedEmbeddingModel } from '../loading/load-embedding-model.ts';
import { deviceLostError, generationError } from '../errors/webllm-errors.ts';
import { textTokens } from './tokenize.ts';
import { isLost } from '../extensions/watch-device.ts';

/**
 * Number of characters to tokenize before yielding to the event loop; tokenizing them takes about a tenth of a second.
 */
const SLICE = 2 ** 16;

/** Maximum number of tokens in a batch, including padding. A request can be cancelled only between batches. */
const MAX_TOKENS_AT_ONCE = 4096;

/**
 * Computes the embedding of each input. Inputs of similar length share a batch, because each is padded to the length of
 * the longest in its batch. All inputs are tokenized first, so an input that is too long fails before the first event.
 *
 * @throws ApiError `context_length_exceeded` if an input is too long, which `param` names; the signal's reason if it
 * aborts.
 */
export async function* computeEmbeddings(
  { inputs, dimensions }: EmbeddingInputs,
  model: LoadedEmbeddingModel,
  signal: AbortSignal,
): AsyncGenerator<GenerationEvent, undefined> {
  const tokens = await tokenizeInputs(inputs, model, signal);
  for (const batch of batchesOf(tokens, model.pipeline.maxBatchSize ?? 1)) {
    signal.throwIfAborted();
    yield { type: 'prefill' };
    const vectors = await compute(
      batch.map((index) => tokens[index]!),
      model,
      signal,
    );
    for (const [position, choice] of batch.entries()) {
      yield { type: 'delta', choice, embedding: unitVector(vectors[position]!, dimensions) };
    }
  }
  const promptTokens = tokens.reduce((sum, { length }) => sum + length, 0);
  yield { type: 'done', usage: { promptTokens, completionTokens: 0, cachedTokens: 0, reasoningTokens: 0 } };
}

async function tokenizeInputs(
  inputs: readonly string[],
  model: LoadedEmbeddingModel,
  signal: AbortSignal,
): Promise<readonly (readonly number[])[]> {
  const { entry } = model;
  let characters = 0;
  const tokenized: (readonly number[])[] = [];
  for (const [index, input] of inputs.entries()) {
    const tokens = textTokens({ type: 'text', text: input, prefix: true, markers: false }, model);
    if (tokens.length > entry.contextWindow) {
      throw contextLengthExceeded(entry, tokens.length, { param: inputPath(index, inputs) });
    }
    tokenized.push(tokens);
    characters += input.length;
    if (characters < SLICE) continue;
    characters = 0;
    await sleep(0, signal);
  }
  return tokenized;
}

/** Groups texts of similar length into batches. Yields the indices of the texts in each batch. */
function* batchesOf(texts: readonly (readonly number[])[], mostTexts: number): Generator<readonly number[]> {
  const shortestFirst = [...texts.keys()].toSorted((a, b) => texts[a]!.length - texts[b]!.length);
  let batch: number[] = [];
  for (const index of shortestFirst) {
    const isFull = batch.length === mostTexts || (batch.length + 1) * texts[index]!.length > MAX_TOKENS_AT_ONCE;
    if (isFull && batch.length > 0) {
      yield batch;
      batch = [];
    }
    batch.push(index);
  }
  yield batch;
}

async function compute(
  batch: readonly (readonly number[])[],
  { engine, entry, lost, abandon }: LoadedEmbeddingModel,
  signal: AbortSignal,
): Promise<readonly (readonly number[])[]> {
  try {
    const created = engine.embeddings.create({ model: entry.id, input: batch.map((tokens) => [...tokens]) });
    return (await withAbort(created, lost)).data.map(({ embedding }) => embedding);
  } catch (thrown) {
    signal.throwIfAborted();
    const error = generationError(thrown, { grammar: null, images: false, prompt: 'input', model: entry });
    if (thrown instanceof WebAssembly.RuntimeError) abandon(error);
    throw error.code === 'internal_error' && (await isLost(lost)) ? deviceLostError(thrown) : error;
  }
}
