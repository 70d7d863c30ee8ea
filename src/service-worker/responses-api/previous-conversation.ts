import { ApiError } from '../../shared/api-error.ts';
import { quote } from '../../shared/describe-value.ts';
import type { ChatMessage } from '../../shared/engine/completion-request.ts';
import type { StoredAnswer } from '../../shared/storage/stored-answer.ts';
import { nullIfMissing, type StoredAnswers } from '../engine/stored-answers.ts';
import { missing } from '../request/checks.ts';
import type { ReadMessage } from '../request/read-messages.ts';
import type { InputItem } from './read-input.ts';
import { responseIdOfItem, type ConversationItem } from './response-items.ts';
import { detailOf, RESPONSE_KIND, storedInput, storedOutput } from './stored-response.ts';
import { toMessages, type PreviousConversation } from './to-messages.ts';

/**
 * Returns the whole conversation of a request: its messages, and its input with references resolved.
 * @throws ApiError if an earlier response or a referenced item is not stored, or if there is no conversation.
 */
export async function readConversation(
  answers: StoredAnswers,
  fields: {
    readonly instructions: string | null;
    readonly previous_response_id: string | null;
    readonly input: readonly InputItem[];
  },
): Promise<{ readonly input: readonly ConversationItem[]; readonly messages: readonly ReadMessage[] }> {
  const previous = await previousConversation(answers, fields.previous_response_id);
  const input = await resolveReferences(answers, fields.input);
  const messages = toMessages(fields.instructions, previous, input);
  if (input.length === 0 && previous.messages.length === 0) throw missing('input');
  return { input, messages };
}

/**
 * Returns the conversation up to and including a response.
 * @param previousId Id of that response; null if the request continues none.
 * @throws ApiError `previous_response_not_found` if no such response is stored; `invalid_value` if it is in progress,
 * or if its engine died.
 */
async function previousConversation(answers: StoredAnswers, previousId: string | null): Promise<PreviousConversation> {
  if (previousId === null) return { messages: [], output: [] };
  const param = 'previous_response_id';
  const answer = await findResponse(answers, previousId);
  if (answer === null) {
    const sentence = `No stored response has the id ${quote(previousId)}: it was not stored, was deleted, or belongs to another key. Send the conversation itself in \`input\`.`;
    throw new ApiError('previous_response_not_found', sentence, { param });
  }
  const output = await storedOutput(answers, answer);
  if (output === null) {
    const sentence = `The response ${quote(previousId)} is still in progress, or was lost with the tab that made it. Continue it when it has ended.`;
    throw new ApiError('invalid_value', sentence, { param });
  }
  const { messages } = answer.request;
  const messagesBefore = detailOf(answer).settings['instructions'] === null ? messages : messages.slice(1);
  // An incomplete tool call is dropped: clients send no output for it, and without one the conversation would be
  // refused.
  const whole = output.filter(({ type, status }) => !type.endsWith('_call') || status === 'completed');
  return { messages: messagesBefore.map((message) => ({ message, media: mediaOf(message, param) })), output: whole };
}

/**
 * Replaces the item references of an input by the stored items.
 * @throws ApiError `invalid_value` for a reference to an unknown item.
 */
async function resolveReferences(
  answers: StoredAnswers,
  input: readonly InputItem[],
): Promise<readonly ConversationItem[]> {
  const items: ConversationItem[] = [];
  const known = new Map<string, readonly ConversationItem[]>();
  for (const [index, item] of input.entries()) {
    if (item.type !== 'item_reference') {
      items.push(item);
      continue;
    }
    const responseId = responseIdOfItem(item.id) ?? '';
    if (!known.has(responseId)) known.set(responseId, await itemsOf(answers, responseId));
    const found = known.get(responseId)!.find(({ id }) => id === item.id);
    if (found === undefined) {
      const param = `input[${index}].id`;
      const sentence = `\`${param}\`: no item ${quote(item.id)} is stored on this device. Send the item itself.`;
      throw new ApiError('invalid_value', sentence, { param });
    }
    items.push(found);
  }
  return items;
}

async function itemsOf(answers: StoredAnswers, responseId: string): Promise<readonly ConversationItem[]> {
  const answer = responseId === '' ? null : await findResponse(answers, responseId);
  if (answer === null) return [];
  return [...storedInput(answer), ...((await storedOutput(answers, answer)) ?? [])];
}

/** Finds a stored response; null if there is none with this id. */
function findResponse(answers: StoredAnswers, id: string): Promise<StoredAnswer | null> {
  return nullIfMissing(answers.find(RESPONSE_KIND, id));
}

/** Returns the images of an earlier message: the model of this request must support them too. */
function mediaOf({ content }: ChatMessage, param: string): ReadMessage['media'] {
  const parts = typeof content === 'string' ? [] : content;
  return parts.filter(({ type }) => type === 'image').map(({ type }) => ({ type, param }));
}
