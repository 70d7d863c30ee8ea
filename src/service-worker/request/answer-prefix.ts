import { ApiError } from '../../shared/api-error.ts';
import type { CompletionRequest } from '../../shared/engine/completion-request.ts';
import { invalid, isAbsent, type JsonObject } from './checks.ts';
import type { ReadMessage } from './read-messages.ts';

/** Fields of a message by which clients say that the answer continues it: Mistral's and DeepSeek's, and Moonshot's. */
const MARKS = ['prefix', 'partial'] as const;

/**
 * Marks the last message as the beginning of the answer, if the message or the request (vLLM's `continue_final_message`)
 * says so.
 * @param given The messages of the request.
 * @throws ApiError `invalid_value` if the marked message is not a text of the assistant at the end of a conversation.
 */
export function markPrefix(
  read: readonly ReadMessage[],
  given: readonly unknown[],
  param: string,
  body: JsonObject,
): readonly ReadMessage[] {
  const end = given.length - 1;
  let place = body.continue_final_message === true ? 'continue_final_message' : null;
  for (const [index, message] of (given as readonly JsonObject[]).entries()) {
    for (const mark of MARKS) {
      const path = `${param}[${index}].${mark}`;
      const value = message[mark];
      if (!isAbsent(value) && typeof value !== 'boolean') throw invalid('invalid_type', path, 'true or false', value);
      if (value !== true) continue;
      if (index !== end) throw refusal(path, 'only the last message can be the beginning of the answer');
      place ??= path;
    }
  }
  if (place === null) return read;
  const last = read.at(-1)!;
  if (last.message.role !== 'assistant') throw refusal(place, 'the last message must be one of the assistant');
  return beginAnswer(read, place);
}

/**
 * Returns the messages with the last one, which is of the assistant, as the beginning of the answer.
 * @param place Path of the field that says so, for errors.
 * @throws ApiError `invalid_value` if it has tool calls, or no message is before it.
 */
export function beginAnswer(messages: readonly ReadMessage[], place: string): readonly ReadMessage[] {
  const last = messages.at(-1)!;
  if (last.message.role === 'assistant' && last.message.toolCalls.length > 0) {
    throw refusal(place, 'a message with tool calls cannot be continued');
  }
  if (messages.length === 1) throw refusal(place, 'the beginning of the answer needs a message before it');
  return [...messages.slice(0, -1), { ...last, beginsAnswer: true }];
}

/** Returns the conversation and the beginning of the answer, which may be its last message. */
export function splitPrefix(messages: readonly ReadMessage[]): Pick<CompletionRequest, 'messages' | 'answerPrefix'> {
  const last = messages.at(-1);
  const prefix = last?.beginsAnswer ? last.message.content : '';
  const conversation = last?.beginsAnswer ? messages.slice(0, -1) : messages;
  return {
    messages: conversation.map(({ message }) => message),
    answerPrefix: typeof prefix === 'string' ? prefix : '',
  };
}

function refusal(param: string, sentence: string): ApiError {
  return new ApiError('invalid_value', `\`${param}\`: ${sentence}.`, { param });
}
