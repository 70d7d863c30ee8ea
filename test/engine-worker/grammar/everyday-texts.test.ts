import { expect, test } from 'vitest';
import { compileSchema } from '../../../src/engine-worker/grammar/json-schema/compile-schema.ts';
import { findSchemaProblem } from '../../../src/service-worker/json-schema/find-schema-problem.ts';
import { EVERYDAY_TEXTS } from './everyday-texts.ts';

test.each(EVERYDAY_TEXTS)('%j is followed', (keywords) => {
  const schema = { type: 'string', ...keywords };
  expect(findSchemaProblem(schema)).toBeNull();
  expect(() => compileSchema(schema)).not.toThrow();
});
