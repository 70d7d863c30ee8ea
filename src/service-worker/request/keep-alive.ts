import { decimal, described, invalid, type Check } from './checks.ts';

/** Matches a number of seconds. */
const SECONDS = /^-?\d{1,9}$/;

/** Matches a duration such as `5m` or `1h30m`. */
const DURATION = /^(-?)(?=\d)(?:(\d{1,9})h)?(?:(\d{1,9})m)?(?:(\d{1,9})s)?$/;

/**
 * Reads how long the model stays loaded after the request, as Ollama does: seconds, as a number or text, or a duration.
 * A negative value means without end. Returns seconds.
 */
export const keepAlive: Check<number> = described({ type: ['number', 'string'] }, (value, param, body) => {
  if (typeof value === 'number') return decimal({})(value, param, body);
  if (typeof value !== 'string') {
    throw invalid('invalid_type', param, 'a number of seconds or a duration such as `5m`', value);
  }
  if (SECONDS.test(value)) return Number(value);
  const match = DURATION.exec(value);
  if (match === null) throw invalid('invalid_value', param, 'a number of seconds or a duration such as `5m`', value);
  const [, sign, hours = 0, minutes = 0, seconds = 0] = match;
  return (sign === '-' ? -1 : 1) * (3600 * Number(hours) + 60 * Number(minutes) + Number(seconds));
});
