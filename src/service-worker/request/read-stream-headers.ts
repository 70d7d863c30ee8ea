import { ApiError } from '../../shared/api-error.ts';
import { quote } from '../../shared/describe-value.ts';
import {
  LAST_EVENT_HEADER,
  OUTLIVES_HEADER,
  STREAM_ID_HEADER,
  type ResumableStream,
} from '../../shared/http/resumable-stream.ts';

export interface StreamHeaders {
  readonly resumable: ResumableStream;
  /** Number of the last event that the client has received; −1 if it has received none. */
  readonly lastEvent: number;
}

/**
 * Reads the headers that make a response resumable; null without them.
 * @throws ApiError `invalid_value` if one of them is invalid; the message names it.
 */
export function readStreamHeaders({ headers }: Request): StreamHeaders | null {
  const read = (name: string, form: RegExp, wanted: string): string | null => {
    const value = headers.get(name);
    if (value === null || form.test(value)) return value;
    throw new ApiError('invalid_value', `The header \`${name}\` must be ${wanted}, but it is ${quote(value)}.`);
  };
  const id = read(STREAM_ID_HEADER, /^[\w-]{22,64}$/, '22 to 64 letters, digits, underscores or hyphens');
  if (id === null) return null;
  const lastEvent = read(LAST_EVENT_HEADER, /^(-1|\d{1,9})$/, 'the number of an event, or -1');
  const outlives = read(OUTLIVES_HEADER, /^(service-worker|page)$/, '`service-worker` or `page`');
  return {
    resumable: { id, outlives: outlives === 'page' ? 'page' : 'service-worker', joinsOnly: lastEvent !== null },
    lastEvent: Number(lastEvent ?? -1),
  };
}
