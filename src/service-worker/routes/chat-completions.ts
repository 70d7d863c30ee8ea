import { respondWithCompletion, completionIdentity } from '../completion/completion-response.ts';
import { createChatJsonEncoder } from '../encoders/chat-json-encoder.ts';
import { createChatStreamEncoder } from '../encoders/chat-stream-encoder.ts';
import { NO_REASONING, withReasoning } from '../encoders/with-reasoning.ts';
import type { Exchange } from '../http/exchange.ts';
import { readJsonBody } from '../http/read-json-body.ts';
import { CHAT_COMPLETION_FIELDS } from '../request/chat-completion-fields.ts';
import { readFields } from '../request/read-fields.ts';
import { readStreamHeaders } from '../request/read-stream-headers.ts';
import { toCompletionRequest } from '../request/to-completion-request.ts';
import type { ChatDetail } from './stored-chat-completions.ts';

/** Handles `POST /chat/completions`. */
export async function createChatCompletion(exchange: Exchange): Promise<Response> {
  const stream = readStreamHeaders(exchange.request);
  const { value, text } = await readJsonBody(exchange);
  const fields = readFields(CHAT_COMPLETION_FIELDS, value);
  const model = await exchange.models.find(fields.model, false);
  exchange.observer?.modelNamed(model.id);
  const completion = toCompletionRequest(fields, model);

  const identity = await completionIdentity('chatcmpl-', model, exchange, stream);
  const { choices, logprobs } = completion;
  const reasoning = fields.include_reasoning ? fields.reasoning_format : NO_REASONING;
  const createPlainEncoder = () => {
    if (!fields.stream) return createChatJsonEncoder(identity, { choices, logprobs });
    const { includeUsage } = fields.stream_options ?? { includeUsage: false };
    return createChatStreamEncoder(identity, { logprobs, includeUsage });
  };
  const createEncoder = () => withReasoning(createPlainEncoder(), reasoning);
  const { id, system_fingerprint: systemFingerprint } = identity;
  // The fields' check has passed, so the cast is safe.
  const { messages } = value as { readonly messages: readonly { readonly role: string; readonly name?: string }[] };
  const sent = messages.map(({ role, name = null }) => ({ role, name }));
  const detail: ChatDetail = { requestId: exchange.requestId, systemFingerprint, reasoning, sent };
  const stored = fields.store ? ({ kind: 'chat.completion', id, metadata: fields.metadata, detail } as const) : null;
  return respondWithCompletion(exchange, { completion, text, stream, stored, createEncoder });
}
