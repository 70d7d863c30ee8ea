import type { JsonSchema } from '../../../../shared/engine/completion-request.ts';
import {
  choice,
  repeat,
  rule,
  sequence,
  text,
  type Expression,
  type Grammar,
} from '../../../grammar/expressions/grammar.ts';
import { RuleSet } from '../../../grammar/expressions/rule-set.ts';
import { CALL_JSON, compileSchema } from '../../../grammar/json-schema/compile-schema.ts';
import { SchemaRefusal } from '../../../grammar/json-schema/schema-nodes.ts';
import { unquotedStrings } from '../../../grammar/json-schema/string-schema.ts';
import { and, without } from '../../../grammar/regular-language/regular-language.ts';
import type { ArgumentNotation } from './argument-notation.ts';
import { commaList } from './comma-list.ts';
import { Definitions, plainMembers } from './plain-members.ts';
import { PythonicReader } from './pythonic-reader.ts';
import { typedPart } from './typed-parts.ts';

/**
 * Arguments as in a call of Python, without the parentheses: `city="Rome", days=3`. A string has either quotation mark:
 * with double ones it is written as in JSON. Objects are written as JSON.
 */
export const PYTHONIC_ARGUMENTS: ArgumentNotation = {
  grammar: (schema) => {
    try {
      return pythonicGrammar(schema);
    } catch (thrown) {
      if (thrown instanceof SchemaRefusal) return null;
      throw thrown;
    }
  },
  reader: () => new PythonicReader(),
  write: (args) =>
    Object.entries(args)
      .map(([name, value]) => `${name}=${pythonic(value)}`)
      .join(', '),
};

function pythonic(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(pythonic).join(', ')}]`;
  return JSON.stringify(value);
}

function pythonicGrammar(schema: JsonSchema): Grammar | null {
  const members = plainMembers(schema);
  const definitions = Definitions.of(schema);
  if (members === null || definitions === null) return null;
  if (!members.every(({ name }) => /^[a-zA-Z_]\w*$/.test(name))) return null;
  const rules = new RuleSet();
  /** The items of lists, by their schemas: those of a list may be lists of the same kind. */
  const known = new Map<JsonSchema, Expression>();
  const itemOf = (items: JsonSchema): Expression =>
    known.get(items) ??
    rules.add((name) => {
      known.set(items, rule(name));
      return value(items);
    });
  const value = (given: JsonSchema): Expression => {
    const part = definitions.resolved(given);
    const asJson = () => rules.include(compileSchema(definitions.standalone(part), CALL_JSON));
    const strings = unquotedStrings(part, "'");
    if (strings !== null) {
      const quoted = rules.language(and(strings, without(['\\'])));
      return quoted === null ? asJson() : choice(asJson(), sequence(text("'"), quoted, text("'")));
    }
    const typed = typedPart(part);
    switch (typed.kind) {
      case 'null':
        return text('None');
      case 'boolean':
        return choice(text('True'), text('False'));
      case 'any':
        return choice(...typed.options.map(value));
      case 'array': {
        const item = itemOf(typed.items);
        const further = repeat(sequence(text(', '), item), Math.max(0, typed.min - 1), typed.max - 1);
        const items = typed.max === 0 ? text('') : sequence(item, further);
        return sequence(text('['), typed.min === 0 ? choice(text(''), items) : items, text(']'));
      }
      default:
        return asJson();
    }
  };
  const written = members.map(({ name, schema: part, required }) => ({
    written: sequence(text(`${name}=`), value(part)),
    required,
  }));
  return rules.grammar(commaList(written, ', ', rules));
}
