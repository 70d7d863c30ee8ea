import { compileSchema } from '../../src/engine-worker/grammar/json-schema/compile-schema.ts';
import { SchemaRefusal } from '../../src/engine-worker/grammar/json-schema/schema-nodes.ts';
import { matchesGrammar } from '../../src/engine-worker/grammar/expressions/matches-grammar.ts';
import type { Grammar } from '../../src/engine-worker/grammar/expressions/grammar.ts';
import { refusedKeyword } from './prove-schema.ts';
import { textsOf, type SuiteSchema } from './suite-schemas.ts';

export interface SuiteCount {
  /** Rows of a table in Markdown. */
  readonly table: string;
  /** Share of the valid values of followed schemas that the grammars do not allow. */
  readonly missingShare: number;
}

type Counts = Record<string, number>;

/** Counts the schemas that the compiler follows as it is shipped, and the valid values that their grammars allow. */
export function countSuite(groups: readonly SuiteSchema[]): SuiteCount {
  const refused: Counts = {};
  const missing: Counts = {};
  let [followed, valid] = [0, 0];
  for (const group of groups) {
    const grammar = compileOrRefuse(group, refused);
    if (grammar === null) continue;
    followed++;
    for (const { data: value } of group.tests.filter((one) => one.valid)) {
      valid++;
      if (!matchesGrammar(grammar, JSON.stringify(value))) add(missing, kindOfMissing(group, grammar, value));
    }
  }
  const absent = sum(missing);
  const rows: readonly (readonly [string, string])[] = [
    ['schemas (groups of tests)', format(groups.length)],
    ['followed', format(followed)],
    [`refused: ${listed(refused)}`, format(sum(refused))],
    ['valid values of the followed schemas', format(valid)],
    [
      `of them not allowed by the grammar: ${listed(missing)}`,
      `${format(absent)} (${((100 * absent) / valid).toFixed(1)} %)`,
    ],
  ];
  const table = ['| JSON Schema Test Suite | |', '| --- | --- |', ...rows.map((row) => `| ${row.join(' | ')} |`)].join(
    '\n',
  );
  return { table, missingShare: absent / valid };
}

function compileOrRefuse({ schema }: SuiteSchema, refused: Counts): Grammar | null {
  try {
    return compileSchema(schema);
  } catch (thrown) {
    if (!(thrown instanceof SchemaRefusal)) throw thrown;
    const keyword = refusedKeyword(thrown.path);
    add(refused, keyword === 'root' ? 'no value is possible' : `\`${keyword}\``);
    return null;
  }
}

function kindOfMissing({ file, schema }: SuiteSchema, grammar: Grammar, value: unknown): string {
  const allowedBy = (one: Grammar) => textsOf(value).some((text) => matchesGrammar(one, text));
  if (allowedBy(grammar)) return 'properties in another order than the schema names them';
  const literal = compileSchema(schema, { describedOnly: false });
  return allowedBy(literal) ? 'fewer or more items than `prefixItems` describes' : `other values of ${file}`;
}

function add(counts: Counts, kind: string, count = 1): void {
  counts[kind] = (counts[kind] ?? 0) + count;
}

function sum(counts: Counts): number {
  return Object.values(counts).reduce((one, other) => one + other, 0);
}

function listed(counts: Counts): string {
  const sorted = Object.entries(counts).toSorted(([, one], [, other]) => other - one);
  return sorted.map(([kind, count]) => `${kind} ${count}`).join(', ');
}

function format(count: number): string {
  return count.toLocaleString('en-US');
}
