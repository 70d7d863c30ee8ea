import * as fc from 'fast-check';
import { afterAll, beforeAll } from 'vitest';

const HOSTILE_NUMBERS = [-1, 0, 1.5, 1e308, -1e308, 2 ** 53];
const HOSTILE_TEXTS = ['', ' ', '\u0000', '__proto__', '$&', 'null'];
const OTHERS = [[], {}, [[]], [null], [{}], true, false, null];

/** Values of every JSON type, including hostile ones. */
export const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown[]>(...HOSTILE_NUMBERS, ...HOSTILE_TEXTS, ...OTHERS),
);

/** Mostly nearly valid bodies; sometimes any JSON, or text that is not JSON. */
export function mostly(nearlyRight: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 8, arbitrary: nearlyRight },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
  );
}

/** One value most of the time, and sometimes one of the others. */
export function usually<T>(value: T, ...others: readonly T[]): fc.Arbitrary<T> {
  return fc.oneof({ weight: 12, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: fc.constantFrom(...others) });
}

/** Collects unhandled rejections during the tests of a file. */
export function unhandledRejections(): readonly unknown[] {
  const unhandled: unknown[] = [];
  const remember = (reason: unknown): void => void unhandled.push(reason);
  beforeAll(() => void process.on('unhandledRejection', remember));
  afterAll(() => void process.off('unhandledRejection', remember));
  return unhandled;
}
