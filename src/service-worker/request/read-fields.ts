import { ApiError } from '../../shared/api-error.ts';
import { describeValue } from '../../shared/describe-value.ts';
import type { Check, JsonObject } from './checks.ts';

/** The fields of a request body, in the order of their checks. */
export type FieldTable = Readonly<Record<string, Check<unknown>>>;

/** The checked fields of a table. */
export type FieldsOf<Table extends FieldTable> = {
  -readonly [Name in keyof Table]: ReturnType<Table[Name]>;
};

/** Checks the fields of a request body in the table's order. @throws ApiError for the first invalid field. */
export function readFields<Table extends FieldTable>(table: Table, body: unknown): FieldsOf<Table> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new ApiError('invalid_type', `The request body must be a JSON object, but it is ${describeValue(body)}.`);
  }
  const given = body as JsonObject;
  const fields: Record<string, unknown> = {};
  for (const [name, check] of Object.entries(table)) fields[name] = check(given[name], name, given);
  return fields as FieldsOf<Table>;
}
