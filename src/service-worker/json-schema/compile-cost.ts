import type { JsonSchema } from '../../shared/engine/completion-request.ts';
import { plainPattern } from './find-pattern-problem.ts';
import { isSchemaObject, type SchemaObject } from '../../shared/json-schema/schema-object.ts';
import { subschemas } from '../../shared/json-schema/subschemas.ts';

/** Totals over a whole schema that determine how long the grammar compiler takes. */
export interface CompileCost {
  /** Properties, items, alternatives and definitions. */
  readonly parts: number;
  /** Declared properties of objects with `minProperties` or `maxProperties`. */
  readonly countedProperties: number;
  /** Values of `enum`. */
  readonly values: number;
  /** Characters of names and of the values of `enum` and `const`. */
  readonly characters: number;
  /** Number of characters that all patterns describe when repetitions are expanded: `(ab{3}){2}` has 8. */
  readonly places: number;
  /** Quantifiers of all patterns. */
  readonly quantifiers: number;
}

const NONE: CompileCost = {
  parts: 0,
  countedProperties: 0,
  values: 0,
  characters: 0,
  places: 0,
  quantifiers: 0,
};

/**
 * Limits of a schema that is compiled. The compiler (@mlc-ai/web-xgrammar 0.1.27) blocks the engine's thread; its time
 * grows with the square of most counts and with the cube of `countedProperties`. Measured in Node on an EPYC server
 * CPU, in seconds of processor time: 300 optional properties 0.6, 500 1.4; 30 counted properties 1.0, 60 9.1; 10,000
 * values 0.9, 100,000 7.7; a constant of 300,000 characters 1.1, of a million 3.7; `([a-z]{1,100}x){1,100}` 0.2, with
 * 300 9.3; 300 quantifiers 0.7 (2.6 with a vocabulary of 100,000 tokens), 1,000 12.5.
 */
const COST_LIMITS: CompileCost = {
  parts: 300,
  countedProperties: 20,
  values: 5000,
  characters: 100_000,
  places: 10_000,
  quantifiers: 200,
};

/** Limits of all tools of a request together. Many tools have more parts than one schema, so more are allowed. */
export const TOOLS_COST_LIMITS: CompileCost = { ...COST_LIMITS, parts: 1000 };

/** Texts of errors for exceeded limits. Each is the rest of a sentence whose subject is the schema. */
const EXCESSES: Readonly<Record<keyof CompileCost, (count: string, most: string) => string>> = {
  parts: (count, most) =>
    `describes ${count} properties, items and alternatives, and ${most} is the most; ask for fewer at a time`,
  countedProperties: (count, most) =>
    `counts properties, by minProperties or maxProperties, where it declares ${count}, and ${most} is the most; leave out the counting`,
  values: (count, most) => `lists ${count} values in enum, and ${most} is the most; ask for a string instead`,
  characters: (count, most) =>
    `has names and fixed values of ${count} characters, and ${most} is the most; use shorter ones`,
  places: (count, most) =>
    `has patterns that repeat up to ${count} characters, and ${most} is the most; use lower or fewer nested repetitions`,
  quantifiers: (count, most) =>
    `has patterns with ${count} quantifiers, and ${most} is the most; use fewer of the signs ? * + {}`,
};

/**
 * Computes the totals of a whole schema.
 * @param schema A schema of valid depth whose keywords have values of the right types.
 */
export function compileCost(schema: JsonSchema): CompileCost {
  if (!isSchemaObject(schema)) return NONE;
  const inner = subschemas(schema);
  return addCosts([ownCost(schema), { ...NONE, parts: inner.length }, ...inner.map((one) => compileCost(one.schema))]);
}

export function addCosts(costs: readonly CompileCost[]): CompileCost {
  const sum = { ...NONE } as Record<keyof CompileCost, number>;
  for (const cost of costs) for (const kind of KINDS) sum[kind] += cost[kind];
  return sum;
}

/**
 * Finds the first limit that the totals exceed.
 * @returns the rest of a sentence that says so; null if no limit is exceeded.
 */
export function findExcess(cost: CompileCost, limits = COST_LIMITS): string | null {
  const kind = KINDS.find((one) => cost[one] > limits[one]);
  return kind === undefined ? null : EXCESSES[kind](format(cost[kind]), format(limits[kind]));
}

const KINDS = Object.keys(NONE) as (keyof CompileCost)[];

function format(count: number): string {
  return count.toLocaleString('en-US');
}

function ownCost(schema: SchemaObject): CompileCost {
  const {
    properties = {},
    patternProperties = {},
    required = [],
    minProperties = 0,
    maxProperties = Infinity,
  } = schema as {
    properties?: SchemaObject;
    patternProperties?: SchemaObject;
    required?: readonly string[];
    minProperties?: number;
    maxProperties?: number;
  };
  const declared = Object.keys(properties);
  const undeclared = required.filter((name) => !Object.hasOwn(properties, name));
  const patterns = [...Object.keys(patternProperties), ...(typeof schema.pattern === 'string' ? [schema.pattern] : [])];
  const fixed = [schema.enum, schema.const].map((value) => JSON.stringify(value) ?? '');
  return addCosts([
    {
      ...NONE,
      // The compiler treats a required but undeclared property as a property with any value.
      parts: undeclared.length,
      countedProperties: minProperties > 0 || maxProperties < declared.length ? declared.length : 0,
      values: Array.isArray(schema.enum) ? schema.enum.length : 0,
      characters: [...declared, ...undeclared, ...fixed].join('').length,
    },
    ...patterns.map(patternCost),
  ]);
}

/** Matches the start of a group, its end, a quantifier with numbers, a quantifier without, or any other character. */
const PATTERN_PIECES = /\((?:\?(?::|<[^>]*>))?|\)|\{(\d+)(?:,(\d*))?\}|[*+?]|[^]/gu;

function patternCost(pattern: string): CompileCost {
  let quantifiers = 0;
  /**
   * For each open group: the `places` before its last piece, and the places of that piece (`last`), which a quantifier
   * may still multiply.
   */
  const groups = [{ places: 0, last: 0 }];
  for (const [piece, least = '', most = ''] of plainPattern(pattern).matchAll(PATTERN_PIECES)) {
    const group = groups.at(-1)!;
    if (piece.startsWith('(')) groups.push({ places: 0, last: 0 });
    else if (piece === ')') {
      groups.pop();
      groups.at(-1)!.places += groups.at(-1)!.last;
      groups.at(-1)!.last = group.places + group.last;
    } else if (/^[*+?]|^\{./.test(piece)) {
      quantifiers++;
      group.last = Math.min(Number.MAX_SAFE_INTEGER, group.last * Math.max(1, Number(least), Number(most)));
    } else {
      group.places += group.last;
      group.last = /[|^$]/.test(piece) ? 0 : 1;
    }
  }
  return { ...NONE, quantifiers, places: groups[0]!.places + groups[0]!.last };
}
