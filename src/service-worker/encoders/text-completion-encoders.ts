import { errorBody } from '../../shared/api-error.ts';
import type { DeltaEvent, FinishReason, TokenLogprob } from '../../shared/engine/completion-event.ts';
import { isWaiting, type CompletionEncoder, type ReplyHeader } from './completion-encoder.ts';
import { usageObject } from './completion-objects.ts';
import { dataEvent, WaitingComments } from './server-sent-events.ts';

interface DocumentOptions {
  readonly prompts: number;
  /** Choices that were written for each prompt. */
  readonly choices: number;
  /** Choices of each prompt that are sent: the best ones. */
  readonly best: number;
  /** Whether the client wants to know how probable the tokens are. */
  readonly logprobs: boolean;
}

/** A choice as it grows. */
interface CollectedChoice {
  text: string;
  readonly tokens: TokenLogprob[];
  finishReason: FinishReason;
}

/** The answer to `POST /completions` as one JSON document. A failure after the head is the error envelope. */
export function createTextJsonEncoder(header: ReplyHeader, options: DocumentOptions): CompletionEncoder {
  const { prompts, choices: written, best, logprobs } = options;
  const collected = Array.from({ length: prompts * written }, (): CollectedChoice => {
    return { text: '', tokens: [], finishReason: 'stop' };
  });
  let { created } = header;

  function chosen(): CollectedChoice[] {
    if (best === written) return collected;
    return Array.from({ length: prompts }, (_, prompt) =>
      collected
        .slice(prompt * written, (prompt + 1) * written)
        .toSorted((a, b) => meanLogprob(b.tokens) - meanLogprob(a.tokens))
        .slice(0, best),
    ).flat();
  }

  return {
    contentType: 'application/json',
    cacheControl: 'no-store',
    sentWhole: true,

    encode(event) {
      if (event.type === 'begun') ({ created } = event);
      if (isWaiting(event)) return '';
      if (event.type === 'done') {
        const choices = chosen().map(({ text, tokens, finishReason }, index) => ({
          text,
          index,
          logprobs: logprobs ? legacyLogprobs(tokens, 0) : null,
          finish_reason: finishReason,
        }));
        return JSON.stringify({ ...textObject(header, created, choices), usage: usageObject(event.usage) });
      }
      const choice = collected[event.choice];
      if (choice === undefined)
        throw new RangeError(`The engine speaks of choice ${event.choice} of ${collected.length}.`);
      if (event.type === 'finish') choice.finishReason = event.reason;
      else {
        choice.text += event.content ?? '';
        choice.tokens.push(...(event.logprobs ?? []));
      }
      return '';
    },

    keepAlive: () => '\n',
    fail: (error) => JSON.stringify(errorBody(error)),
  };
}

/** The answer to `POST /completions` as Server-Sent Events, piece by piece, then `[DONE]`; or an error event and nothing after it. */
export function createTextStreamEncoder(
  header: ReplyHeader,
  { logprobs, includeUsage }: { logprobs: boolean; includeUsage: boolean },
): CompletionEncoder {
  const waiting = new WaitingComments();
  /** Characters of each choice that were sent. */
  const sent = new Map<number, number>();
  let { created } = header;

  function chunk(choices: readonly object[], usage: object | null): string {
    return dataEvent({ ...textObject(header, created, choices), ...(includeUsage ? { usage } : {}) });
  }

  function piece({ choice: index, content: text = '', logprobs: tokens = [] }: DeltaEvent): string {
    const offset = sent.get(index) ?? 0;
    sent.set(index, offset + characters(text));
    return chunk(
      [{ text, index, logprobs: logprobs ? legacyLogprobs(tokens, offset) : null, finish_reason: null }],
      null,
    );
  }

  return {
    contentType: 'text/event-stream; charset=utf-8',
    cacheControl: 'no-cache',
    sentWhole: false,

    encode(event) {
      if (event.type === 'begun') ({ created } = event);
      if (isWaiting(event)) return waiting.tell(event);
      waiting.end();
      switch (event.type) {
        case 'delta':
          return piece(event);
        case 'finish':
          return chunk([{ text: '', index: event.choice, logprobs: null, finish_reason: event.reason }], null);
        case 'done':
          return (includeUsage ? chunk([], usageObject(event.usage)) : '') + 'data: [DONE]\n\n';
      }
    },

    keepAlive: () => waiting.repeat(),
    fail: (error) => dataEvent(errorBody(error)),
  };
}

function textObject(
  { id, model, system_fingerprint }: ReplyHeader,
  created: number,
  choices: readonly object[],
): object {
  return { id, object: 'text_completion', created, model, system_fingerprint, choices };
}

/**
 * `logprobs` as this route has them: a list of each kind. The alternatives contain the token itself, so there may be one
 * more than were asked for. Offsets count characters (code points), as servers written in Python do.
 *
 * @param offset Characters of the choice before the first of these tokens.
 */
function legacyLogprobs(tokens: readonly TokenLogprob[], offset: number): object {
  const offsets: number[] = [];
  let end = offset;
  for (const { token } of tokens) {
    offsets.push(end);
    end += characters(token);
  }
  return {
    tokens: tokens.map(({ token }) => token),
    token_logprobs: tokens.map(({ logprob }) => logprob),
    top_logprobs: tokens.map((own) =>
      Object.fromEntries([...own.topLogprobs, own].map(({ token, logprob }) => [token, logprob])),
    ),
    text_offset: offsets,
  };
}

function characters(text: string): number {
  return [...text].length;
}

/** Of a choice without tokens it is minus infinity. */
function meanLogprob(tokens: readonly TokenLogprob[]): number {
  if (tokens.length === 0) return Number.NEGATIVE_INFINITY;
  return tokens.reduce((sum, { logprob }) => sum + logprob, 0) / tokens.length;
}
