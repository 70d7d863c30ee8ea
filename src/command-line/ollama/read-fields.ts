import { describeValue } from '../../shared/describe-value.ts';
import { RequestFailure } from './request-failure.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** Limit of the bytes in a body, as at the endpoint. */
const MAX_BODY_BYTES = 20 * 1024 * 1024;

/** Parses a request body. As in Ollama, any content type is accepted, because `curl -d` sends that of a form. */
export function readBody(bytes: Uint8Array | null): JsonObject {
  if (bytes !== null && bytes.length > MAX_BODY_BYTES) {
    throw new RequestFailure(413, `The request body may have at most ${MAX_BODY_BYTES} bytes.`);
  }
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes ?? new Uint8Array()));
  } catch {
    throw new RequestFailure(400, 'The request body must be a JSON object in UTF-8.');
  }
  return readObject(value, 'body');
}

export function readObject(value: unknown, name: string): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid(name, 'an object', value);
  return value as JsonObject;
}

/** @returns an empty array if the value is absent. */
export function readArray(value: unknown, name: string): readonly unknown[] {
  if (isAbsent(value)) return [];
  if (!Array.isArray(value)) throw invalid(name, 'an array', value);
  return value as unknown[];
}

/** @returns the empty string if the value is absent. */
export function readText(value: unknown, name: string): string {
  if (isAbsent(value)) return '';
  if (typeof value !== 'string') throw invalid(name, 'a string', value);
  return value;
}

/** @param fallback Value of an absent field. */
export function readBoolean(value: unknown, name: string, fallback: boolean): boolean {
  if (isAbsent(value)) return fallback;
  if (typeof value !== 'boolean') throw invalid(name, 'true or false', value);
  return value;
}

/** Reads the name of the model. Older clients call it `name`. */
export function readModel({ model, name }: JsonObject): string {
  const id = readText(model, 'model') || readText(name, 'name');
  if (id === '') throw new RequestFailure(400, '`model` is required, but it is missing.');
  return id;
}

/** Whether a field is absent; `null` counts as absent. */
export function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

export function invalid(name: string, expected: string, value: unknown): RequestFailure {
  return new RequestFailure(400, `\`${name}\` must be ${expected}, but it is ${describeValue(value)}.`);
}
