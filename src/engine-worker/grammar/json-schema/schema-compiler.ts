import type { JsonSchema } from '../../../shared/engine/completion-request.ts';
import type { Expression } from '../expressions/grammar.ts';
import type { RuleMaker } from '../expressions/rule-maker.ts';
import type { Spelling } from '../expressions/language-grammar.ts';
import type { Language } from '../regular-language/regular-language.ts';
import type { Spacing } from './json-parts.ts';
import type { Alternatives, SchemaNode } from './schema-nodes.ts';

/** The values of one JSON type, or fixed values (`enum`, `const`). */
export type Values = { readonly kind: 'other'; readonly expression: Expression } | LanguageValues;

/** A set of strings, as the language of the text between the quotes, or a set of numbers, as that of their numerals. */
export type LanguageValues = { readonly language: Language; readonly path: string } & (
  | { readonly kind: 'numeral' }
  /** `free` has the minimum and maximum length if nothing else restricts the strings; otherwise null. */
  | { readonly kind: 'text'; readonly free: readonly [min: number, max: number] | null }
);

/** What the grammars of arrays, objects, strings and numbers need of the compiler, which calls them. */
export interface SchemaCompiler extends RuleMaker {
  readonly root: JsonSchema;
  /** See {@link CompileOptions.describedOnly}. */
  readonly describedOnly: boolean;
  readonly spacing: Spacing;
  /** Adds a rule and returns its name. `make` gets the name first, so that the rule may refer to itself. */
  addRule(make: (name: string) => Expression): string;
  /** Returns the expression for the values that are valid against every given schema. */
  value(nodes: readonly SchemaNode[]): Expression;
  /** See {@link expand}. */
  expand(nodes: readonly SchemaNode[]): Alternatives;
  /**
   * Converts a language to an expression.
   * @param path The place that the error names if the language is too complex.
   */
  state(language: Language, spelling: Spelling, path: string): Expression;
  /** Records why a place allows no value, and returns an expression that matches nothing. */
  conflict(path: string, reason: string): Expression;
}
