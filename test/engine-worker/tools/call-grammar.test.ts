import { expect, test } from 'vitest';
import { CALL_SYNTAXES } from '../../../src/engine-worker/tools/call-syntax/call-syntaxes.ts';
import { proveCalls } from '../../schema-proof/prove-calls.ts';
import { TOOL_CASES } from './tool-cases.ts';

const SAMPLES = 300;

test.each(CALL_SYNTAXES)(
  'what the grammar of $syntax.family allows is parsed as arguments of the schema',
  ({ syntax }) => {
    // Where arguments are JSON, only what surrounds them differs between the families.
    const cases = TOOL_CASES.filter((_case, index) => syntax.notation !== undefined || index % 5 === 1);
    for (const [index, { kind, tool }] of cases.entries()) {
      const { violations } = proveCalls(tool, syntax, Math.ceil(SAMPLES / cases.length), index + 1);
      expect({ kind, violations }).toEqual({ kind, violations: [] });
    }
  },
);
