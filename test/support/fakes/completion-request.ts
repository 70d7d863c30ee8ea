import type { CompletionRequest } from '../../../src/shared/engine/completion-request.ts';
import { REQUEST_DEFAULTS } from '../../../src/shared/engine/request-defaults.ts';

/** A request with the user message `text` to `model`, and defaults for everything else. */
export function completionRequest(text: string, model = 'a'): CompletionRequest {
  return { ...REQUEST_DEFAULTS, model, messages: [{ role: 'user', content: text }] };
}
