import { fieldsOf, listOf, recordOf, textOf, type Fields } from './json-values.ts';

/** What a chunk adds to an answer. */
export interface ChunkDelta {
  /** Fields of a delta in the form of chat completions. */
  readonly fields: Fields;
  /** Whether the fields are those of a whole message, which may repeat what earlier chunks contained. */
  readonly isWhole: boolean;
  /** Why the answer has ended, in the server's words; null if it goes on. */
  readonly reason: string | null;
}

/**
 * Finds the delta in a chunk. Servers send it in `delta`, `message` or `text` of a choice; those of other interfaces
 * send a `message` or `response` without choices, `candidates`, or events with a type.
 * @returns Null if the chunk is of none of these forms.
 */
export function deltaIn(chunk: Fields): ChunkDelta | null {
  const choice = fieldsOf(listOf(chunk['choices'])[0]);
  return choice === null ? deltaOfOtherInterface(chunk) : deltaOfChoice(choice, chunk);
}

function deltaOfChoice(choice: Fields, chunk: Fields): ChunkDelta {
  const { delta, message, text, finish_reason } = choice;
  const reason = textOf(finish_reason) || null;
  const own = fieldsOf(delta);
  const whole = fieldsOf(message);
  if (own !== null && (hasOutput(own) || (Object.keys(own).length > 0 && whole === null)))
    return { fields: own, isWhole: false, reason };
  if (whole !== null)
    return { fields: whole, isWhole: reason !== null || chunk['object'] === 'chat.completion', reason };
  return { fields: { content: text }, isWhole: false, reason };
}

/** Whether a delta has more than its role and empty fields. */
function hasOutput(delta: Fields): boolean {
  return Object.entries(delta).some(
    ([name, value]) =>
      name !== 'role' && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0),
  );
}

function deltaOfOtherInterface(chunk: Fields): ChunkDelta | null {
  const { message, response, done, done_reason, candidates, delta, type } = chunk;
  const candidate = fieldsOf(listOf(candidates)[0]);
  if (candidate !== null) {
    const parts = listOf(fieldsOf(candidate['content'])?.['parts']).map((part) => {
      const { thought, text } = recordOf(part);
      return thought === true ? { thinking: text } : { text };
    });
    return { fields: { content: parts }, isWhole: false, reason: textOf(candidate['finishReason']) || null };
  }
  if (typeof done === 'boolean' || fieldsOf(message) !== null) {
    const reason = done === true ? textOf(done_reason) || 'stop' : null;
    const { thinking } = chunk;
    return { fields: fieldsOf(message) ?? { content: response, thinking }, isWhole: false, reason };
  }
  switch (type) {
    case 'content_block_delta': {
      const { text, thinking } = recordOf(delta);
      return { fields: { content: text, thinking }, isWhole: false, reason: null };
    }
    case 'message_delta':
      return { fields: {}, isWhole: false, reason: textOf(fieldsOf(delta)?.['stop_reason']) || null };
    case 'message_start':
    case 'message_stop':
      return { fields: {}, isWhole: false, reason: type === 'message_stop' ? 'stop' : null };
    case 'response.output_text.delta':
    case 'response.refusal.delta':
      return { fields: { content: delta }, isWhole: false, reason: null };
    case 'response.reasoning_text.delta':
    case 'response.reasoning_summary_text.delta':
      return { fields: { reasoning: delta }, isWhole: false, reason: null };
    case 'response.completed':
      return { fields: {}, isWhole: false, reason: 'stop' };
    case 'response.incomplete':
      return { fields: {}, isWhole: false, reason: 'length' };
    default:
      return fieldsOf(delta) === null ? null : { fields: fieldsOf(delta)!, isWhole: false, reason: null };
  }
}
