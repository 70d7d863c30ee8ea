import { ApiError } from '../../../shared/api-error.ts';
import type { JsonSchema } from '../../../shared/completion-request.ts';
import { unfit } from '../checks.ts';
import type { Check } from '../checks.ts';
import { quote } from '../describe-value.ts';
import { findSchemaProblem } from './find-schema-problem.ts';

/**
 * A JSON Schema, refused here when it is not a valid one: the grammar compiler behind the engine aborts
 * on some of these instead of reporting them.
 */
export const readSchema: Check<JsonSchema> = (value, param) => {
  if (typeof value !== 'boolean' && (typeof value !== 'object' || value === null || Array.isArray(value))) {
    throw unfit('invalid_type', param, 'a JSON Schema', value);
  }
  const problem = findSchemaProblem(value);
  if (problem === null) return value as JsonSchema;
  const place = problem.path === '' ? 'its root' : quote(problem.path);
  throw new ApiError(
    'invalid_value',
    `\`${param}\` is not a JSON Schema that can be followed: ${place} ${problem.text}.`,
    { param },
  );
};
