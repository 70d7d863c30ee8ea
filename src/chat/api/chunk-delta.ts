import { fieldsOf, listOf, recordOf, textOf, type Fields } from '../../shared/json-values.ts';

/** What a chunk adds to an answer. */
export interface ChunkDelta {
  /** Fields of a delta in the form of chat completions. */
  readonly fields: Fields;
  /**
   * Whether the fields repeat what earlier chunks contained: `yes` for a whole message at the end, `maybe` for a message
   * before it, because some servers send all text so far in each, and others only what is new.
   */
  readonly repeats: 'no' | 'maybe' | 'yes';
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
  const reason = reasonIn(finish_reason);
  const own = fieldsOf(delta);
  const whole = fieldsOf(message);
  if (own !== null && (hasOutput(own) || (Object.keys(own).length > 0 && whole === null)))
    return { fields: own, repeats: 'no', reason };
  if (whole !== null) {
    const isEnd = reason !== null || chunk['object'] === 'chat.completion';
    return { fields: whole, repeats: isEnd ? 'yes' : 'maybe', reason };
  }
  return { fields: { content: text }, repeats: 'no', reason };
}

/** Returns a reason of an end; null if there is none, which some servers write as a word. */
function reasonIn(value: unknown): string | null {
  const reason = textOf(value);
  return /^(?:null|none)?$/i.test(reason) ? null : reason;
}

/** Whether a delta has more than its role and empty fields. */
function hasOutput(delta: Fields): boolean {
  return Object.entries(delta).some(
    ([name, value]) =>
      name !== 'role' && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0),
  );
}

function added(fields: Fields, reason: string | null = null): ChunkDelta {
  return { fields, repeats: 'no', reason };
}

function deltaOfOtherInterface(chunk: Fields): ChunkDelta | null {
  const { message, response, done, done_reason, candidates, delta, type } = chunk;
  const candidate = fieldsOf(listOf(candidates)[0]);
  if (candidate !== null) {
    const parts = listOf(fieldsOf(candidate['content'])?.['parts']).map((part) => {
      const { thought, text } = recordOf(part);
      return thought === true ? { thinking: text } : { text };
    });
    return added({ content: parts }, reasonIn(candidate['finishReason']));
  }
  if (typeof done === 'boolean' || typeof response === 'string' || fieldsOf(message) !== null) {
    const reason = done === true ? textOf(done_reason) || 'stop' : null;
    const { thinking } = chunk;
    return added(fieldsOf(message) ?? { content: response, thinking }, reason);
  }
  switch (type) {
    case 'content_block_delta': {
      const { text, thinking } = recordOf(delta);
      return added({ content: text, thinking });
    }
    case 'message_delta':
      return added({}, reasonIn(fieldsOf(delta)?.['stop_reason']));
    case 'message_start':
    case 'message_stop':
      return added({}, type === 'message_stop' ? 'stop' : null);
    case 'response.output_text.delta':
    case 'response.refusal.delta':
      return added({ content: delta });
    case 'response.reasoning_text.delta':
    case 'response.reasoning_summary_text.delta':
      return added({ reasoning: delta });
    case 'response.completed':
    case 'response.incomplete':
      return wholeResponse(recordOf(response));
    default: {
      const { message: inner, finish_reason, ...fields } = recordOf(delta);
      return fieldsOf(delta) === null ? null : added(fieldsOf(inner) ?? fields, reasonIn(finish_reason));
    }
  }
}

/** Reads the last event of the Responses API, which repeats the answer. */
function wholeResponse({ output, incomplete_details }: Fields): ChunkDelta {
  const items = listOf(output).map(recordOf);
  const content = items.flatMap((item) => listOf(item['content']));
  const reasoning = items.flatMap((item) => listOf(item['summary']));
  const { reason } = recordOf(incomplete_details);
  const ended = incomplete_details ? textOf(reason) || 'length' : 'stop';
  return { fields: { content, reasoning }, repeats: 'yes', reason: ended };
}
