import type { CompletionRequest } from '../../shared/engine/completion-request.ts';
import { REQUEST_DEFAULTS } from '../../shared/engine/request-defaults.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';
import { thinkingOf } from '../request/thinking-of.ts';
import type { FieldsOf } from '../request/read-fields.ts';
import type { ReadMessage } from '../request/read-messages.ts';
import { refuseOverlongMessages, refuseUnsupportedMedia } from '../request/to-completion-request.ts';
import type { PROMPT_FIELDS } from './response-fields.ts';
import { engineName } from './response-items.ts';

/**
 * Converts the checked fields that the prompt depends on to a request for the engine.
 * @throws ApiError if `model` cannot serve it.
 */
export function toPrompt(
  fields: FieldsOf<typeof PROMPT_FIELDS>,
  messages: readonly ReadMessage[],
  model: ModelEntry,
): CompletionRequest {
  refuseUnsupportedMedia(messages, model);
  if (fields.truncation === 'disabled') refuseOverlongMessages(messages, model, 'input');
  const { choice, allowed } = fields.tool_choice;
  const toEngine = (names: readonly string[] | null) =>
    fields.tools.tools.flatMap(({ namespace, ...tool }) =>
      (names?.includes(tool.name) ?? true) ? [{ ...tool, name: engineName(namespace, tool.name) }] : [],
    );
  // A choice names no group, so that it may mean a tool of each.
  const chosen = typeof choice === 'string' ? [] : toEngine([choice.name]);
  return {
    ...REQUEST_DEFAULTS,
    model: model.id,
    messages: messages.map(({ message }) => message),
    ...(fields.truncation === 'auto' && { truncation: 'auto' }),
    responseFormat: fields.text.format.requested,
    tools: choice === 'none' ? [] : chosen.length > 1 ? chosen : toEngine(allowed),
    toolChoice: typeof choice === 'string' ? choice : chosen.length > 1 ? 'required' : { name: chosen[0]!.name },
    parallelToolCalls: fields.parallel_tool_calls,
    thinking: thinkingOf(fields.reasoning.effort),
  };
}
