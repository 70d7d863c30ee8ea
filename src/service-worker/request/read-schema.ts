import { ApiError } from '../../shared/api-error.ts';
import { quote } from '../../shared/describe-value.ts';
import type { JsonSchema } from '../../shared/engine/completion-request.ts';
import { findSchemaProblem } from '../json-schema/find-schema-problem.ts';
import { invalid } from './checks.ts';
import type { Check } from './checks.ts';

/** Reads a JSON Schema, and rejects what the engine does not support. Later code relies on this check. */
export const readSchema: Check<JsonSchema> = (value, param) => {
  if (typeof value !== 'boolean' && (typeof value !== 'object' || value === null || Array.isArray(value))) {
    throw invalid('invalid_type', param, 'a JSON Schema', value);
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
