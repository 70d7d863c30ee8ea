import { errorBody } from '../../shared/api-error.ts';
import type { DeltaEvent, FinishReason, TokenLogprob, TopLogprob } from '../../shared/engine/completion-event.ts';
import { isWaiting, type CompletionEncoder, type CompletionIdentity } from './completion-encoder.ts';
import { usageObject } from './completion-objects.ts';
import { dataEvent, WaitingComments } from './server-sent-events.ts';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

interface DocumentOptions {
  readonly prompts: number;
  /** Choices generated for each prompt. */
  readonly choices: number;
  /** Choices returned for each prompt: those with the highest mean log probability. */
  readonly best: number;
  readonly logprobs: boolean;
}

/** One choice of the answer, built from the deltas so far. */
interface CollectedChoice {
  text: string;
  readonly tokens: TokenLogprob[];
  finishReason: FinishReason;
}

/**
 * Encodes the answer to `POST /completions` as one JSON document. An error after the response headers becomes an error
 * object.
 */
export function createTextJsonEncoder(identity: CompletionIdentity, options: DocumentOptions): CompletionEncoder {
  const { prompts, choices: written, best, logprobs } = options;
  const collected = Array.from({ length: prompts * written }, (): CollectedChoice => {
    return { text: '', tokens: [], finishReason: 'stop' };
  });
  let { created } = identity;

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
    isBuffered: true,

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
        return JSON.stringify({ ...textObject(identity, created, choices), usage: usageObject(event.usage) });
      }
      const choice = collected[event.choice];
      if (choice === undefined)
        throw new RangeError(`The engine sent an event of choice ${event.choice} of ${collected.length}.`);
      if (event.type === 'finish') choice.finishReason = event.reason;
      else {
        choice.text += event.content ?? '';
        choice.tokens.push(...(event.logprobs ?? []));
      }
      return '';
    },

    keepAlive: () => '\n',
    encodeError: (error) => JSON.stringify(errorBody(error)),
  };
}

/** Encodes the answer to `POST /completions` as Server-Sent Events. The last one is `[DONE]` or an error. */
export function createTextStreamEncoder(
  identity: CompletionIdentity,
  { logprobs, includeUsage }: { logprobs: boolean; includeUsage: boolean },
): CompletionEncoder {
  const waiting = new WaitingComments();
  /** Code points sent so far, by choice. */
  const sent = new Map<number, number>();
  let { created } = identity;

  function chunk(choices: readonly object[], usage: object | null): string {
    return dataEvent({ ...textObject(identity, created, choices), ...(includeUsage && { usage }) });
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
    isBuffered: false,

    encode(event) {
      if (event.type === 'begun') ({ created } = event);
      if (isWaiting(event)) return waiting.encode(event);
      waiting.reset();
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
    encodeError: (error) => dataEvent(errorBody(error)),
  };
}

function textObject(
  { id, model, system_fingerprint }: CompletionIdentity,
  created: number,
  choices: readonly object[],
): object {
  return { id, object: 'text_completion', created, model, system_fingerprint, choices };
}

/**
 * Returns log probabilities in the form of `POST /completions`: parallel arrays. `top_logprobs` includes the sampled
 * token, so it may have one entry more than requested. Offsets count code points, as in the OpenAI API, whose servers
 * are written in Python.
 *
 * @param offset Number of code points of the choice before the first token.
 */
function legacyLogprobs(tokens: readonly TokenLogprob[], offset: number): object {
  const offsets: number[] = [];
  let end = offset;
  for (const { bytes } of tokens) {
    offsets.push(end);
    end += bytes.filter(beginsCharacter).length;
  }
  return {
    tokens: tokens.map(legacyToken),
    token_logprobs: tokens.map(({ logprob }) => logprob),
    top_logprobs: tokens.map((own) =>
      Object.fromEntries([...own.topLogprobs, own].map((top) => [legacyToken(top), top.logprob])),
    ),
    text_offset: offsets,
  };
}

/** Returns the text of a token. A token that ends inside a character is written as `bytes:\xf0\x9f` on this route. */
function legacyToken({ token, bytes }: TopLogprob): string {
  const escapes = () => bytes.map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
  return decoder.decode(Uint8Array.from(bytes)) === token ? token : `bytes:${escapes()}`;
}

/** Whether a byte of UTF-8 is the first of a character. */
function beginsCharacter(byte: number): boolean {
  return (byte & 0b1100_0000) !== 0b1000_0000;
}

function characters(text: string): number {
  return [...text].length;
}

/** Returns the mean log probability of a choice's tokens; minus infinity for a choice without tokens. */
function meanLogprob(tokens: readonly TokenLogprob[]): number {
  if (tokens.length === 0) return Number.NEGATIVE_INFINITY;
  return tokens.reduce((sum, { logprob }) => sum + logprob, 0) / tokens.length;
}
