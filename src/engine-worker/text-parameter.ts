import { ApiError } from '../shared/api-error.ts';

/**
 * A parameter of a method that must be a text.
 * @throws ApiError `invalid_type`.
 */
export function textParameter(parameters: unknown, name: string): string {
  const value = (parameters as Readonly<Record<string, unknown>> | null)?.[name];
  if (typeof value === 'string') return value;
  throw new ApiError('invalid_type', `\`${name}\` must be a string.`, { param: name });
}
