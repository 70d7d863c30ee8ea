import { ApiError } from '../../../shared/api-error.ts';
import { quote } from '../../../shared/describe-value.ts';
import type { JsonSchema, ResponseFormat, Tool } from '../../../shared/engine/completion-request.ts';
import { compilePattern, compileTexts } from '../../../shared/grammar/compile-pattern.ts';
import { compileSchema } from '../../../shared/grammar/compile-schema.ts';
import type { Grammar } from '../../../shared/grammar/grammar.ts';
import { SchemaRefusal } from '../../../shared/grammar/schema-tree.ts';
import { printEbnf } from './print-ebnf.ts';

/** JSON mode without a schema. */
const ANY_OBJECT: JsonSchema = { type: 'object' };

const SCHEMA_PARAM = 'response_format.json_schema.schema';

/** How many grammars are kept. A request is compiled when it is checked, and used when its turn comes. */
const MOST_KEPT = 32;

/** Printed grammars, by what they were compiled from; the one used last is the last. */
const compiled = new Map<string, string>();

function once(source: string, compile: () => Grammar): string {
  const grammar = compiled.get(source) ?? printEbnf(compile());
  compiled.delete(source);
  compiled.set(source, grammar);
  if (compiled.size > MOST_KEPT) compiled.delete(compiled.keys().next().value!);
  return grammar;
}

/**
 * The grammar of an answer in xgrammar's EBNF; null for free text.
 * @throws ApiError `invalid_value` for a format that cannot be followed.
 */
export function answerGrammar(format: ResponseFormat): string | null {
  switch (format.type) {
    case 'text':
      return null;
    case 'json_object':
      return schemaGrammar(ANY_OBJECT, SCHEMA_PARAM);
    case 'json_schema':
      return schemaGrammar(format.schema ?? ANY_OBJECT, format.param ?? SCHEMA_PARAM);
    case 'regex':
      return patternGrammar(format.pattern, format.param);
    case 'choice':
      return once(`choice ${JSON.stringify(format.choices)}`, () => compileTexts(format.choices));
  }
}

/**
 * The grammar of a call's arguments, or of a custom tool's input; null for any text.
 * @throws ApiError `invalid_value`
 */
export function toolInputGrammar({ name, parameters, custom }: Tool): string | null {
  if (custom === undefined)
    return schemaGrammar(argumentsSchema(parameters), 'tools', `The schema of ${quote(name)} in \`tools\``);
  return custom.pattern === null ? null : patternGrammar(custom.pattern, 'tools');
}

/**
 * Returns the JSON schema of a function's arguments. A schema that names no type is restricted to objects. A function
 * without parameters accepts only an empty object.
 */
export function argumentsSchema(parameters: JsonSchema | null): JsonSchema {
  if (parameters === null) return { type: 'object', properties: {}, additionalProperties: false };
  if (typeof parameters === 'boolean') return { type: 'object' };
  const shaped = ['type', '$ref', 'anyOf', 'oneOf', 'allOf', 'enum', 'const'].some((keyword) => keyword in parameters);
  return shaped ? parameters : { type: 'object', ...parameters };
}

function schemaGrammar(schema: JsonSchema, param: string, subject = `\`${param}\``): string {
  return refusing(subject, param, () => once(`schema ${JSON.stringify(schema)}`, () => compileSchema(schema)));
}

function patternGrammar(pattern: string, param: string): string {
  return refusing(`\`${param}\``, param, () => once(`pattern ${pattern}`, () => compilePattern(pattern)));
}

function refusing(subject: string, param: string, compile: () => string): string {
  try {
    return compile();
  } catch (thrown) {
    if (!(thrown instanceof SchemaRefusal)) throw thrown;
    const place = thrown.path === '' ? 'its root' : quote(thrown.path);
    throw new ApiError('invalid_value', `${subject} cannot be followed: ${place} ${thrown.message}.`, { param });
  }
}
