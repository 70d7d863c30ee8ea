import { ApiError } from '../../shared/api-error.ts';
import { quote } from '../../shared/describe-value.ts';
import type { CompletionRequest, JsonSchema, ResponseFormat, Tool } from '../../shared/engine/completion-request.ts';
import { localReferences } from '../../shared/json-schema/local-references.ts';
import { GrammarProblem } from './expressions/check-given-grammar.ts';
import { compilePattern, compileTexts } from './json-schema/compile-pattern.ts';
import { boundSchema, type BoundSchema } from './json-schema/bound-schema.ts';
import { CALL_JSON, compileSchema, type CompileOptions } from './json-schema/compile-schema.ts';
import { describedSchema } from './json-schema/described-schema.ts';
import { grammarAfter, TooComplexRest } from './expressions/grammar-after.ts';
import type { Grammar } from './expressions/grammar.ts';
import { parseGbnf } from './expressions/parse-gbnf.ts';
import { SchemaRefusal } from './json-schema/schema-nodes.ts';
import { withBudget } from './regular-language/step-budget.ts';

/** The schema for an answer in JSON mode if the request gives none. */
const ANY_OBJECT: JsonSchema = { type: 'object' };

const SCHEMA_PARAM = 'response_format.json_schema.schema';

/**
 * Limit of cached grammars, and of cached schemas. A request's grammar is compiled when the request is checked, and used when its turn comes.
 */
const MAX_KEPT = 256;

/** Cache of grammars, by their sources; the most recently used is the last. */
const compiled = new Map<string, Grammar>();

/** Cache of the sources of requests whose grammars have been checked; the most recently used is the last. */
const checked = new Map<string, true>();

/**
 * Whether the grammars of a request are being checked. They are compiled then, cached or not, so that the same ones fit
 * into the request's budget of steps whatever came before it.
 */
let isChecking = false;

function once<Value>(cache: Map<string, Value>, source: string, make: () => Value): Value {
  const value = (isChecking ? undefined : cache.get(source)) ?? make();
  cache.delete(source);
  cache.set(source, value);
  if (cache.size > MAX_KEPT) cache.delete(cache.keys().next().value!);
  return value;
}

/** The steps that all grammars of a request may take together: about a second. */
const STEPS_OF_REQUEST = 300_000_000;

/**
 * Compiles the grammars of a request, so that an unsupported one is refused before the request waits in the queue. The
 * grammars are cached until the request's turn.
 * @throws ApiError `invalid_value` for a schema, pattern or grammar that is not supported.
 */
export function checkGrammars(request: CompletionRequest): void {
  const { responseFormat, answerPrefix, raw } = request;
  const tools = request.toolChoice === 'none' ? [] : request.tools;
  once(checked, JSON.stringify([responseFormat, answerPrefix, raw?.constraintPrefix, tools]), () => {
    isChecking = true;
    try {
      withBudget(STEPS_OF_REQUEST, () => {
        answerGrammar(request);
        tools.forEach(toolInputGrammar);
      });
    } finally {
      isChecking = false;
    }
    return true;
  });
}

/**
 * Returns the grammar of what the model writes after the given beginning of the answer ({@link givenBeginning}); null for
 * free text.
 * @throws ApiError `invalid_value` for a format that is not supported, for a format that allows no answer
 * that begins so, and for one that is too complex after it.
 */
export function answerGrammar(request: Pick<CompletionRequest, 'responseFormat' | 'raw' | 'answerPrefix'>) {
  const { responseFormat } = request;
  const grammar = formatGrammar(responseFormat);
  const prefix = givenBeginning(request);
  // A text completion with a `constraint_prefix` and no constraint is refused below.
  if (prefix === '' || (grammar === null && request.answerPrefix !== '')) return grammar;
  const param = request.answerPrefix === '' ? 'constraint_prefix' : 'messages';
  const subject = request.answerPrefix === '' ? '`constraint_prefix`' : 'The last of `messages`';
  return once(compiled, `after ${JSON.stringify([responseFormat, prefix, param])}`, () => {
    const rest = grammar && restAfter(grammar, prefix, subject, param);
    if (rest !== null) return rest;
    const sentence = `${subject} must be the beginning of an answer that a constraint allows, and ${quote(prefix)} is not.`;
    throw new ApiError('invalid_value', sentence, { param });
  });
}

/** Returns the beginning of the answer that the request gives and its constraint covers; empty if there is none. */
export function givenBeginning({ raw, answerPrefix }: Pick<CompletionRequest, 'raw' | 'answerPrefix'>): string {
  return raw?.constraintPrefix ?? answerPrefix;
}

function restAfter(grammar: Grammar, prefix: string, subject: string, param: string): Grammar | null {
  try {
    return grammarAfter(grammar, prefix);
  } catch (thrown) {
    if (!(thrown instanceof TooComplexRest)) throw thrown;
    const sentence = `${subject} is ${quote(prefix)}, and what the constraint allows after it is too complex to be followed; use a shorter beginning or a simpler constraint.`;
    throw new ApiError('invalid_value', sentence, { param });
  }
}

function formatGrammar(format: ResponseFormat): Grammar | null {
  switch (format.type) {
    case 'text':
      return null;
    case 'json_object':
    case 'json_schema':
      return schemaGrammar(answerSchema(format), (format.type === 'json_schema' && format.param) || SCHEMA_PARAM);
    case 'regex':
      return patternGrammar(format.pattern, format.param);
    case 'grammar':
      return givenGrammar(format.grammar, format.param);
    case 'choice':
      return once(compiled, `choice ${JSON.stringify(format.choices)}`, () => compileTexts(format.choices));
  }
}

export function answerSchema(format: ResponseFormat & { type: 'json_object' | 'json_schema' }): JsonSchema {
  return describedSchema((format.type === 'json_schema' ? format.schema : null) ?? ANY_OBJECT);
}

/**
 * Returns the grammar of a call's arguments, or of a custom tool's input; null for any text.
 * @throws ApiError `invalid_value` if it is not supported.
 */
export function toolInputGrammar(tool: Tool): Grammar | null {
  const { custom } = tool;
  if (custom === undefined) return boundArguments(tool).grammar;
  return custom.pattern === null ? null : patternGrammar(custom.pattern, 'tools');
}

/** Cache of the schemas that grammars follow, by the texts of the original schemas; the most recently used is the last. */
const bounds = new Map<string, BoundSchema>();

/**
 * Returns the schema of a function's arguments that the grammar follows, and what it leaves to a check of the complete
 * call. For a function with `strict` that is the whole schema.
 * @throws ApiError `invalid_value` for the schema of a function with `strict` that is not supported.
 */
export function boundArguments({ name, parameters, strict, bound }: Tool): BoundSchema {
  const schema = localReferences(argumentsSchema(bound ?? parameters));
  if (strict) {
    const grammar = schemaGrammar(schema, 'tools', `The schema of ${quote(name)} in \`tools\``, CALL_JSON);
    return { schema, grammar, left: [] };
  }
  const found = once(bounds, JSON.stringify(schema), () => boundSchema(schema));
  return bound === undefined ? found : { ...found, left: ['', ...found.left] };
}

/**
 * Returns the JSON schema of a function's arguments, which are always an object. A function without parameters accepts
 * only an empty object.
 */
export function argumentsSchema(parameters: JsonSchema | null): JsonSchema {
  if (parameters === null) return { type: 'object', properties: {}, additionalProperties: false };
  if (typeof parameters === 'boolean') return { type: 'object' };
  return parameters['type'] === 'object' ? parameters : { ...parameters, type: 'object' };
}

function schemaGrammar(
  schema: JsonSchema,
  param: string,
  subject = `\`${param}\``,
  options: CompileOptions = {},
): Grammar {
  const kind = options === CALL_JSON ? 'call' : 'schema';
  return refusing(subject, param, () =>
    once(compiled, `${kind} ${JSON.stringify(schema)}`, () => compileSchema(schema, options)),
  );
}

function patternGrammar(pattern: string, param: string): Grammar {
  return refusing(`\`${param}\``, param, () => once(compiled, `pattern ${pattern}`, () => compilePattern(pattern)));
}

/** Parses a grammar that the request contains. */
export function givenGrammar(source: string, param: string): Grammar {
  return refusing(`\`${param}\``, param, () => once(compiled, `grammar ${source}`, () => parseGbnf(source)));
}

function refusing(subject: string, param: string, compile: () => Grammar): Grammar {
  try {
    return compile();
  } catch (thrown) {
    if (thrown instanceof GrammarProblem) {
      throw new ApiError('invalid_value', `${subject} cannot be followed: it ${thrown.message}.`, { param });
    }
    if (!(thrown instanceof SchemaRefusal)) throw thrown;
    const place = thrown.path === '' ? 'its root' : quote(thrown.path);
    throw new ApiError('invalid_value', `${subject} cannot be followed: ${place} ${thrown.message}.`, { param });
  }
}
