import { parseArgs } from 'node:util';
import { printEbnf } from '../../src/engine-worker/webllm/grammar/print-ebnf.ts';
import { compileSchema } from '../../src/engine-worker/grammar/json-schema/compile-schema.ts';
import { LIBRARY_SCHEMAS } from './library-schemas.ts';
import { proveSchema, type ProofOptions } from './prove-schema.ts';
import { randomSchema } from './random-schemas.ts';
import { readSuite, textsOf, type SuiteSchema } from './suite-schemas.ts';
import { validator } from './validator.ts';
import { compileEbnf } from './xgrammar.ts';

/* Samples answers from the grammars of many schemas and validates each: `npm run schemas -- --random 2000 --suite
   FOLDER`. The suite's schemas are also compiled with all values that JSON Schema allows, and its examples must match.
   Exits with 1 after an invalid answer or a refused example. */
const { values } = parseArgs({
  options: {
    random: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    samples: { type: 'string', default: '50' },
    written: { type: 'string', default: '5' },
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

async function prove(name: string, schema: SuiteSchema['schema'], how: ProofOptions): Promise<boolean> {
  const validate = validator(schema);
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

async function findMissing({ name, schema, valid }: SuiteSchema): Promise<void> {
  const validate = validator(schema)!;
  const compiled = await compileEbnf(printEbnf(compileSchema(schema, { describedOnly: false })));
  for (const value of valid.filter(validate)) {
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
for (const one of values.suite === undefined ? [] : readSuite(values.suite)) {
  await prove(one.name, one.schema, options);
  if (await prove(one.name, one.schema, { ...options, describedOnly: false })) await findMissing(one);
}
console.log(totals);
process.exitCode = totals.violations + totals.missing > 0 ? 1 : 0;
