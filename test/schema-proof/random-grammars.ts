import type { Random } from './random.ts';

const TEXTS = ['"ab"', '"a"', '"aa"', '","', '"abc"', '"b"', '""', '"é"', '"\\n"', '"漢"'];
const CLASSES = [
  '[a-b]',
  '[a-z]',
  '[^"\\\\]',
  '[à-ÿ]',
  '[^a-z]',
  '[é漢]',
  '[\\x00-\\x1F]',
  '.',
  '[\\U0001F600-\\U0001F64F]',
];
const QUANTIFIERS = ['*', '+', '?', '{2}', '{1,3}', '{2,}'];

/**
 * A random GBNF grammar with common prefixes, overlapping character classes, and rules that use each other. It may be
 * refused.
 */
export function randomGrammar(random: Random): string {
  const names = ['root', ...Array.from({ length: 1 + random.below(4) }, (_, index) => `r-${index}`)];
  const part = (depth: number): string => {
    switch (random.below(depth > 2 ? 3 : 7)) {
      case 0:
        return random.of(TEXTS);
      case 1:
        return random.of(CLASSES);
      case 2:
        return random.once(3) ? random.of(names) : random.of(TEXTS);
      case 3:
        return `(${part(depth + 1)} | ${part(depth + 1)})`;
      case 4:
        return `(${part(depth + 1)})${random.of(QUANTIFIERS)}`;
      default:
        return `${part(depth + 1)} ${part(depth + 1)}`;
    }
  };
  return names.map((name) => `${name} ::= ${part(0)} | ${part(1)}`).join('\n');
}
