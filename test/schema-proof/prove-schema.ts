import { printGbnf } from '../../src/shared/grammar/print-gbnf.ts';
import { printEbnf } from '../../src/engine-worker/webllm/grammar/print-ebnf.ts';
import { compileSchema, type CompileOptions } from '../../src/shared/grammar/compile-schema.ts';
import { matchesSchema } from '../../src/shared/grammar/matches-schema.ts';
import { SchemaRefusal } from '../../src/shared/grammar/schema-tree.ts';
import type { Grammar } from '../../src/shared/grammar/grammar.ts';
import type { JsonSchema } from '../../src/shared/engine/completion-request.ts';
import { readGbnf } from './read-gbnf.ts';
import { GrammarSampler } from './sample-grammar.ts';
import { Random } from './random.ts';
import type { Validate } from './validator.ts';
import { compileEbnf } from './xgrammar.ts';

export interface Proof {
  /** Keyword that was refused, or null if the schema is followed. */
  readonly refused: string | null;
  readonly samples: number;
  /** Texts that break the schema, or that xgrammar or the last check of an answer takes differently. */
  readonly violations: readonly string[];
}

export interface ProofOptions extends CompileOptions {
  /** How many texts are drawn from the grammar as data. */
  readonly samples: number;
  /**
   * How many are written byte by byte as xgrammar allows them, how many are drawn from the grammar in GBNF, and how many of the
   * others xgrammar is asked about.
   */
  readonly written: number;
  readonly seed: number;
}

/** Compiles a schema, draws answers from its grammar, and validates each. */
export async function proveSchema(schema: JsonSchema, validate: Validate, options: ProofOptions): Promise<Proof> {
  let grammar: Grammar;
  try {
    grammar = compileSchema(schema, options);
  } catch (thrown) {
    if (!(thrown instanceof SchemaRefusal)) throw thrown;
    return { refused: refusedKeyword(thrown.path), samples: 0, violations: [] };
  }
  const random = new Random(options.seed);
  const sampler = new GrammarSampler(grammar);
  const ofGbnf = new GrammarSampler(readGbnf(printGbnf(grammar)));
  const compiled = await compileEbnf(printEbnf(grammar));
  const violations: string[] = [];
  let samples = 0;
  const check = (text: string, how: string) => {
    samples++;
    if (!isValid(text, validate)) violations.push(`${how}: ${text}`);
    else if (!matchesSchema(schema, schema, JSON.parse(text))) violations.push(`fails the last check: ${text}`);
  };
  try {
    for (let index = 0; index < options.samples; index++) {
      const text = sampler.sample(random);
      check(text, 'invalid');
      if (index < options.written) check(ofGbnf.sample(random), 'invalid, read from GBNF');
      if (index < options.written && !compiled.accepts(text)) violations.push(`refused by xgrammar: ${text}`);
    }
    for (let index = 0; index < options.written; index++) {
      const text = await compiled.write(random);
      if (text !== null) check(text, 'invalid, written with xgrammar');
    }
  } finally {
    compiled.dispose();
  }
  return { refused: null, samples, violations };
}

function isValid(text: string, validate: Validate): boolean {
  try {
    return validate(JSON.parse(text));
  } catch {
    return false;
  }
}

function refusedKeyword(path: string): string {
  const known = path.split('/').findLast((step) => /^[$a-zA-Z]/.test(step));
  return known ?? 'root';
}
