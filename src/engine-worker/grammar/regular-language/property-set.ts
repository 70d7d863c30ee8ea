import { ANY_CHARACTER, characterSet, type CharacterSet } from './character-set.ts';
import { BudgetedCache } from './step-budget.ts';
import { countSteps } from './step-limit.ts';

/** To try all characters takes as long as this many other steps. */
const STEPS = 30_000_000;

const SETS = new BudgetedCache<CharacterSet>('property', (set) => 20 * set.length);

/**
 * Returns the characters that have a Unicode property, as the JavaScript engine knows it.
 * @param escape An escape such as `\p{L}` or `\P{Script=Greek}`.
 * @returns null if the request's budget of steps is used up.
 */
export function propertySet(escape: string): CharacterSet | null {
  return SETS.get(escape, STEPS, () => {
    countSteps(STEPS);
    const expression = new RegExp(escape, 'u');
    const ranges: [number, number][] = [];
    for (const [from, to] of ANY_CHARACTER) {
      for (let point = from; point <= to; point++) {
        if (!expression.test(String.fromCodePoint(point))) continue;
        const last = ranges.at(-1);
        if (last !== undefined && last[1] === point - 1) last[1] = point;
        else ranges.push([point, point]);
      }
    }
    return characterSet(ranges);
  });
}
