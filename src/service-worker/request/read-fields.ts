import { ApiError } from '../../shared/api-error.ts';
import { describeValue } from '../../shared/describe-value.ts';
import type { Check, JsonObject } from './checks.ts';

/** The fields of a kind of request, in the order in which they are checked and reported. */
export type FieldTable = Readonly<Record<string, Check<unknown>>>;

/** What the checks of a table make of a body. */
export type FieldsOf<Table extends FieldTable> = {
  -readonly [Name in keyof Table]: ReturnType<Table[Name]>;
};

/** Checks every field of a request body in the table's order and throws at the first that is wrong. */
export function readFields<Table extends FieldTable>(table: Table, body: unknown): FieldsOf<Table> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new ApiError('invalid_type', `The request body must be a JSON object, but it is ${describeValue(body)}.`);
  }
  const given = body as JsonObject;
  const fields: Record<string, unknown> = {};
  for (const [name, check] of Object.entries(table)) fields[name] = check(given[name], name, given);
  return fields as FieldsOf<Table>;
}
