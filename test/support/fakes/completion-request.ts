import { UNSPECIFIED_REQUEST, type CompletionRequest } from '../../../src/shared/engine/completion-request.ts';

/** A request that says `text` to `model` and leaves everything else to the defaults. */
export function completionRequest(text: string, model = 'a'): CompletionRequest {
  return { ...UNSPECIFIED_REQUEST, model, messages: [{ role: 'user', content: text }] };
}
