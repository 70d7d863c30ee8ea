import { expect, test, vi } from 'vitest';
import { printEbnf } from '../../../src/engine-worker/webllm/grammar/print-ebnf.ts';
import { GrammarProblem } from '../../../src/engine-worker/grammar/expressions/check-given-grammar.ts';
import type { Grammar } from '../../../src/engine-worker/grammar/expressions/grammar.ts';
import { matchesGrammar } from '../../../src/engine-worker/grammar/expressions/matches-grammar.ts';
import { parseGbnf } from '../../../src/engine-worker/grammar/expressions/parse-gbnf.ts';
import { printGbnf } from '../../../src/engine-worker/grammar/expressions/print-gbnf.ts';
import { Random } from '../../schema-proof/random.ts';
import { randomGrammar } from '../../schema-proof/random-grammars.ts';
import { readGbnf } from '../../schema-proof/read-gbnf.ts';
import { GrammarSampler } from '../../schema-proof/sample-grammar.ts';
import { compileEbnf } from '../../schema-proof/xgrammar.ts';
import { GIVEN_GRAMMARS, REFUSED_GRAMMARS } from './given-grammar-cases.ts';

// xgrammar warns about every negated character class.
vi.spyOn(console, 'warn').mockImplementation(() => {});

test.each(Object.entries(GIVEN_GRAMMARS))(
  'both engines allow the texts of a grammar and no others: %s',
  async (_name, [source, yes, no]) => {
    const grammar = parseGbnf(source);
    const compiled = await compileEbnf(printEbnf(grammar));
    const forLlama = readGbnf(printGbnf(grammar));
    for (const [texts, expected] of [[yes, true] as const, [no, false] as const]) {
      for (const text of texts) {
        const allowed = [compiled.accepts(text), matchesGrammar(forLlama, text), matchesGrammar(grammar, text)];
        expect({ text, allowed }).toEqual({ text, allowed: [expected, expected, expected] });
      }
    }
    compiled.dispose();
  },
);

test.each(Object.entries(REFUSED_GRAMMARS))('%s is refused with an explanation', (_name, [source, sentence]) => {
  expect(() => parseGbnf(source)).toThrow(GrammarProblem);
  expect(() => parseGbnf(source)).toThrow(sentence);
});

test('both engines and the final check agree about random grammars', async () => {
  let followed = 0;
  for (let seed = 1; seed <= 60; seed++) {
    const random = new Random(seed);
    const source = randomGrammar(random);
    const grammar = parsed(source);
    if (grammar === null) continue;
    followed++;
    const sampler = new GrammarSampler(grammar);
    const compiled = await compileEbnf(printEbnf(grammar));
    const forLlama = readGbnf(printGbnf(grammar));
    for (let index = 0; index < 10; index++) {
      const text = sampler.sample(random);
      const allowed = [compiled.accepts(text), matchesGrammar(forLlama, text), matchesGrammar(grammar, text)];
      expect(allowed, `${seed} ${JSON.stringify(text)} ${source}`).toEqual([true, true, true]);
      const characters = [...text];
      const other =
        characters.slice(0, random.below(characters.length + 1)).join('') + random.of(['a', 'b', ',', 'é', '\n', '']);
      const found = [compiled.accepts(other), matchesGrammar(forLlama, other)];
      const expected = matchesGrammar(grammar, other);
      expect(found, `${seed} ${JSON.stringify(other)} ${source}`).toEqual([expected, expected]);
    }
    const written = await compiled.write(random);
    expect(written === null || matchesGrammar(grammar, written), `${seed} ${written} ${source}`).toBe(true);
    compiled.dispose();
  }
  expect(followed).toBeGreaterThan(30);
});

function parsed(source: string): Grammar | null {
  try {
    return parseGbnf(source);
  } catch (thrown) {
    if (thrown instanceof GrammarProblem) return null;
    throw thrown;
  }
}
