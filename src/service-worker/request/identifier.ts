import { text, unfit } from './checks.ts';
import type { Check } from './checks.ts';

/** Name of a schema or of a tool. */
export const identifier: Check<string> = (value, param, body) => {
  const name = text(value, param, body);
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) {
    throw unfit('invalid_value', param, '1 to 64 letters, digits, underscores or hyphens', value);
  }
  return name;
};
