import { expect, test } from 'vitest';
import type { JsonSchema } from '../../../src/shared/engine/completion-request.ts';
import { printEbnf } from '../../../src/engine-worker/webllm/grammar/print-ebnf.ts';
import { compileSchema } from '../../../src/engine-worker/grammar/json-schema/compile-schema.ts';
import type { Grammar } from '../../../src/engine-worker/grammar/expressions/grammar.ts';
import { SchemaRefusal } from '../../../src/engine-worker/grammar/json-schema/schema-nodes.ts';
import { findSchemaProblem } from '../../../src/service-worker/json-schema/find-schema-problem.ts';
import { VALID_SCHEMAS } from '../../service-worker/json-schema/json-schema-cases.ts';
import { LIBRARY_SCHEMAS } from '../../schema-proof/library-schemas.ts';
import { proveSchema } from '../../schema-proof/prove-schema.ts';
import { randomSchema } from '../../schema-proof/random-schemas.ts';
import { validator } from '../../schema-proof/validator.ts';
import { compileEbnf } from '../../schema-proof/xgrammar.ts';
import { COMBINED_KEYWORDS } from './combined-keyword-cases.ts';
import { ACCEPTED_VALUES, REFUSED_SCHEMAS } from './schema-grammar-cases.ts';

test.each([...ACCEPTED_VALUES, ...COMBINED_KEYWORDS])(
  '$schema allows what it describes, and nothing else',
  async ({ schema, allowed, excluded }) => {
    const compiled = await compileEbnf(printEbnf(compileSchema(schema)));
    expect(allowed.filter((text) => !compiled.accepts(text))).toEqual([]);
    expect(excluded.filter((text) => compiled.accepts(text))).toEqual([]);
    compiled.dispose();
  },
);

test.each(REFUSED_SCHEMAS)('%j is refused at %s', (schema, path) => {
  expect(() => compileSchema(schema)).toThrow(expect.objectContaining({ path }));
});

test.each(VALID_SCHEMAS)(
  'the grammar of %j is accepted by xgrammar, or a keyword is refused by name',
  async (schema) => {
    const grammar = compileOrRefuse(schema as JsonSchema);
    await expect(Promise.resolve(grammar && compileEbnf(printEbnf(grammar)))).resolves.toBeDefined();
  },
);

function compileOrRefuse(schema: JsonSchema): Grammar | null {
  try {
    return compileSchema(schema);
  } catch (thrown) {
    if (thrown instanceof SchemaRefusal) return null;
    throw thrown;
  }
}

const OPTIONS = { samples: 40, written: 4, seed: 1 };

test.each(LIBRARY_SCHEMAS)('each answer of the grammar is valid: $name', async ({ schema }) => {
  expect(findSchemaProblem(schema)).toBeNull();
  const { refused, violations } = await proveSchema(schema, validator(schema)!, OPTIONS);
  expect({ refused, violations }).toEqual({ refused: null, violations: [] });
});

test('each answer of the grammars of random schemas is valid', async () => {
  let followed = 0;
  for (let seed = 1; seed <= 60; seed++) {
    const schema = randomSchema(seed);
    const validate = validator(schema);
    if (validate === null) continue;
    const { refused, violations } = await proveSchema(schema, validate, { ...OPTIONS, samples: 20, seed });
    expect({ schema, violations }).toEqual({ schema, violations: [] });
    if (refused === null) followed++;
  }
  expect(followed).toBeGreaterThan(30);
});
