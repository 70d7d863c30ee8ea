import { errorBody } from '../../shared/api-error.ts';
import type { DeltaEvent, FinishReason, TokenLogprob, Usage } from '../../shared/engine/completion-event.ts';
import { isWaiting, type CompletionEncoder, type CompletionIdentity } from './completion-encoder.ts';
import { logprobsObject, stuck, toolCallObject, usageObject } from './completion-objects.ts';

interface CollectedCall {
  id: string;
  name: string;
  arguments: string;
  readonly custom: boolean;
}

/** One choice of the answer, built from the deltas so far. */
interface CollectedChoice {
  content: string;
  reasoning: string;
  readonly calls: CollectedCall[];
  readonly logprobs: TokenLogprob[];
  finishReason: FinishReason;
  isStuck?: boolean | undefined;
}

export interface JsonOptions {
  readonly choices: number;
  readonly logprobs: boolean;
  /** Additional fields, which only stored completions have. Default: none. */
  readonly extraFields?: object;
}

/**
 * Encodes a chat completion as one JSON document. Until the document is complete, white space keeps the connection
 * open. An error after the response headers becomes an error object, while the status stays 200.
 */
export function createChatJsonEncoder(identity: CompletionIdentity, options: JsonOptions): CompletionEncoder {
  const choices = Array.from({ length: options.choices }, (): CollectedChoice => {
    return { content: '', reasoning: '', calls: [], logprobs: [], finishReason: 'stop' };
  });

  let { id, created } = identity;

  function document(usage: Usage): string {
    return JSON.stringify({
      id,
      object: 'chat.completion',
      created,
      model: identity.model,
      system_fingerprint: identity.system_fingerprint,
      choices: choices.map((choice, index) => ({
        index,
        message: messageObject(choice),
        logprobs: options.logprobs ? logprobsObject(choice.logprobs) : null,
        finish_reason: choice.finishReason,
        ...stuck(choice.isStuck),
      })),
      usage: usageObject(usage),
      ...options.extraFields,
    });
  }

  return {
    contentType: 'application/json',
    cacheControl: 'no-store',
    isBuffered: true,

    encode(event) {
      if (event.type === 'begun') ({ created, answerId: id = id } = event);
      if (isWaiting(event)) return '';
      if (event.type === 'done') return document(event.usage);
      const choice = choices[event.choice];
      if (choice === undefined)
        throw new RangeError(`The engine sent an event of choice ${event.choice} of ${choices.length}.`);
      if (event.type === 'delta') collect(choice, event);
      else ({ reason: choice.finishReason, isStuck: choice.isStuck } = event);
      return '';
    },

    keepAlive: () => '\n',
    encodeError: (error) => JSON.stringify(errorBody(error)),
  };
}

function collect(
  choice: CollectedChoice,
  { content = '', reasoning = '', toolCalls = [], logprobs = [] }: DeltaEvent,
): void {
  choice.content += content;
  choice.reasoning += reasoning;
  choice.logprobs.push(...logprobs);
  for (const { index, id = '', name = '', arguments: text, custom = false } of toolCalls) {
    const call = (choice.calls[index] ??= { id, name, arguments: '', custom });
    call.arguments += text;
  }
}

function messageObject({ content, reasoning, calls }: CollectedChoice): object {
  return {
    role: 'assistant',
    content: content === '' && calls.length > 0 ? null : content,
    refusal: null,
    annotations: [],
    ...(reasoning !== '' && { reasoning_content: reasoning }),
    ...(calls.length > 0 && { tool_calls: calls.map(toolCallObject) }),
  };
}
