import { without, type Language } from '../regular-language/regular-language.ts';
import { rule, withRuleNames, type Expression, type Grammar } from './grammar.ts';
import { FREE_TEXT, languageExpression } from './language-grammar.ts';
import { NumberedRules } from './rule-maker.ts';

/** Collects the rules of a grammar that is put together from other grammars and from languages. */
export class RuleSet {
  readonly #made = new NumberedRules('r');

  /** Adds a rule. @param make Gets the rule's name first, so that the rule may refer to itself. */
  add(make: (name: string) => Expression): Expression {
    return rule(this.#made.add(make));
  }

  /** Adds the rules of a grammar under new names. @returns the expression of its root. */
  include({ root, rules }: Grammar): Expression {
    const prefix = `g${this.#made.rules.size}-`;
    const newName = (name: string) => prefix + name;
    for (const [name, expression] of rules) this.#made.define(newName(name), withRuleNames(expression, newName));
    return rule(newName(root));
  }

  /** Returns the expression of the texts of a language; null if it needs too many rules. */
  language(language: Language): Expression | null {
    return languageExpression(language, FREE_TEXT, this.#made);
  }

  /** Returns the expression of the texts that contain none of some marks. */
  textWithout(...marks: readonly string[]): Expression {
    const expression = this.language(without(marks));
    if (expression === null) throw new Error(`No grammar for a text without ${marks.join(', ')}.`);
    return expression;
  }

  /** Returns the grammar of these rules. @param root The expression for the whole text. */
  grammar(root: Expression): Grammar {
    this.#made.define('whole', root);
    return { root: 'whole', rules: this.#made.rules };
  }
}
