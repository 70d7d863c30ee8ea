import { ApiError } from '../../shared/api-error.ts';
import type { JsonSchema, ResponseFormat } from '../../shared/engine/completion-request.ts';
import { findPatternProblem } from '../json-schema/find-pattern-problem.ts';
import {
  array,
  described,
  invalid,
  isAbsent,
  object,
  optional,
  text,
  unsupported,
  type Check,
  type JsonObject,
} from './checks.ts';
import { readSchema } from './read-schema.ts';

const schemaFormat: Check<ResponseFormat> = (value, param, body) => ({
  type: 'json_schema',
  schema: readSchema(typeof value === 'string' ? parsed(value, param) : value, param, body) as JsonSchema,
  param,
});

function parsed(value: string, param: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    throw invalid('invalid_value', param, 'a JSON Schema', value);
  }
}

const regexFormat: Check<ResponseFormat> = (value, param, body) => {
  const pattern = text(value, param, body);
  const problem = findPatternProblem(pattern);
  if (problem !== null) throw new ApiError('invalid_value', `\`${param}\` ${problem}.`, { param });
  return { type: 'regex', pattern, param };
};

/**
 * Reads a grammar in GBNF. Only its type is checked here: the parser is too large for the service worker, so the engine
 * checks the rest.
 */
export const grammarFormat: Check<ResponseFormat> = (value, param, body) => ({
  type: 'grammar',
  grammar: text(value, param, body),
  param,
});

const choiceFormat: Check<ResponseFormat> = (value, param, body) => {
  const choices = array(value, param, body).map((one, index) => text(one, `${param}[${index}]`, body));
  if (choices.length === 0) throw invalid('empty_array', param, 'an array of at least one text', value);
  return { type: 'choice', choices };
};

/** Reads `format` of Ollama: the text `json`, or a schema. */
const ollamaFormat: Check<ResponseFormat> = (value, param, body) =>
  value === 'json' ? { type: 'json_object' } : schemaFormat(value, param, body);

/** Reads `grammar` of llama-server, where an empty text means no constraint. */
const llamaGrammar: Check<ResponseFormat | null> = (value, param, body) =>
  value === '' ? null : grammarFormat(value, param, body);

const STRUCTURED_OUTPUTS: Readonly<Record<string, Check<ResponseFormat>>> = {
  json: schemaFormat,
  regex: regexFormat,
  choice: choiceFormat,
  grammar: grammarFormat,
  json_object: (value) => ({ type: value === true ? 'json_object' : 'text' }),
};

/** Reads `structured_outputs` of vLLM: an object with one constraint. */
const structuredOutputs: Check<ResponseFormat> = (value, param, body) => {
  const given = Object.entries(object(value, param, body)).filter(([, constraint]) => !isAbsent(constraint));
  const formats = given.flatMap(([name, constraint]) => {
    if (name === 'structural_tag') unsupported()(constraint, `${param}.${name}`, body);
    const check = Object.hasOwn(STRUCTURED_OUTPUTS, name) ? STRUCTURED_OUTPUTS[name] : undefined;
    return check === undefined ? [] : [check(constraint, `${param}.${name}`, body)];
  });
  if (formats.length === 1) return formats[0]!;
  throw invalid('invalid_value', param, 'an object with one of json, regex, choice, grammar and json_object', value);
};

const SCHEMA = { type: ['object', 'boolean', 'string'] };

function constraint(schema: JsonObject, check: Check<ResponseFormat | null>): Check<ResponseFormat | null> {
  return optional(null, described(schema, check));
}

/** Fields by which vLLM, SGLang (`regex`, `ebnf`), llama-server and Ollama constrain an answer. */
export const CONSTRAINT_FIELDS = {
  guided_json: constraint(SCHEMA, schemaFormat),
  guided_regex: constraint({ type: 'string' }, regexFormat),
  guided_choice: constraint({ type: 'array', items: { type: 'string' }, minItems: 1 }, choiceFormat),
  guided_grammar: constraint({ type: 'string' }, grammarFormat),
  regex: constraint({ type: 'string' }, regexFormat),
  ebnf: constraint({ type: 'string' }, grammarFormat),
  structured_outputs: constraint({ type: 'object' }, structuredOutputs),
  json_schema: constraint(SCHEMA, schemaFormat),
  grammar: constraint({ type: 'string' }, llamaGrammar),
  format: constraint(SCHEMA, ollamaFormat),
} as const satisfies Record<string, Check<unknown>>;

/**
 * The constraint fields, `response_format` included, for a route that does not read them: it rejects them, because an
 * ignored constraint would go unnoticed.
 */
export const REFUSED_CONSTRAINTS = {
  ...(Object.fromEntries(Object.keys(CONSTRAINT_FIELDS).map((name) => [name, unsupported('')])) as Readonly<
    Record<keyof typeof CONSTRAINT_FIELDS, Check<null>>
  >),
  response_format: unsupported({ type: 'text' }),
} as const;

type Constraints = Readonly<Record<keyof typeof CONSTRAINT_FIELDS, ResponseFormat | null>>;

/** Returns the one constraint of a request. @throws ApiError if there are several. */
export function onlyConstraint(fields: Constraints & { readonly response_format: ResponseFormat }): ResponseFormat {
  const given = Object.keys(CONSTRAINT_FIELDS).flatMap((name) => {
    const format = fields[name as keyof Constraints];
    return format === null ? [] : [{ name, format }];
  });
  const first = given[0];
  if (first === undefined) return fields.response_format;
  const other = given[1]?.name ?? (fields.response_format.type === 'text' ? undefined : 'response_format');
  if (other === undefined) return first.format;
  const sentence = `\`${first.name}\` and \`${other}\` both constrain the answer; leave one out.`;
  throw new ApiError('invalid_value', sentence, { param: first.name });
}
