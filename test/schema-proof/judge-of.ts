import { matchesSchema } from '../../src/engine-worker/grammar/json-schema/matches-schema.ts';
import type { SuiteSchema } from './suite-schemas.ts';
import { validator, type Validate } from './validator.ts';

/**
 * Returns a validator that judges the values of a group of the suite as the suite does: Ajv, or where that is wrong the final
 * check of answers; null if both are.
 */
export function judgeOf({ schema, tests }: SuiteSchema): Validate | null {
  const own: Validate = (value) => matchesSchema(schema, schema, value);
  const judges = [validator(schema), own].filter((judge) => judge !== null);
  return judges.find((judge) => tests.every(({ data, valid }) => verdict(judge, data) === valid)) ?? null;
}

/** Returns null if the validator fails. Ajv does for some dynamic references, which it follows without end. */
function verdict(judge: Validate, value: unknown): boolean | null {
  try {
    return judge(value);
  } catch {
    return null;
  }
}
