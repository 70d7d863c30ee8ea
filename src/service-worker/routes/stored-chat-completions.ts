import type { CompletionEvent } from '../../shared/engine/completion-event.ts';
import type { ChatMessage } from '../../shared/engine/completion-request.ts';
import type { AnswerSummary, StoredAnswer } from '../../shared/storage/stored-answer.ts';
import { respondWithStoredAnswer } from '../completion/completion-response.ts';
import { createChatJsonEncoder } from '../encoders/chat-json-encoder.ts';
import { toolCallObject } from '../encoders/completion-objects.ts';
import { REASONING_FORMATS, withReasoning, type ReasoningPlaces } from '../encoders/with-reasoning.ts';
import { nullIfMissing } from '../engine/stored-answers.ts';
import type { Exchange } from '../http/exchange.ts';
import { jsonResponse } from '../http/http-responses.ts';
import { listPage, readPageQuery } from '../http/pagination.ts';
import { readJsonBody } from '../http/read-json-body.ts';
import { metadata, object, required } from '../request/checks.ts';

/** The part of a stored answer that only a chat completion has. Plain data. */
export interface ChatDetail {
  readonly requestId: string;
  readonly systemFingerprint: string;
  /** Absent in answers that were stored before 2026-11-28. */
  readonly reasoning?: ReasoningPlaces;
  /** Of each message what the engine's request lacks. Absent in answers that were stored before 2026-11-30. */
  readonly sent?: readonly { readonly role: string; readonly name: string | null }[];
}

const KIND = 'chat.completion';

/** `GET /chat/completions/{id}`. Waits for the end of a running completion. */
export async function retrieveChatCompletion(exchange: Exchange, id: string): Promise<Response> {
  const answer = await exchange.answers.find(KIND, id);
  return respondWithStoredAnswer(exchange, answer, () => encoderOf(answer));
}

/** `GET /chat/completions`: lists the stored completions that succeeded, oldest first by default. */
export async function listChatCompletions(exchange: Exchange): Promise<Response> {
  const { answers, request } = exchange;
  const query = readPageQuery(request, 'asc');
  const model = query.all.get('model');
  const isWanted = ({ model: answered, metadata }: AnswerSummary) =>
    (model === null || answered === model) &&
    [...query.all].every(([name, value]) => {
      const key = /^metadata\[(.*)\]$/.exec(name)?.[1];
      return key === undefined || metadata[key] === value;
    });
  return jsonResponse(
    await listPage(query, await answers.list(KIND), async (listed) => {
      // It may have been deleted since it was listed.
      const answer = isWanted(listed) ? await nullIfMissing(answers.find(KIND, listed.id)) : null;
      const log = answer && (await answers.log(answer));
      return answer && log?.at(-1)?.type === 'done' ? completionObject(answer, log) : null;
    }),
  );
}

/** `POST /chat/completions/{id}`: replaces the metadata. Null removes them. */
export async function updateChatCompletion(exchange: Exchange, id: string): Promise<Response> {
  const { answers } = exchange;
  const answer = await answers.find(KIND, id);
  const body = object((await readJsonBody(exchange)).value, 'body', {});
  const given = body['metadata'] === null ? {} : body['metadata'];
  await answers.setMetadata(answer, required(metadata)(given, 'metadata', body));
  return retrieveChatCompletion(exchange, id);
}

/** `DELETE /chat/completions/{id}`. Ends a running completion. */
export async function deleteChatCompletion({ answers }: Exchange, id: string): Promise<Response> {
  await answers.delete(await answers.find(KIND, id));
  return jsonResponse({ object: 'chat.completion.deleted', id, deleted: true });
}

/** `GET /chat/completions/{id}/messages`: the messages of the request, without the answer. */
export async function listChatCompletionMessages({ answers, request }: Exchange, id: string): Promise<Response> {
  const query = readPageQuery(request, 'asc');
  const {
    request: { messages, answerPrefix },
    detail,
  } = await answers.find(KIND, id);
  const { sent = [] } = detail as ChatDetail;
  const beginning = answerPrefix ? [{ role: 'assistant', content: answerPrefix, toolCalls: [] } as const] : [];
  const listed = [...messages, ...beginning].map((message, index) => ({
    ...messageObject(message, `${id}-${index}`),
    ...sent[index],
  }));
  // Reversed because listPage() expects the newest entry first.
  return jsonResponse(await listPage(query, listed.toReversed(), (message) => message));
}

function encoderOf({ id, created, model, request, detail, metadata }: StoredAnswer) {
  // `POST /chat/completions` has stored this form, so the cast is safe.
  const { requestId, systemFingerprint, reasoning = REASONING_FORMATS.auto } = detail as ChatDetail;
  const { choices, logprobs } = request;
  const identity = { id, created, model, system_fingerprint: systemFingerprint };
  const extraFields = { request_id: requestId, metadata };
  return withReasoning(createChatJsonEncoder(identity, { choices, logprobs, extraFields }), reasoning);
}

function completionObject(answer: StoredAnswer, log: readonly CompletionEvent[]): { readonly id: string } {
  const encoder = encoderOf(answer);
  const texts = log.map((event) => (event.type === 'error' ? '' : encoder.encode(event)));
  return JSON.parse(texts.join('')) as { id: string };
}

/** Converts a message to `ChatCompletionStoreMessage` of the published OpenAPI description. */
function messageObject(message: ChatMessage, id: string) {
  const { role, content } = message;
  const isText = typeof content === 'string';
  return {
    id,
    role,
    content: isText ? content : null,
    content_parts: isText
      ? null
      : content.map((part) =>
          part.type === 'text' ? part : { type: 'image_url', image_url: { url: part.url, detail: 'auto' } },
        ),
    refusal: null,
    ...(role === 'assistant' && message.toolCalls.length > 0 && { tool_calls: message.toolCalls.map(toolCallObject) }),
    ...(role === 'tool' && { tool_call_id: message.toolCallId }),
  };
}
