import type { JsonSchema } from '../../../../shared/engine/completion-request.ts';
import { choice, sequence, text, type Expression, type Grammar } from '../../../grammar/expressions/grammar.ts';
import { RuleSet } from '../../../grammar/expressions/rule-set.ts';
import { CALL_JSON, compileSchema } from '../../../grammar/json-schema/compile-schema.ts';
import { SchemaRefusal } from '../../../grammar/json-schema/schema-nodes.ts';
import { unquotedStrings } from '../../../grammar/json-schema/string-schema.ts';
import { and, without, type Language } from '../../../grammar/regular-language/regular-language.ts';
import type { ArgumentNotation, ArgumentReader } from './argument-notation.ts';
import { Definitions, plainMembers, type PlainMember } from './plain-members.ts';
import { TaggedReader } from './tagged-reader.ts';

/** The texts around the name and the value of one parameter. */
export interface Tags {
  readonly before: string;
  /** Between the name and the value, if the schema allows only strings. The value is then written as it is. */
  readonly beforeText: string;
  /** Between the name and a value of another schema, which is written as JSON. Default: `beforeText`. */
  readonly beforeJson?: string;
  readonly end: string;
  /** The marks around a string that has characters with a meaning in XML, or several lines. Default: it has none. */
  readonly quotes?: readonly [open: string, close: string];
}

/**
 * Arguments as a list of tags, one for each parameter, such as `<parameter=city>\nRome\n</parameter>\n`. The parameters
 * come in the schema's order, and an optional one may be missing.
 */
export function taggedArguments(tags: Tags): ArgumentNotation {
  return {
    grammar: (schema) => {
      try {
        return taggedGrammar(tags, schema);
      } catch (thrown) {
        if (thrown instanceof SchemaRefusal) return null;
        throw thrown;
      }
    },
    reader: (schema): ArgumentReader => new TaggedReader(tags, textNames(tags, schema)),
  };
}

function taggedGrammar(tags: Tags, schema: JsonSchema): Grammar | null {
  const members = plainMembers(schema);
  const definitions = Definitions.of(schema);
  if (members === null || definitions === null) return null;
  const rules = new RuleSet();
  const parts: Expression[] = [];
  for (const { name, schema: given, required } of members) {
    const { before, beforeText, beforeJson = beforeText, end } = tags;
    if ([beforeText, beforeJson].some((mark) => name.includes(mark.slice(0, 1)))) return null;
    const part = definitions.resolved(given);
    const strings = unquotedStrings(part, end);
    const value =
      strings === null
        ? rules.include(compileSchema(definitions.standalone(part), CALL_JSON))
        : textValue(tags, strings, rules);
    if (value === null) return null;
    const written = sequence(text(before + name + (strings === null ? beforeJson : beforeText)), value, text(end));
    parts.push(required ? written : choice(text(''), written));
  }
  return rules.grammar(sequence(...parts));
}

function textValue({ quotes }: Tags, strings: Language, rules: RuleSet): Expression | null {
  if (quotes === undefined) return rules.language(strings);
  const [open, close] = quotes;
  const plain = rules.language(and(strings, without(['<', '&', '\n'])));
  const quoted = rules.language(and(strings, without([close])));
  return plain && quoted && choice(plain, sequence(text(open), quoted, text(close)));
}

/** Returns the names of the parameters whose values are written without quotation marks. */
function textNames({ end }: Tags, schema: JsonSchema): ReadonlySet<string> {
  const definitions = Definitions.of(schema);
  const isText = ({ schema: part }: PlainMember) => unquotedStrings(definitions!.resolved(part), end) !== null;
  return new Set((plainMembers(schema) ?? []).filter(isText).map(({ name }) => name));
}
