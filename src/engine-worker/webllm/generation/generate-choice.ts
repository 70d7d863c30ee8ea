import type { ChatCompletionChunk } from '@mlc-ai/web-llm';
import { ApiError } from '../../../shared/api-error.ts';
import type { DeltaEvent, FinishReason, PrefillEvent } from '../../../shared/engine/completion-event.ts';
import type { CompletionRequest } from '../../../shared/engine/completion-request.ts';
import { withAbort } from '../../../shared/timeout.ts';
import { answerDeltas } from '../../answer/answer-deltas.ts';
import { AnswerReader } from '../../answer/answer-reader.ts';
import { SignOfLife } from '../../answer/sign-of-life.ts';
import { answerKind } from '../../answer/answer-kind.ts';
import { secondAttempt } from '../../answer/second-attempt.ts';
import { deviceLostError, generationError } from '../errors/webllm-errors.ts';
import type { LoadedModel } from '../loading/load-chat-model.ts';
import { systemPrefix } from '../prompt/chat-template.ts';
import { planGeneration, type GenerationPlan } from './plan-generation.ts';
import { refuseLongPrompt } from './refuse-long-prompt.ts';
import { generationParameters } from './generation-parameters.ts';
import { StableText } from '../answer/stable-text.ts';
import { AnswerTokens } from '../answer/answer-tokens.ts';
import { toolCallParserOf } from '../../answer/tool-call-parser.ts';
import { isLost } from '../extensions/watch-device.ts';

/** Finish reason and token counts of one choice. */
export interface ChoiceResult {
  readonly reason: FinishReason;
  /** Tokens of the prompt as WebLLM counts them. */
  readonly promptTokens: number;
  /** Prompt tokens that were already in the prompt cache. */
  readonly cachedTokens: number;
  readonly completionTokens: number;
  readonly reasoningTokens: number;
  /** The stop sequence of the request that ended the choice. */
  readonly stopSequence?: string;
  /** See {@link AnswerReader.isStuck}. Default: false. */
  readonly isStuck?: boolean;
}

interface FirstResult extends ChoiceResult {
  /**
   * The request to generate in place of this choice, which has no text; null if the choice stands. See
   * {@link secondAttempt}.
   */
  readonly again: CompletionRequest | null;
}

/** Generates one choice with {@link generateChoice}, and a second time if the model gave no answer. */
export async function* generateWithText(
  model: LoadedModel,
  request: CompletionRequest,
  plan: GenerationPlan,
  choice: number,
  signal: AbortSignal,
): AsyncGenerator<DeltaEvent | PrefillEvent, ChoiceResult> {
  const { again, ...result } = yield* generateChoice(model, request, plan, choice, signal);
  if (!again) return result;
  const second = yield* generateChoice(model, again, planGeneration(again, model), choice, signal);
  // The first attempt's count of cached tokens is reported, because that attempt has put the whole prompt into the
  // cache.
  return { ...second, cachedTokens: result.cachedTokens };
}

/**
 * Generates one choice of a prompt. After the generator has ended, even by an error, the engine can accept the next
 * request. After an abort it ends within one decode step or one prefill chunk.
 *
 * @param choice Index of the choice, from 0.
 * @throws ApiError if generating fails; the signal's reason if it aborts.
 */
async function* generateChoice(
  model: LoadedModel,
  request: CompletionRequest,
  plan: GenerationPlan,
  choice: number,
  signal: AbortSignal,
): AsyncGenerator<DeltaEvent | PrefillEvent, FirstResult> {
  const { engine, entry } = model;
  const tools = toolCallParserOf(request);
  const { templateStops, thinking } = plan;
  const reader = new AnswerReader({ templateStops, stops: request.stop, thinking, tools, ...answerKind(request) });
  const index = plan.firstChoice + choice;
  let { echo } = plan;
  const stable = new StableText();
  const tokens = new AnswerTokens(model.pipeline);
  const result = { promptTokens: 0, cachedTokens: 0, completionTokens: 0, reasoningTokens: 0 };
  let length = false;
  const life = new SignOfLife();

  for await (const chunk of engineChunks(model, request, plan, choice, signal)) {
    if ('type' in chunk) {
      yield chunk;
      continue;
    }
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
    // The text comes from `getMessage`, which returns the complete answer so far: WebLLM's streamed deltas omit text in
    // some cases.
    const text = stable.advance(await engine.getMessage(entry.id), () => tokens.replacements);
    const logprobs = request.logprobs ? readLogprobs(model, () => tokens.logprobsOf(text, request.topLogprobs)) : [];
    yield* life.after(answerDeltas(reader.push({ text, logprobs }), index));
    if (reader.thinking && delta.finish_reason === null) result.reasoningTokens++;
    // Ends WebLLM's stream before its next decode step. The stream still reports the usage.
    if (reader.complete) engine.interruptGenerate();
  }
  yield* answerDeltas(reader.end(length), index);
  const { isStuck } = reader;
  const cut = isStuck || (length && !reader.complete);
  const reason = cut ? 'length' : reader.hasCalls ? 'tool_calls' : 'stop';
  const again = secondAttempt(request, reader, entry);
  return {
    ...result,
    reason,
    again,
    isStuck,
    ...(reader.stopSequence !== null && { stopSequence: reader.stopSequence }),
  };
}

/** Log probabilities are computed when they are read. If the logits are not numbers, the KV cache is useless, too. */
function readLogprobs<Logprobs>({ promptCache }: LoadedModel, read: () => Logprobs): Logprobs {
  try {
    return read();
  } catch (thrown) {
    promptCache?.invalidate();
    throw thrown;
  }
}

/**
 * Starts WebLLM's stream for one choice and yields its chunks. It resets WebLLM's chat first, because WebLLM renders a
 * different prompt when it continues a conversation. It always closes the stream, because an open stream blocks the
 * engine.
 */
async function* engineChunks(
  model: LoadedModel,
  request: CompletionRequest,
  plan: GenerationPlan,
  choice: number,
  signal: AbortSignal,
): AsyncGenerator<ChatCompletionChunk | PrefillEvent, undefined> {
  const { engine, entry, lost, promptCache } = model;
  let chunks: AsyncIterator<ChatCompletionChunk> | undefined;
  let prefilled = 0;
  let told = 0;
  let isPromptTold = plan.firstChoice + choice > 0;
  let onProgress: (() => void) | null = null;
  const progress = () =>
    new Promise<'progress'>((resolve) => {
      onProgress = () => resolve('progress');
      if (prefilled > told) resolve('progress');
    });
  // Registered outside the loop below, because WebLLM may decode many tokens without yielding a chunk.
  const interrupt = () => engine.interruptGenerate();
  signal.addEventListener('abort', interrupt);
  try {
    model.controlPrefill?.(signal, (tokens) => {
      prefilled = tokens;
      onProgress?.();
    });
    const { topLogprobs: alternatives, topK, minP } = request;
    for (const [param, value] of Object.entries({ top_k: topK, min_p: minP })) {
      if (value !== null && model.requestSampling === undefined) throw unsupportedHere(param, entry.id);
    }
    model.requestSampling?.({ alternatives, topK, minP });
    if (request.stopTokens.length > 0 && model.stopAt === undefined) throw unsupportedHere('stop_token_ids', entry.id);
    model.stopAt?.(request.stopTokens);
    if (choice === 0 && !plan.fits) await refuseLongPrompt(plan, model, signal);
    if (promptCache) await withAbort(promptCache.ready(request.cacheScope), lost);
    await engine.resetChat(false, entry.id);
    const stream = await engine.chat.completions.create({
      model: entry.id,
      messages: [...plan.messages],
      stream: true,
      stream_options: { include_usage: true },
      ...generationParameters(request, choice, {
        ...entry,
        vocabularySize: model.vocabularySize,
        unwanted: plan.unwanted,
      }),
      ...(plan.format === null ? {} : { response_format: plan.format }),
    });
    chunks = stream[Symbol.asyncIterator]();
    for (;;) {
      signal.throwIfAborted();
      const next = chunks.next();
      const arrived = next.then(() => 'chunk' as const);
      while ((await withAbort(Promise.race([arrived, progress()]), lost)) === 'progress') {
        told = prefilled;
        yield { type: 'prefill', tokens: told };
      }
      const { done, value } = await next;
      signal.throwIfAborted();
      if (done === true) return undefined;
      promptCache?.answerBegun();
      if (promptCache && !isPromptTold) {
        isPromptTold = true;
        const promptTokens = promptCache.promptTokens + systemPrefix(model.template, model.control).engineTokens;
        yield { type: 'prefill', prompt: { promptTokens, cachedTokens: promptCache.reused } };
      }
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
    // On a lost device, closing the stream may never settle.
    try {
      if (!lost.aborted) await chunks?.return?.();
    } finally {
      promptCache?.saveWhenIdle();
    }
  }
}

/** The error for a field that WebLLM itself does not have, if the extension that applies it is off. */
function unsupportedHere(param: string, model: string): ApiError {
  return new ApiError(
    'unsupported_parameter',
    `\`${param}\`: the engine cannot generate with it from ${model} on this device. Leave it out.`,
    { param },
  );
}
