import { ApiError, errorBody } from '../../shared/api-error.ts';
import { BodyEventParser, type BodyForm } from '../../shared/http/body-event-parser.ts';
import { withTimeout } from '../../shared/timeout.ts';
import type { Upstream } from '../../shared/upstreams/upstream.ts';
import { dataEvent, namedEvent } from '../encoders/server-sent-events.ts';
import { isRefusal, readUpstreamError } from './upstream-error.ts';
import { MAX_LENGTH, upstreamTexts } from './upstream-texts.ts';

export interface UpstreamBodyOptions {
  readonly isStream: boolean;
  /** Number of answers that the client has asked for. */
  readonly choices: number;
  readonly path: string;
  readonly upstream: Upstream;
  /** Milliseconds between keep-alive texts until the upstream responds. */
  readonly interval: number;
}

/** Most characters of an answer of unknown form that its error quotes. */
const MAX_EXCERPT = 500;

/** Matches the last event of a stream. Some servers leave the connection open after it. */
const LAST = /^data: ?\[DONE\]|^data:.*"type"\s*:\s*"(message_stop|response\.(completed|failed|incomplete))"/m;

/** Matches other events with which a stream may be complete. */
const END =
  /^(event: ?error|data: ?\{"(error|errors|detail)"\s*:(?!\s*(?:null|false))|data:.*("object"\s*:\s*"error"|"type"\s*:\s*"error"|"done"\s*:\s*true))/m;

/** Matches one of several JSON documents, each of which has a part of the answer. One with a message may lack a reason. */
const PART = /"(?:delta|done)"\s*:|^(?!.*"message"\s*:).*"finish_reason"\s*:\s*null/;

/** Matches an event with a finish reason. Some servers omit `[DONE]`; then those of all choices are the end. */
const FINISH = /^data:.*"finish_?[rR]eason"\s*:\s*"(?!(?:null|none)")[^"]/im;

/**
 * Yields the response body of an upstream. For a stream, it yields only complete events, so that an error event can
 * follow after any of them.
 * @returns the error that was yielded as the end of the body; null if the response is complete.
 * @throws if a JSON document breaks off after its beginning was yielded.
 */
export async function* encodeUpstreamBody(
  upstreamResponse: Promise<Response>,
  { isStream, choices, path, upstream, interval }: UpstreamBodyOptions,
): AsyncGenerator<string, ApiError | null> {
  let [hasStarted, events] = [false, 0];
  const encodeError = (body: { readonly error: object }) => {
    if (!isStream) return JSON.stringify(body);
    if (path !== '/responses') return dataEvent(body);
    const event = { ...body.error, ...body, type: 'error', sequence_number: events };
    return namedEvent(event);
  };
  try {
    let response: Response | null = null;
    while ((response = await withTimeout(interval, upstreamResponse, null)) === null)
      yield isStream ? ': keep-alive\n\n' : '\n';
    if (isRefusal(response)) {
      const error = await readUpstreamError(response, upstream);
      yield encodeError({ error });
      return new ApiError('upstream_failed', String(error.message));
    }
    for await (const text of isStream ? eventsOf(response, choices, upstream) : documentOf(response, upstream)) {
      hasStarted ||= text.trim() !== '';
      events += text.split('\n\n').length - 1;
      yield text;
    }
    if (!isStream && !hasStarted) throw cutOff(upstream);
    return null;
  } catch (thrown) {
    if (hasStarted && !isStream) throw thrown;
    const error = thrown instanceof ApiError ? thrown : cutOff(upstream, thrown);
    yield encodeError(errorBody(error));
    return error;
  }
}

/**
 * Yields complete events. JSON, which some servers send although they were asked for a stream, becomes events, too.
 * @throws ApiError `upstream_failed` if the stream ends without its last event, or if it is neither events nor JSON.
 */
async function* eventsOf(response: Response, choices: number, upstream: Upstream): AsyncGenerator<string> {
  const parser = new BodyEventParser();
  const finished = new Set<unknown>();
  const isEnd = (block: string) => {
    const isWhole = LAST.test(block) || END.test(block);
    if (!FINISH.test(block)) return isWhole;
    for (const index of finishedChoices(block)) finished.add(index);
    return finished.size >= choices || isWhole;
  };
  let [hasEnded, isOver] = [false, false];
  const isDocument = (block: string) => parser.form === 'json' && parseBlock(block) !== undefined;
  const note = (blocks: readonly string[]) => {
    for (const block of blocks) hasEnded = isEnd(block) || (!PART.test(block) && isDocument(block)) || hasEnded;
  };
  try {
    for await (const text of upstreamTexts(response, upstream, () => isOver)) {
      const blocks = parser.push(text).map(repaired);
      if (parser.restLength > MAX_LENGTH) throw eventTooLong(upstream);
      if (blocks.length === 0) continue;
      note(blocks);
      yield encodeBlocks(blocks, parser.form);
      isOver ||= blocks.some((block) => LAST.test(block));
    }
  } catch (thrown) {
    // How the connection ends after the whole answer does not matter.
    if (!hasEnded) throw thrown;
  }
  const rest = parser.end().map((block) => repaired(block.trimEnd()));
  if (parser.form === 'text') throw unknownForm(upstream, rest.join('\n'));
  note(rest);
  // An incomplete event must not be forwarded, because its data could not be parsed.
  if (rest.some((block) => isEnd(block) || isDocument(block))) yield encodeBlocks(rest, parser.form);
  if (!hasEnded) throw cutOff(upstream);
  if (parser.form === 'json') yield 'data: [DONE]\n\n';
}

/**
 * Yields a JSON document as it arrives.
 * @throws ApiError `upstream_failed` if the body is something else, such as a page or the events of a stream.
 */
async function* documentOf(response: Response, upstream: Upstream): AsyncGenerator<string> {
  let hasBegun = false;
  for await (const text of upstreamTexts(response, upstream)) {
    if (!hasBegun && /^\s*[^\s[{]/.test(text)) throw unknownForm(upstream, text.trim());
    hasBegun ||= text.trim() !== '';
    yield text;
  }
}

/**
 * Repairs events that clients could not read: proxies that write `data:` twice, and older versions of llama-server, which
 * write an error into a field of its own.
 */
function repaired(block: string): string {
  return block.replace(/^(?:data: ?){2,}/gm, 'data: ').replace(/^error: ?(\{.*\})$/m, 'data: {"error":$1}');
}

/** Returns the indices of the choices that a chunk ends; 0 if it is of another form, none if it is incomplete. */
function finishedChoices(block: string): unknown[] {
  const chunk = parseBlock(block) as { readonly choices?: readonly FinishedChoice[] } | null | undefined;
  if (chunk === undefined) return [];
  if (!Array.isArray(chunk?.choices)) return [0];
  return chunk.choices.filter((choice) => choice?.finish_reason).map(({ index = 0 }) => index);
}

function encodeBlocks(blocks: readonly string[], form: BodyForm | null): string {
  return blocks.map((block) => `${form === 'json' ? asChunk(block) : block}\n\n`).join('');
}

/** Returns the JSON value of an event; undefined if its data are not JSON. */
function parseBlock(block: string): unknown {
  const lines = block.split('\n').filter((line) => line.startsWith('data:'));
  try {
    return JSON.parse(lines.map((line) => line.slice('data:'.length)).join('\n'));
  } catch {
    return undefined;
  }
}

interface FinishedChoice {
  readonly index?: number;
  readonly finish_reason?: string | null;
}

interface WholeChoice {
  readonly message?: { readonly tool_calls?: readonly object[] } | null;
}

/** Turns the event of a whole JSON answer into one of a chunk, as clients expect it in a stream. */
function asChunk(block: string): string {
  try {
    const answer = JSON.parse(block.slice('data: '.length)) as { choices?: readonly WholeChoice[] };
    // Chunks of text completions have the form of the answer.
    if (!answer.choices?.some((choice) => choice.message)) return block;
    const choices = answer.choices.map(withDelta);
    return `data: ${JSON.stringify({ ...answer, object: 'chat.completion.chunk', choices })}`;
  } catch {
    return block;
  }
}

/** Clients join the pieces of a choice or a call by its index, which whole messages may lack. */
function withDelta({ message, ...choice }: WholeChoice, index: number): object {
  if (!message) return choice;
  const calls = message.tool_calls?.map((call, place) => ({ index: place, ...call }));
  return { index, ...choice, delta: { ...message, ...(calls && { tool_calls: calls }) } };
}

function eventTooLong({ name }: Upstream): ApiError {
  return new ApiError('upstream_failed', `An event of ${name} has more than ${MAX_LENGTH} characters.`);
}

function unknownForm({ name }: Upstream, block: string): ApiError {
  const excerpt = block.replace(/^data: /gm, '').slice(0, MAX_EXCERPT);
  return new ApiError('upstream_failed', `${name} answers in a form that is not known here: ${excerpt}`);
}

function cutOff({ name }: Upstream, cause?: unknown): ApiError {
  return new ApiError('upstream_failed', `The answer of ${name} broke off.`, { cause });
}
