import { decimal, described, invalid, type Check } from './checks.ts';

/** Matches a number of seconds. */
const SECONDS = /^[-+]?\d{1,9}$/;

/** Matches a duration as Go writes it, such as `5m`, `1h30m`, `1.5h` or `300ms`. */
const DURATION = /^[-+]?(?:(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})(?:ns|us|µs|μs|ms|s|m|h))+$/;

/** Seconds of each unit. The two signs for micro are the ones that Go accepts. */
const UNITS: Readonly<Record<string, number>> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  μs: 1e-6,
  ms: 1e-3,
  s: 1,
  m: 60,
  h: 3600,
};

const EXPECTED = 'a number of seconds or a duration such as `5m`';

/**
 * Reads how long the model stays loaded after the request, as Ollama does: seconds, as a number or text, or a duration of Go.
 * A negative value means without end. Returns seconds.
 */
export const keepAlive: Check<number> = described({ type: ['number', 'string'] }, (value, param, body) => {
  if (typeof value === 'number') return decimal()(value, param, body);
  if (typeof value !== 'string') throw invalid('invalid_type', param, EXPECTED, value);
  if (SECONDS.test(value)) return Number(value);
  if (!DURATION.test(value)) throw invalid('invalid_value', param, EXPECTED, value);
  let seconds = 0;
  for (const [, count, unit] of value.matchAll(/([\d.]{1,19})([a-zµμ]{1,2})/g))
    seconds += Number(count) * UNITS[unit!]!;
  return value.startsWith('-') ? -seconds : seconds;
});
