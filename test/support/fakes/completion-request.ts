import { UNSPECIFIED_REQUEST, type CompletionRequest } from '../../../src/shared/engine/completion-request.ts';

/** A request with the user message `text` to `model`, and defaults for everything else. */
export function completionRequest(text: string, model = 'a'): CompletionRequest {
  return { ...UNSPECIFIED_REQUEST, model, messages: [{ role: 'user', content: text }] };
}
