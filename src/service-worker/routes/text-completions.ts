import { respondWithCompletion, completionIdentity } from '../completion/completion-response.ts';
import { createTextJsonEncoder, createTextStreamEncoder } from '../encoders/text-completion-encoders.ts';
import type { Exchange } from '../http/exchange.ts';
import { readJsonBody } from '../http/read-json-body.ts';
import { readFields } from '../request/read-fields.ts';
import { readStreamHeaders } from '../request/read-stream-headers.ts';
import { TEXT_COMPLETION_FIELDS } from '../request/text-completion-fields.ts';
import { toTextCompletionRequest } from '../request/to-text-completion-request.ts';

/** `POST /completions`: continues prompts without a chat template. */
export async function createTextCompletion(exchange: Exchange): Promise<Response> {
  const stream = readStreamHeaders(exchange.request);
  const { value, text } = await readJsonBody(exchange);
  const fields = readFields(TEXT_COMPLETION_FIELDS, value);
  const model = await exchange.models.find(fields.model, false);
  exchange.observer?.modelNamed(model.id);
  const completion = toTextCompletionRequest(fields, model);

  const identity = await completionIdentity('cmpl-', model, exchange, stream);
  const logprobs = fields.logprobs !== null;
  const createEncoder = () => {
    if (fields.stream) {
      return createTextStreamEncoder(identity, {
        logprobs,
        includeUsage: fields.stream_options?.includeUsage ?? false,
      });
    }
    const { choices } = completion;
    return createTextJsonEncoder(identity, { prompts: fields.prompt.length, choices, best: fields.n, logprobs });
  };
  return respondWithCompletion(exchange, { completion, text, stream, stored: null, createEncoder });
}
