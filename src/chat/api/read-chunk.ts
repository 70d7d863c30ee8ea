import { ApiError, type ApiErrorData } from '../../shared/api-error.ts';
import type { FinishReason } from '../../shared/engine/completion-event.ts';
import { endpointStrings } from '../strings/app-strings.ts';

/** The parts of a streamed completion, in the order they arrive. */
export type CompletionPiece =
  /** `engine` is the response header `x-tabserve-engine`: where the model runs. */
  | { readonly type: 'begin'; readonly model: string; readonly engine: string | null }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
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
  /** `isStuck`: the choice ended because the model repeated itself endlessly. */
  | { readonly type: 'finish'; readonly reason: FinishReason; readonly isStuck?: true }
  | { readonly type: 'usage'; readonly promptTokens: number; readonly completionTokens: number };

type Fields = Readonly<Record<string, unknown>>;

export interface ReadChunk {
  /** Null if the chunk does not name its model. */
  readonly model: string | null;
  readonly pieces: readonly CompletionPiece[];
}

/**
 * Reads the data of one event of a stream. Upstream servers differ: chunks without `choices`, pings, thinking in
 * several fields, content in parts, calls without an index. So no field is required; OpenAI's client checks none.
 * @returns Null if the data are not a chunk.
 * @throws ApiError if the event is an error.
 */
export function readChunk(data: string): ReadChunk | null {
  const chunk = fieldsOf(parse(data));
  if (chunk === null) return null;
  const error = chunk['object'] === 'error' ? chunk : chunk['error'];
  if (error) throw readError(error);
  const { model, choices, usage } = chunk;
  return {
    model: typeof model === 'string' && model !== '' ? model : null,
    pieces: [...piecesOf(fieldsOf(listOf(choices)[0])), ...usageOf(fieldsOf(usage))],
  };
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    // The data are a ping, or a comment of a proxy.
    return null;
  }
}

function* piecesOf(choice: Fields | null): Generator<CompletionPiece, void, undefined> {
  const delta = fieldsOf(choice?.['delta']);
  if (delta !== null) {
    const thinking = thinkingOf(delta);
    if (thinking !== '') yield { type: 'thinking', text: thinking };
    const text = textOf(delta['content'], 'text');
    if (text !== '') yield { type: 'text', text };
    for (const [place, call] of listOf(delta['tool_calls']).entries()) {
      const { index, id, function: called } = fieldsOf(call) ?? {};
      const { name, arguments: values } = fieldsOf(called) ?? {};
      const text = typeof values === 'object' && values !== null ? JSON.stringify(values) : words(values);
      yield {
        type: 'tool-call',
        index: typeof index === 'number' ? index : place,
        id: words(id),
        name: words(name),
        text,
      };
    }
  }
  const reason = choice?.['finish_reason'];
  if (typeof reason !== 'string' || reason === '') return;
  const isStuck = choice?.['stop_reason'] === 'repetition';
  yield { type: 'finish', reason: reasonOf(reason.toLowerCase()), ...(isStuck && { isStuck }) };
}

/** Returns the thinking in a delta. Some servers repeat it under several names, so only the first field is used. */
function thinkingOf(delta: Fields): string {
  const { reasoning_content, reasoning, reasoning_text, thinking, reasoning_details, content } = delta;
  for (const found of [reasoning_content, reasoning, reasoning_text, thinking])
    if (typeof found === 'string' && found !== '') return found;
  return textOf(reasoning_details, 'text') + textOf(content, 'thinking');
}

/**
 * Returns the text of a string or of a list of parts. `kind` selects the parts: those with text or those with thinking.
 */
function textOf(content: unknown, kind: 'text' | 'thinking'): string {
  if (typeof content === 'string') return kind === 'text' ? content : '';
  return listOf(content)
    .map((part) => {
      const fields = fieldsOf(part);
      const found = fields?.[kind];
      // Thinking may itself be a list of parts.
      return typeof found === 'string' ? found : kind === 'thinking' ? textOf(found, 'text') : '';
    })
    .join('');
}

function reasonOf(reason: string): FinishReason {
  if (reason === 'length' || reason === 'max_tokens') return 'length';
  return reason === 'tool_calls' || reason === 'function_call' || reason === 'tool_use' ? 'tool_calls' : 'stop';
}

function* usageOf(usage: Fields | null): Generator<CompletionPiece, void, undefined> {
  const { prompt_tokens: promptTokens, completion_tokens: completionTokens } = usage ?? {};
  if (typeof promptTokens === 'number' && typeof completionTokens === 'number')
    yield { type: 'usage', promptTokens, completionTokens };
}

function readError(error: unknown): ApiError {
  const { code, message, param } = fieldsOf(error) ?? { message: error };
  const data = {
    code: typeof code === 'string' ? code : '',
    message: words(message) || endpointStrings.brokeOff,
    param: typeof param === 'string' ? param : null,
  };
  const known = ApiError.fromData(data as ApiErrorData);
  // An unknown code is that of an upstream server. As `internal_error` the user would read that this page failed.
  return known.code === 'internal_error' && code !== 'internal_error'
    ? new ApiError('upstream_failed', data.message)
    : known;
}

function fieldsOf(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function words(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
