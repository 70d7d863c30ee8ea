import type { FinishReason } from '../../shared/engine/completion-event.ts';
import { deltaIn } from './chunk-delta.ts';
import { errorIn, readError } from './chunk-error.ts';
import { saidIn, thinkingOf } from './chunk-text.ts';
import { fieldsOf, jsonOf, listOf, recordOf, textOf, type Fields } from '../../shared/json-values.ts';
import { chunkWords } from '../../shared/upstreams/chunk-words.ts';
import type { ServerSentEvent } from './read-server-sent-events.ts';

/** The parts of a streamed completion, in the order they arrive. */
export type CompletionPiece =
  /** `engine` is the response header `x-tabserve-engine`: where the model runs. */
  | { readonly type: 'begin'; readonly model: string; readonly engine: string | null }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  /** The last `length` characters of the text were thinking: the server marks only its end. */
  | { readonly type: 'was-thinking'; readonly length: number }
  /**
   * A piece of a tool call. The first piece of a call has its id and the name of the tool; in later pieces both may be
   * empty.
   */
  | {
      readonly type: 'tool-call';
      readonly index: number;
      readonly id: string;
      readonly name: string;
      readonly text: string;
    }
  /**
   * `isStuck`: the choice ended because the model repeated itself endlessly. `isFiltered`: a filter of the server ended
   * it.
   */
  | {
      readonly type: 'finish';
      readonly reason: FinishReason;
      readonly isStuck?: true;
      readonly isFiltered?: true;
    }
  | { readonly type: 'usage'; readonly promptTokens: number; readonly completionTokens: number };

export interface ReadChunk {
  /** Null if the chunk does not name its model. */
  readonly model: string | null;
  readonly pieces: readonly CompletionPiece[];
}

/** Most characters that are kept of chunks of unknown form. */
const MAX_UNKNOWN = 100_000;

/**
 * Reads the events of a stream. Upstream servers differ: chunks without `choices`, pings, thinking in several fields,
 * content in parts, calls without an index, messages instead of deltas. So no field is required; OpenAI's client checks
 * none.
 */
export class ChunkReader {
  #text = '';
  #hasOutput = false;
  #hasReason = false;
  #unknown = '';
  readonly #calls = new CallIndexes();

  /** The words of the chunks of unknown form, if no chunk had any output; otherwise empty. */
  get unknownWords(): string {
    return this.#hasOutput ? '' : this.#unknown.trim();
  }

  /**
   * Reads one event.
   * @returns Null if the data are not a chunk.
   * @throws ApiError if the event is an error.
   */
  read({ name, data }: ServerSentEvent): ReadChunk | null {
    const parsed = jsonOf(data);
    // One server wraps its error into a list.
    const chunk = fieldsOf(parsed) ?? fieldsOf(listOf(parsed)[0]);
    if (name === 'error') throw readError(chunk?.['error'] ?? chunk ?? data);
    if (chunk === null) {
      this.#keep(parsed === undefined ? data : chunkWords(parsed));
      return null;
    }
    const error = errorIn(chunk);
    if (error !== null) throw error;
    const pieces = [...this.#piecesOf(chunk), ...usageOf(chunk)];
    this.#hasOutput ||= pieces.some(({ type }) => type === 'text' || type === 'thinking' || type === 'tool-call');
    if (!pieces.some(({ type }) => type !== 'finish')) this.#keep(chunkWords(chunk));
    return { model: textOf(chunk['model']) || null, pieces };
  }

  #keep(words: string): void {
    if (!this.#hasOutput && this.#unknown.length < MAX_UNKNOWN) this.#unknown += words;
  }

  *#piecesOf(chunk: Fields): Generator<CompletionPiece, void, undefined> {
    const delta = deltaIn(chunk);
    if (delta === null) return;
    const { fields, repeats, reason } = delta;
    const thinking = thinkingOf(fields);
    const said = saidIn(fields);
    const before = repeats === 'no' ? undefined : this.#repeatedBy(said, repeats === 'yes');
    if (thinking !== '' && before === undefined) yield { type: 'thinking', text: thinking };
    const text = said.slice(before?.length ?? 0);
    this.#text += text;
    if (text !== '') yield { type: 'text', text };
    if (before === undefined) yield* callsOf(fields, this.#calls);
    // The first reason tells the most: some servers say how an answer ended, and then that it ended.
    if (reason === null || (this.#hasReason && reason === 'stop')) return;
    this.#hasReason = true;
    yield finishOf(reason, fieldsOf(listOf(chunk['choices'])[0])?.['stop_reason']);
  }

  /**
   * Returns the text so far if a message begins with it, often without the blanks around it; otherwise undefined.
   * @param isEnd Whether the message is the last one, which may have no more text than the ones before.
   */
  #repeatedBy(message: string, isEnd: boolean): string | undefined {
    if (this.#text.trim() === '' || (!isEnd && message.length <= this.#text.length)) return undefined;
    return [this.#text, this.#text.trimStart(), this.#text.trim()].find((text) => message.startsWith(text));
  }
}

/** Gives an index to the pieces of calls that have none: a call begins with a new id, or with a name. */
class CallIndexes {
  #last = -1;
  #lastId = '';

  of(index: unknown, id: string, name: string): number {
    if (typeof index === 'number') this.#last = index;
    else if (this.#last < 0 || (id === '' ? name !== '' : id !== this.#lastId)) this.#last += 1;
    if (id !== '') this.#lastId = id;
    return this.#last;
  }
}

function* callsOf(
  { tool_calls, function_call }: Fields,
  indexes: CallIndexes,
): Generator<CompletionPiece, void, undefined> {
  const calls = Array.isArray(tool_calls) ? tool_calls : tool_calls ? [tool_calls] : [];
  const older = function_call ? [{ function: function_call }] : [];
  for (const call of [...calls, ...older]) {
    const fields = recordOf(call);
    const called = fieldsOf(fields['function']) ?? fields;
    const [id, name] = [textOf(fields['id']), textOf(called['name'])];
    const values = called['arguments'];
    const text = typeof values === 'object' && values !== null ? JSON.stringify(values) : textOf(values);
    yield { type: 'tool-call', index: indexes.of(fields['index'], id, name), id, name, text };
  }
}

/** Reasons by which servers say that the answer has reached a limit of tokens. */
const LENGTH =
  /^(?:length|max_?(?:output_?|completion_?)?tokens|model_length|model_context_window_exceeded|token_limit)$/;
const CALLS = /^(?:tool_calls?|function_calls?|tool_use)$/;
/** Reasons by which servers say that a filter ended the answer. */
const FILTER =
  /content_?filter|safety|toxic|refusal|sensitive|blocked|blocklist|prohibited|recitation|spii|moderation|guardrail/;

function finishOf(said: string, stopReason: unknown): CompletionPiece {
  const name = said.toLowerCase();
  const reason = LENGTH.test(name) ? 'length' : CALLS.test(name) ? 'tool_calls' : 'stop';
  const isStuck = stopReason === 'repetition';
  return { type: 'finish', reason, ...(isStuck && { isStuck }), ...(FILTER.test(name) && { isFiltered: true }) };
}

/** Reads the counts of tokens, which some servers write into a field of their own or into the choice. */
function* usageOf(chunk: Fields): Generator<CompletionPiece, void, undefined> {
  const { choices, x_groq, response } = chunk;
  for (const holder of [chunk, listOf(choices)[0], x_groq, response]) {
    const { prompt_tokens, completion_tokens, input_tokens, output_tokens } = recordOf(recordOf(holder)['usage']);
    const [promptTokens, completionTokens] = [prompt_tokens ?? input_tokens, completion_tokens ?? output_tokens];
    if (typeof promptTokens !== 'number' || typeof completionTokens !== 'number') continue;
    return yield { type: 'usage', promptTokens, completionTokens };
  }
}
