import { errorBody } from '../../shared/api-error.ts';
import type { DeltaEvent, ToolCallDelta, Usage } from '../../shared/engine/completion-event.ts';
import { isWaiting, type CompletionEncoder, type CompletionIdentity } from './completion-encoder.ts';
import { logprobsObject, stuck, usageObject } from './completion-objects.ts';
import { dataEvent, WaitingComments } from './server-sent-events.ts';

export interface StreamOptions {
  readonly logprobs: boolean;
  readonly includeUsage: boolean;
}

/**
 * Encodes a chat completion as Server-Sent Events: for each choice a role chunk, deltas and a finish chunk; then the
 * usage chunk if requested, and `[DONE]`. An error event ends the stream without `[DONE]`.
 */
export function createChatStreamEncoder(identity: CompletionIdentity, options: StreamOptions): CompletionEncoder {
  const begun = new Set<number>();
  const waiting = new WaitingComments();
  let { id, created } = identity;

  function chunk(choices: readonly object[], usage: Usage | null = null): string {
    return dataEvent({
      id,
      object: 'chat.completion.chunk',
      created,
      model: identity.model,
      system_fingerprint: identity.system_fingerprint,
      choices,
      ...(options.includeUsage && { usage: usage && usageObject(usage) }),
    });
  }

  function piece(index: number, delta: object, logprobs: object | null = null): string {
    return chunk([{ index, delta, logprobs, finish_reason: null }]);
  }

  /**
   * Returns the chunk that names the role of a choice; empty from the second call for that choice on. `content` is null
   * if the choice begins with a tool call.
   */
  function opening(index: number, content: '' | null = ''): string {
    if (begun.has(index)) return '';
    begun.add(index);
    return piece(index, { role: 'assistant', content, refusal: null });
  }

  function pieces(event: DeltaEvent): string {
    const { choice, content, reasoning, toolCalls = [], logprobs = [] } = event;
    const delta = {
      ...(reasoning !== undefined && { reasoning_content: reasoning }),
      ...(content !== undefined && { content }),
    };
    const tokens = options.logprobs ? logprobsObject(logprobs) : null;
    const text = Object.keys(delta).length === 0 && logprobs.length === 0 ? '' : piece(choice, delta, tokens);
    return (
      text +
      toolCalls
        .flatMap(callDeltas)
        .map((call) => piece(choice, { tool_calls: [call] }))
        .join('')
    );
  }

  return {
    contentType: 'text/event-stream; charset=utf-8',
    cacheControl: 'no-cache',
    isBuffered: false,

    encode(event) {
      if (event.type === 'begun') ({ created, answerId: id = id } = event);
      if (isWaiting(event)) return waiting.encode(event);
      waiting.reset();
      switch (event.type) {
        case 'delta':
          return opening(event.choice, event.toolCalls && event.content === undefined ? null : '') + pieces(event);
        case 'finish': {
          const end = {
            index: event.choice,
            delta: {},
            logprobs: null,
            finish_reason: event.reason,
            ...stuck(event.isStuck),
          };
          return opening(event.choice) + chunk([end]);
        }
        case 'done':
          return (options.includeUsage ? chunk([], event.usage) : '') + 'data: [DONE]\n\n';
      }
    },

    keepAlive: () => waiting.repeat(),
    encodeError: (error) => dataEvent(errorBody(error)),
  };
}

/**
 * Converts a piece of a tool call to deltas of the API. The first delta has the id, type and name, without arguments;
 * the deltas after it have the arguments.
 */
function callDeltas({ index, id, name, arguments: text, custom }: ToolCallDelta): object[] {
  const first = custom
    ? { index, id, type: 'custom', custom: { name, input: '' } }
    : { index, id, type: 'function', function: { name, arguments: '' } };
  const further = custom ? { index, custom: { input: text } } : { index, function: { arguments: text } };
  return [...(id === undefined ? [] : [first]), ...(text === '' ? [] : [further])];
}
