import type { JsonSchema } from '../../../../shared/engine/completion-request.ts';
import { choice, repeat, sequence, text, type Expression, type Grammar } from '../../../grammar/expressions/grammar.ts';
import { RuleSet } from '../../../grammar/expressions/rule-set.ts';
import { CALL_JSON, compileSchema } from '../../../grammar/json-schema/compile-schema.ts';
import { SchemaRefusal } from '../../../grammar/json-schema/schema-nodes.ts';
import { unquotedStrings } from '../../../grammar/json-schema/string-schema.ts';
import type { ArgumentNotation } from './argument-notation.ts';
import { commaList } from './comma-list.ts';
import { GemmaReader } from './gemma-reader.ts';
import { Definitions, plainMembers } from './plain-members.ts';
import { typedPart } from './typed-parts.ts';

/** Limit of nested objects and arrays. A schema that contains itself exceeds it. */
const MAX_DEPTH = 8;

/**
 * Arguments in the notation of Gemma's functions: JSON without white space, with names without quotation marks, and
 * strings without escapes between two marks of their own: `{city:<|"|>Rome<|"|>,days:3}`.
 * @param quote The mark around a string.
 */
export function gemmaArguments(quote: string): ArgumentNotation {
  return {
    grammar: (schema) => {
      try {
        return gemmaGrammar(quote, schema);
      } catch (thrown) {
        if (thrown instanceof SchemaRefusal) return null;
        throw thrown;
      }
    },
    reader: () => new GemmaReader(quote),
  };
}

function gemmaGrammar(quote: string, schema: JsonSchema): Grammar | null {
  const definitions = Definitions.of(schema);
  if (definitions === null) return null;
  const rules = new RuleSet();
  const object = (part: JsonSchema, depth: number): Expression | null => {
    const members = plainMembers(part);
    if (members === null || !members.every(({ name }) => /^[\w-]+$/.test(name))) return null;
    const values = members.map((member) => ({ ...member, value: value(member.schema, depth + 1) }));
    if (values.some((one) => one.value === null)) return null;
    const written = values.map((one) => ({
      written: sequence(text(`${one.name}:`), one.value!),
      required: one.required,
    }));
    return sequence(text('{'), commaList(written, ',', rules), text('}'));
  };
  const value = (given: JsonSchema, depth: number): Expression | null => {
    const part = definitions.resolved(given);
    const strings = unquotedStrings(part, quote);
    if (strings !== null) {
      const unquoted = rules.language(strings);
      return unquoted && sequence(text(quote), unquoted, text(quote));
    }
    const typed = typedPart(part);
    switch (typed.kind) {
      case 'null':
        return text('null');
      case 'boolean':
        return choice(text('true'), text('false'));
      case 'number':
        return rules.include(compileSchema(part, CALL_JSON));
      case 'any': {
        const options = typed.options.map((option) => value(option, depth + 1));
        return options.every((option) => option !== null) ? choice(...options) : null;
      }
      case 'array': {
        const inner = depth < MAX_DEPTH ? value(typed.items, depth + 1) : null;
        if (inner === null) return null;
        const item = rules.add(() => inner);
        const further = repeat(sequence(text(','), item), Math.max(0, typed.min - 1), typed.max - 1);
        const items = typed.max === 0 ? text('') : sequence(item, further);
        return sequence(text('['), typed.min === 0 ? choice(text(''), items) : items, text(']'));
      }
      case 'object':
        return depth < MAX_DEPTH ? object(part, depth) : null;
      case 'other':
        return null;
    }
  };
  const root = object(schema, 0);
  return root && rules.grammar(root);
}
