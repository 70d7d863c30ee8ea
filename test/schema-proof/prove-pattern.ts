import { printEbnf } from '../../src/engine-worker/webllm/grammar/print-ebnf.ts';
import { compileSchema } from '../../src/engine-worker/grammar/json-schema/compile-schema.ts';
import { SchemaRefusal } from '../../src/engine-worker/grammar/json-schema/schema-nodes.ts';
import { findSchemaProblem } from '../../src/service-worker/json-schema/find-schema-problem.ts';
import type { LimitedPattern } from './random-patterns.ts';
import type { Random } from './random.ts';
import { GrammarSampler } from './sample-grammar.ts';
import { compileEbnf } from './xgrammar.ts';

export interface PatternProof {
  /** The error of a pattern that is refused; null if it is followed. */
  readonly refused: string | null;
  /** Samples that the pattern, judged by `RegExp`, or the length excludes, or that xgrammar does not accept. */
  readonly violations: readonly string[];
}

/** Compiles a pattern with limits of the length to a grammar, and validates texts that are sampled from it. */
export async function provePattern(given: LimitedPattern, samples: number, random: Random): Promise<PatternProof> {
  const { pattern, minLength, maxLength } = given;
  const schema = { type: 'string', pattern, minLength, ...(maxLength === undefined ? {} : { maxLength }) };
  const problem = findSchemaProblem(schema);
  if (problem !== null) return { refused: `${problem.path} ${problem.text}`, violations: [] };
  const violations: string[] = [];
  try {
    const grammar = compileSchema(schema);
    const compiled = await compileEbnf(printEbnf(grammar));
    const expression = new RegExp(pattern, 'u');
    const sampler = new GrammarSampler(grammar);
    for (let index = 0; index < samples; index++) {
      const written = sampler.sample(random);
      const text = JSON.parse(written) as string;
      const length = Array.from(text).length;
      const isValid = expression.test(text) && length >= minLength && length <= (maxLength ?? Infinity);
      if (!isValid) violations.push(`invalid, ${length} characters: ${written.slice(0, 200)}`);
      else if (!compiled.accepts(written)) violations.push(`refused by xgrammar: ${written.slice(0, 200)}`);
    }
    compiled.dispose();
  } catch (thrown) {
    if (thrown instanceof SchemaRefusal) return { refused: `${thrown.path} ${thrown.message}`, violations: [] };
    throw thrown;
  }
  return { refused: null, violations };
}
