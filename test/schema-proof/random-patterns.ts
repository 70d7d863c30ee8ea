import type { Random } from './random.ts';

/** A pattern with limits of the length, as a schema may have them. */
export interface LimitedPattern {
  readonly pattern: string;
  readonly minLength: number;
  readonly maxLength: number | undefined;
}

const CHARACTERS = [
  'a',
  'b',
  'x',
  '0',
  '-',
  '_',
  ' ',
  '@',
  '/',
  'é',
  'ß',
  '中',
  '😀',
  '\\.',
  '\\/',
  '\\n',
  '\\u00e9',
  '"',
];
const CLASSES = [
  '.',
  '\\d',
  '\\w',
  '\\s',
  '\\S',
  '\\D',
  '[a-z]',
  '[^a]',
  '[A-Za-z0-9_-]',
  '[а-я]',
  '[^\\s@]',
  '[😀-😂]',
];
const QUANTIFIERS = ['*', '+', '?', '+?', '{2}', '{0,3}', '{3,}', '{1,20}', '{2,100}', '{1000}', '{0,5000}'];
const EVERYDAY = [
  '^https?://',
  '^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$',
  '^[a-z0-9]+(?:-[a-z0-9]+)*$',
  '\\S',
  '^\\S(.*\\S)?$',
  '^[A-Z][a-z]+( [A-Z][a-z]+)*$',
  '^(/[^/\\0]+)+$',
  '^(?!.*--)[a-z-]+$',
  '\\.ts$',
  '^(\\w+ )*\\w+\\.$',
];

/** Returns a random pattern with random limits: most are short, some are absurd. */
export function randomLimitedPattern(random: Random): LimitedPattern {
  let names = 0;
  const written = random.once(8) ? random.of(EVERYDAY) : anchored(random);
  const pattern = written.replaceAll('(?<name>', () => `(?<name${++names}>`);
  const length = () => random.below(random.of([2, 20, 100, 300, 3000, 100_000, 1_000_001]));
  const minLength = random.once(2) ? 0 : length();
  const maxLength = random.once(8) ? undefined : (random.once(20) ? 0 : minLength) + length();
  return { pattern, minLength, maxLength };
}

function anchored(random: Random): string {
  const pattern = alternatives(random, 3);
  return random.of(['', '^', '^']) + (random.once(3) ? `(?:${pattern})` : pattern) + random.of(['', '$', '$']);
}

function alternatives(random: Random, depth: number): string {
  return Array.from({ length: random.once(3) ? 2 + random.below(2) : 1 }, () => parts(random, depth)).join('|');
}

function parts(random: Random, depth: number): string {
  return Array.from({ length: 1 + random.below(4) }, () => part(random, depth)).join('');
}

function part(random: Random, depth: number): string {
  if (depth > 0 && random.once(12)) return `${random.of(['(?=', '(?!'])}${alternatives(random, depth - 1)})`;
  const atom =
    depth > 0 && random.once(4)
      ? `${random.of(['(', '(?:', '(?<name>'])}${alternatives(random, depth - 1)})`
      : random.of(random.once(2) ? CHARACTERS : CLASSES);
  return atom + (random.once(2) ? random.of(QUANTIFIERS) : '');
}
