import { choice, text, type Grammar } from '../expressions/grammar.ts';
import { FREE_TEXT, languageExpression } from '../expressions/language-grammar.ts';
import { patternLanguage, PatternProblem } from '../regular-language/parse-pattern.ts';
import { NumberedRules } from '../expressions/rule-maker.ts';
import { productiveGrammar } from '../expressions/productive-grammar.ts';
import { SchemaRefusal } from './schema-nodes.ts';

/**
 * Compiles a regular expression to a grammar of the texts that it matches as a whole.
 * @throws SchemaRefusal for a pattern that is not supported.
 */
export function compilePattern(pattern: string): Grammar {
  const rules = new NumberedRules('r');
  try {
    const language = patternLanguage(pattern, true);
    const root = rules.add(() => languageExpression(language, FREE_TEXT, rules) ?? refuse('is too complex'));
    return productiveGrammar({ root, rules: rules.rules }) ?? refuse('matches nothing');
  } catch (thrown) {
    if (thrown instanceof PatternProblem) return refuse(thrown.message);
    throw thrown;
  }

  function refuse(problem: string): never {
    throw new SchemaRefusal('', `${problem}: ${JSON.stringify(pattern)}`);
  }
}

/** Creates the grammar of a list of texts, which must not be empty. */
export function compileTexts(texts: readonly string[]): Grammar {
  return { root: 'texts', rules: new Map([['texts', choice(...texts.map(text))]]) };
}
