import type { ChatCompletionChunk } from '@mlc-ai/web-llm';
import type { DeltaEvent, FinishReason } from '../../../shared/engine/completion-event.ts';
import type { CompletionRequest } from '../../../shared/engine/completion-request.ts';
import { withAbort } from '../../../shared/timeout.ts';
import { AnswerReader, type AnswerPart } from '../answer/answer-reader.ts';
import { deviceLostError, generationError } from '../errors/engine-error.ts';
import type { LoadedModel } from '../loading/loaded-model.ts';
import { pieceText } from '../answer/piece.ts';
import type { GenerationPlan } from './plan-generation.ts';
import { refuseLongPrompt } from './refuse-long-prompt.ts';
import { samplingParameters } from './sampling-parameters.ts';
import { StableText } from '../answer/stable-text.ts';
import { pieceLogprobs, pieceLogprob } from '../answer/token-logprobs.ts';
import { ToolCallParser } from '../answer/tool-call-parser.ts';
import { isLost } from '../extensions/watch-device.ts';

/** How one choice ended. */
export interface ChoiceResult {
  readonly reason: FinishReason;
  /** Tokens of the prompt as WebLLM counts them. */
  readonly promptTokens: number;
  /** Those of them that were in the prompt cache. */
  readonly cachedTokens: number;
  readonly completionTokens: number;
  readonly reasoningTokens: number;
}

/**
 * Generates one choice of a prompt, counted from 0. The engine is free again when this has ended, however it ended: after
 * an abort, that is one decoding step or one chunk of the prompt later at the latest.
 *
 * @throws ApiError; the signal's reason.
 */
export async function* generateChoice(
  model: LoadedModel,
  request: CompletionRequest,
  plan: GenerationPlan,
  choice: number,
  signal: AbortSignal,
): AsyncGenerator<DeltaEvent, ChoiceResult> {
  const { engine, entry } = model;
  const tools = request.tools.length > 0 && request.toolChoice !== 'none' ? newToolCallParser(request) : null;
  const { templateStops, thinking } = plan;
  const reader = new AnswerReader({ templateStops, stops: request.stop, thinking, tools });
  const index = plan.firstChoice + choice;
  let { echo } = plan;
  const stable = new StableText();
  const result = { promptTokens: 0, cachedTokens: 0, completionTokens: 0, reasoningTokens: 0 };
  let length = false;

  for await (const chunk of engineChunks(model, request, plan, choice, signal)) {
    if (echo !== '') yield { type: 'delta', choice: index, content: echo };
    echo = '';
    if (chunk.usage) {
      result.promptTokens = chunk.usage.prompt_tokens;
      result.cachedTokens = model.promptCache?.reused ?? 0;
      result.completionTokens = chunk.usage.completion_tokens;
      continue;
    }
    const [delta] = chunk.choices;
    if (reader.complete || delta === undefined) continue;
    if (delta.finish_reason === 'length') length = true;
    // The pieces of WebLLM's stream leave out text in some cases; the whole is always right.
    const text = stable.advance(await engine.getMessage(entry.id));
    const logprob = request.logprobs ? pieceLogprob(text, delta.logprobs?.content?.[0], request.topLogprobs) : null;
    yield* deltas(reader.push({ text, logprob }), index);
    if (reader.thinking && delta.finish_reason === null) result.reasoningTokens++;
    // Ends WebLLM's stream before its next step, and in order, so that it still tells the usage.
    if (reader.complete) engine.interruptGenerate();
  }
  yield* deltas(reader.end(length), index);
  const cut = length && !reader.complete;
  return { ...result, reason: cut ? 'length' : tools && tools.calls > 0 ? 'tool_calls' : 'stop' };
}

/**
 * WebLLM's stream for one choice, from a clean state: a conversation that WebLLM itself continues gets another
 * prompt. A stream that is not read to its end would block the engine for ever, so it is always
 * closed.
 */
async function* engineChunks(
  model: LoadedModel,
  request: CompletionRequest,
  plan: GenerationPlan,
  choice: number,
  signal: AbortSignal,
): AsyncGenerator<ChatCompletionChunk, undefined> {
  const { engine, entry, lost, promptCache } = model;
  let chunks: AsyncIterator<ChatCompletionChunk> | undefined;
  // Between two pieces WebLLM may decode many tokens that are no characters yet; this reaches it there.
  const interrupt = () => engine.interruptGenerate();
  signal.addEventListener('abort', interrupt);
  try {
    model.abortPrefillWith?.(signal);
    model.wantAlternatives?.(request.topLogprobs);
    if (choice === 0 && !plan.fits) await refuseLongPrompt(plan, model, signal);
    if (promptCache) await withAbort(promptCache.ready(), lost);
    await engine.resetChat(false, entry.id);
    const stream = await engine.chat.completions.create({
      model: entry.id,
      messages: [...plan.messages],
      stream: true,
      stream_options: { include_usage: true },
      ...samplingParameters(request, choice, { ...entry, vocabularySize: model.vocabularySize }),
      ...(plan.format === null ? {} : { response_format: plan.format }),
    });
    chunks = stream[Symbol.asyncIterator]();
    for (;;) {
      signal.throwIfAborted();
      const { done, value } = await withAbort(chunks.next(), lost);
      signal.throwIfAborted();
      if (done === true) return undefined;
      yield value;
    }
  } catch (thrown) {
    signal.throwIfAborted();
    const error = generationError(thrown, plan.errorContext);
    if (error.code === 'internal_error') promptCache?.invalidate();
    if (thrown instanceof WebAssembly.RuntimeError) model.abandon(error);
    throw error.code === 'internal_error' && (await isLost(lost)) ? deviceLostError(thrown) : error;
  } finally {
    signal.removeEventListener('abort', interrupt);
    // A lost device may never answer again.
    if (!lost.aborted) await chunks?.return?.();
  }
}

function newToolCallParser({ parallelToolCalls, toolChoice }: CompletionRequest): ToolCallParser {
  const single = !parallelToolCalls || typeof toolChoice === 'object';
  return new ToolCallParser({ most: single ? 1 : Number.POSITIVE_INFINITY });
}

function* deltas(parts: readonly AnswerPart[], choice: number): Generator<DeltaEvent> {
  for (const part of parts) {
    if (part.type === 'toolCalls') {
      for (const call of part.toolCalls) yield { type: 'delta', choice, toolCalls: [call] };
      continue;
    }
    const text = pieceText(part.pieces);
    const logprobs = part.type === 'content' ? pieceLogprobs(part.pieces) : [];
    yield { type: 'delta', choice, [part.type]: text, ...(logprobs.length > 0 ? { logprobs } : {}) };
  }
}
