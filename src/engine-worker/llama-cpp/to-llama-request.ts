import { ApiError } from '../../shared/api-error.ts';
import type { CompletionRequest, RawPrompt } from '../../shared/engine/completion-request.ts';
import { refuseUnknownTokens } from '../../shared/engine/refuse-unknown-tokens.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';
import { CALL, type AddedToken } from '../answer/unwanted-tokens.ts';
import type { LaidOutMessage } from '../prompt/lay-out.ts';
import { turnParts } from '../prompt/user-content.ts';
import { imageAddresses, type DecodedImages } from './decode-images.ts';
import { answerTokens } from './prompt/answer-tokens.ts';
import type { LlamaCppRuntime } from './llama-cpp-runtime.ts';
import type { ChatFormat } from './prompt/chat-format.ts';
import { plain } from './prompt/fit-conversation.ts';
import type { ChatPlan } from './prompt/plan-chat.ts';
import { wholeCharacters } from './whole-characters.ts';

/** Parameters of llama.cpp's server for a chat or text completion. */
export type LlamaRequest = Readonly<Record<string, unknown>>;

/** Matches the text of a mark. Other texts of tokens, such as line feeds, may be parts of other ones. */
const MARK = /^[<[].*\w.*[>\]]$/;

/** The largest number that llama.cpp takes: of a larger one it would keep only the last 32 bits. */
const MAX_INT32 = 2 ** 31 - 1;

/** The seed that makes llama.cpp choose a random one. */
const RANDOM_SEED = 0xff_ff_ff_ff;

type LoadedChatModel = Pick<ChatModel, 'entry'> & Pick<LlamaCppRuntime, 'wllama'>;

/**
 * Rejects requests that llama.cpp in WebAssembly cannot process, and tokens that the model does not have.
 * @throws ApiError `unsupported_value` or `invalid_value` that names the field.
 */
export function refuseUnsupported(
  { raw, messages, logitBias, stopTokens }: CompletionRequest,
  { entry: { id, mmproj }, wllama }: LoadedChatModel,
): void {
  if (raw?.prompts.some((prompt) => typeof prompt !== 'string')) {
    throw refusal('prompt', `prompts of tokens cannot be given to ${id}, which llama.cpp runs; send text.`);
  }
  if (raw && raw.suffix !== null) throw refusal('suffix', `${id} cannot fill a gap. Leave it out.`);
  if (mmproj === undefined && imageAddresses(messages).length > 0) {
    throw refusal('messages', `${id} has no image encoder (mmproj) and takes text only; leave out the images.`);
  }
  // llama.cpp itself ignores tokens that it does not know.
  const { n_vocab: vocabularySize } = wllama.getLoadedContextInfo();
  refuseUnknownTokens({ logit_bias: logitBias, stop_token_ids: stopTokens }, { id, vocabularySize });
}

function refusal(param: string, sentence: string): ApiError {
  return new ApiError('unsupported_value', `\`${param}\`: ${sentence}`, { param });
}

/** The facts about a loaded model that {@link toLlamaChat} needs. */
export interface ChatModel {
  readonly entry: ModelEntry;
  readonly format: ChatFormat;
  /** The control tokens and other markers of the model's vocabulary. */
  readonly addedTokens: readonly AddedToken[];
  readonly isEnd: (token: number) => boolean;
}

/**
 * Converts a chat request to llama.cpp's parameters.
 * @param grammar Grammar in GBNF; null for free text.
 * @param choice Index of the choice, from 0. Each choice gets its own seed.
 * @param images The files of the images in the messages, by address.
 */
export function toLlamaChat(
  request: CompletionRequest,
  plan: ChatPlan,
  { entry, format, addedTokens, isEnd }: ChatModel,
  grammar: string | null,
  choice: number,
  images: DecodedImages,
): LlamaRequest {
  const { prompt, messages, rendersThinking } = plan;
  const usesTools = request.tools.length > 0 && request.toolChoice !== 'none';
  const { forbidden, visible } = answerTokens(addedTokens, format.marks, format.source, {
    mayCall: usesTools,
    seesImages: entry.mmproj !== undefined,
    isEnd,
  });
  const thinking = grammar === null ? rendersThinking : false;
  const banned = new Set(forbidden);
  const isMark = ({ id, text, special }: AddedToken) =>
    MARK.test(text) && (special || format.marks.inAnswer.has(id) || CALL.test(text));
  const marks = addedTokens.filter((token) => isEnd(token.id) || (!banned.has(token.id) && isMark(token)));
  return {
    ...sampling(
      { ...request, logitBias: logitBias(request, prompt, marks) },
      entry,
      choice,
      forbidden.filter((token) => !request.stopTokens.includes(token)),
    ),
    ...(prompt === null
      ? {
          messages: messages.map((message) => ({ ...plain(message), content: contentOf(message, images) })),
          ...(thinking === null ? {} : { chat_template_kwargs: { enable_thinking: thinking } }),
        }
      : { prompt: wholeCharacters(prompt), preserved_tokens: visible }),
    ...(grammar === null ? {} : { grammar }),
    ...reports(request, prompt === null),
  };
}

/**
 * Returns the request's bias, and gives the tokens of the model's own marks what the penalties take from them: llama.cpp's penalties
 * count the prompt, too, in which each turn ends with such a token, and the instructions and earlier turns show how to call a
 * tool. Without this, an answer after many turns would not end, and after many calls there would be no further one.
 * @param marks The tokens of marks that an answer may contain. The tokenizer recognizes their texts anywhere.
 */
function logitBias(
  { presencePenalty, frequencyPenalty, logitBias: own }: CompletionRequest,
  prompt: string | null,
  marks: readonly AddedToken[],
): Readonly<Record<string, number>> {
  const [once, each] = [presencePenalty ?? 0, frequencyPenalty ?? 0];
  if (once === 0 && each === 0) return own ?? {};
  const given = marks.flatMap(({ id, text }) => {
    const count = (prompt ?? '').split(text).length - 1;
    const taken = count === 0 ? 0 : once + count * each;
    return taken === 0 ? [] : [[id, (own?.[id] ?? 0) + taken] as const];
  });
  return { ...own, ...Object.fromEntries(given) };
}

/** Returns the parameters by which llama.cpp reports each token, with its log-probability or its id alone. */
function reports({ logprobs, topLogprobs, stopTokens }: CompletionRequest, rendersPrompt: boolean): object {
  // The id alone is among the additional values for debugging.
  if (!logprobs) return stopTokens.length > 0 ? { return_tokens: true, verbose: true } : {};
  // Log-probabilities are reported only together with alternatives, so at least one is requested.
  const alternatives = Math.max(1, topLogprobs);
  return rendersPrompt ? { logprobs: true, top_logprobs: alternatives } : { n_probs: alternatives };
}

/** Returns the texts and images of a turn. */
function contentOf({ images: addresses, content }: LaidOutMessage, images: DecodedImages): string | readonly object[] {
  const text = wholeCharacters(content);
  if (addresses.length === 0) return text;
  return turnParts([text], addresses).map((part) =>
    'text' in part ? { type: 'text', text: part.text } : { type: 'image', data: images.get(part.image)! },
  );
}

/**
 * Converts a text completion; the parameters are those of {@link toLlamaChat}. The answer may contain control tokens.
 */
export function toLlamaCompletion(
  request: CompletionRequest,
  prompt: RawPrompt,
  model: ChatModel & Pick<LlamaCppRuntime, 'wllama'>,
  grammar: string | null,
  choice: number,
): LlamaRequest {
  const text = typeof prompt === 'string' ? wholeCharacters(prompt) : null;
  // The client may have rendered a conversation.
  const ends = model.addedTokens.filter(({ id }) => model.isEnd(id));
  return {
    ...sampling({ ...request, logitBias: logitBias(request, text, ends) }, model.entry, choice, []),
    prompt: text === '' ? documentBegin(model) : (text ?? prompt),
    ...(grammar === null ? {} : { grammar }),
    ...reports(request, false),
  };
}

/** Returns what stands for an empty prompt, which would have no token: the end of a document, because it precedes a new one. */
function documentBegin({ wllama, addedTokens, isEnd }: Parameters<typeof toLlamaCompletion>[2]): string {
  return wllama.mustAddBosToken() ? '' : (addedTokens.find(({ id }) => isEnd(id))?.text ?? '');
}

/**
 * Returns sampling parameters as the OpenAI API defines them: temperature before nucleus sampling, penalties over the
 * whole context, and none of llama.cpp's additional samplers.
 */
function sampling(
  request: CompletionRequest,
  model: ModelEntry,
  choice: number,
  unwanted: readonly number[],
): LlamaRequest {
  const biases = new Map<number, number | false>(
    Object.entries(request.logitBias ?? {}).map(([id, bias]) => [Number(id), bias]),
  );
  for (const id of unwanted) biases.set(id, false);
  const { topP, topK, minP, seed } = request;
  return {
    samplers: ['penalties', 'temperature', 'min_p', 'top_k', 'top_p'],
    temperature: topP === 0 ? 0 : (request.temperature ?? model.defaultTemperature),
    top_p: topP ?? model.defaultTopP,
    top_k: Math.min(topK ?? 0, MAX_INT32),
    min_p: minP ?? 0,
    seed: seed === null ? RANDOM_SEED : toSeed(seed, choice),
    presence_penalty: request.presencePenalty ?? 0,
    frequency_penalty: request.frequencyPenalty ?? 0,
    repeat_penalty: request.repetitionPenalty ?? 1,
    repeat_last_n: model.contextWindow,
    max_tokens: Math.min(request.maxTokens ?? -1, model.contextWindow),
    // The reader of the answer searches for stop sequences. llama.cpp would find them in tool calls and in thinking, too, and
    // loses the last letters of an answer at its limit if a sequence might begin with them.
    stop: [],
    ...(request.ignoreEnd && { ignore_eos: true }),
    ...(biases.size === 0 ? {} : { logit_bias: [...biases] }),
    cache_prompt: true,
    stream_options: { include_usage: true },
    // The first chunk then has the length of the prompt.
    timings_per_token: true,
  };
}

/** Maps any integer to 32 bits, other than {@link RANDOM_SEED}. Each choice gets another number, also beside a large seed. */
function toSeed(seed: number, choice: number): number {
  const bits = Number(BigInt.asUintN(32, BigInt(seed) + BigInt(choice)));
  return bits === RANDOM_SEED ? bits >>> 1 : bits;
}
