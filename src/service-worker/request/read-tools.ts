import { ApiError } from '../../shared/api-error.ts';
import type { Tool } from '../../shared/engine/completion-request.ts';
import { addCosts, compileCost, findExcess, TOOLS_COST_LIMITS, type CompileCost } from '../json-schema/compile-cost.ts';
import { objectOutlines } from '../../shared/json-schema/object-outlines.ts';
import { looseSchema } from '../json-schema/loose-schema.ts';
import { findPatternProblem } from '../json-schema/find-pattern-problem.ts';
import {
  array,
  boolean,
  identifier,
  isAbsent,
  membersOf,
  object,
  oneOf,
  optional,
  required,
  text,
  invalid,
} from './checks.ts';
import type { Check, JsonObject } from './checks.ts';
import { readSchema } from './read-schema.ts';
import { notOffered, toolChoiceCheck } from './tool-choice-check.ts';

/** The type of a tool, which is also the name of the property that describes it. */
const readKind = required(oneOf(['function', 'custom']));

/** JSON Schema of the values that {@link readTools} accepts. */
export const TOOLS_SCHEMA = {
  type: 'array',
  items: { type: 'object', required: ['type'], properties: { type: { enum: ['function', 'custom'] } } },
} as const;

export const readTools: Check<Tool[]> = (value, param, body) => {
  const tools = array(value, param, body).map((tool, index) => readTool(tool, `${param}[${index}]`, body));
  return limitCost(tools, param);
};

/**
 * Limits the cost of the combined grammar of a request's tools, which the engine makes of all of them. Without `strict`
 * the costliest tools are bound less closely.
 * @throws ApiError `invalid_value` if those with `strict`, and the patterns of custom tools, are too costly alone.
 */
export function limitCost<Some extends Tool>(tools: readonly Some[], param: string): Some[] {
  const limited = tools.map(withCost);
  const loosened = limited.map(loosenedTool);
  for (;;) {
    const excess = findExcess(addCosts(limited.map(({ cost }) => cost)), TOOLS_COST_LIMITS);
    if (excess === null) return limited.map(({ tool }) => tool);
    const savings = loosened.map((less, index) => (less === null ? 0 : limited[index]!.size - less.size));
    const most = savings.indexOf(Math.max(...savings));
    const less = loosened[most] ?? null;
    if (less === null) throw new ApiError('invalid_value', `\`${param}\` ${excess}.`, { param });
    limited[most] = less;
    loosened[most] = loosenedTool(less);
  }
}

interface CostedTool<Some extends Tool> {
  readonly tool: Some;
  readonly cost: CompileCost;
  /** The share of all limits that the cost takes. */
  readonly size: number;
}

function withCost<Some extends Tool>(tool: Some): CostedTool<Some> {
  const cost = costOf(tool);
  return { tool, cost, size: sizeOf(cost) };
}

function costOf({ parameters, bound = parameters ?? {}, custom }: Tool): CompileCost {
  const pattern = custom?.pattern ?? null;
  return compileCost(pattern === null ? bound : { type: 'string', pattern });
}

/** Returns the share of all limits that a cost takes. */
function sizeOf(cost: CompileCost): number {
  const kinds = Object.keys(cost) as (keyof CompileCost)[];
  return kinds.reduce((sum, kind) => sum + cost[kind] / TOOLS_COST_LIMITS[kind], 0);
}

/** Returns the function with the closest outline of its schema that is less costly; null if there is none. */
function loosenedTool<Some extends Tool>({ tool, size }: CostedTool<Some>): CostedTool<Some> | null {
  if (tool.strict || tool.custom !== undefined || tool.parameters === null) return null;
  const outlined = objectOutlines(tool.parameters).map((bound) => withCost({ ...tool, bound }));
  return outlined.find((one) => one.size < size) ?? null;
}

const readTool: Check<Tool> = (value, param, body) => {
  const member = membersOf(value, param, body);
  const kind = member('type', readKind);
  return member(kind, required(kind === 'function' ? readFunction : readCustomTool));
};

export const readFunction: Check<Tool> = (value, param, body) => {
  const member = membersOf(value, param, body);
  const name = member('name', required(identifier));
  const description = member('description', optional(null, text));
  const strict = member('strict', optional(false, boolean));
  const read = strict ? readStrictParameters : readParameters;
  const schemas = member('parameters', optional({ parameters: null }, read));
  return { name, description, ...schemas, ...(strict && { strict }) };
};

export const readCustomTool: Check<Tool> = (value, param, body) => {
  const member = membersOf(value, param, body);
  const name = member('name', required(identifier));
  const description = member('description', optional(null, text));
  const pattern = member('format', optional(null, readTextFormat));
  return { name, description, parameters: null, custom: { pattern } };
};

/**
 * Reads the format of a custom tool's input: a pattern, or null for any text. Chat completions nest `grammar`,
 * responses do not; both forms are accepted.
 */
const readTextFormat: Check<string | null> = (value, param, body) => {
  const format = object(value, param, body);
  if (membersOf(format, param, body)('type', required(oneOf(['text', 'grammar']))) === 'text') return null;
  const nested = !isAbsent(format.grammar);
  const path = nested ? `${param}.grammar` : param;
  const grammar = nested ? object(format.grammar, path, body) : format;
  const member = membersOf(grammar, path, body);
  const syntax = member('syntax', required(oneOf(['lark', 'regex'])));
  if (syntax === 'lark') throw invalid('unsupported_value', `${path}.syntax`, '"regex" on this device', syntax);
  const pattern = member('definition', required(text));
  const problem = findPatternProblem(pattern);
  if (problem === null) return pattern;
  const sentence = `\`${path}.definition\` ${problem}.`;
  throw new ApiError('invalid_value', sentence, { param: `${path}.definition` });
};

/** What the engine gets of the schema of a function's arguments. */
export type Parameters = Pick<Tool, 'parameters' | 'bound'>;

/**
 * Reads the schema of a function's arguments, which the grammar must follow whole. Arguments are always an object, so a
 * schema of another type is rejected.
 */
export const readStrictParameters: Check<Parameters> = (value, param, body) => {
  const schema = readObjectSchema(value, param, body);
  readSchema(schema, param, body);
  return { parameters: schema };
};

/**
 * Reads the schema of a function's arguments without `strict`. What cannot be followed is no error: the arguments are
 * compared with the schema when they are complete.
 */
export const readParameters: Check<Parameters> = (value, param, body) =>
  looseSchema(readObjectSchema(value, param, body));

const readObjectSchema: Check<JsonObject> = (value, param, body) => {
  const schema = object(value, param, body);
  const types: readonly unknown[] = Array.isArray(schema.type) ? schema.type : [schema.type];
  if (isAbsent(schema.type) || types.includes('object')) return schema;
  throw invalid('invalid_value', param, 'a schema of type "object"', schema.type);
};

/** Reads the name of a tool in `tool_choice`, which must be in `tools`. */
const readListedName: Check<string> = (value, param, body) => {
  const member = membersOf(value, param, body);
  const kind = member('type', readKind);
  const path = `${param}.${kind}`;
  const name = membersOf(member(kind, required(object)), path, body)('name', required(text));
  if (listedTools(body).some((listed) => listed[kind]?.name === name)) return name;
  throw notOffered(`${path}.name`, name);
};

interface ListedTool {
  readonly function?: { readonly name: string };
  readonly custom?: { readonly name: string };
}

/** Returns the request's `tools`. The field table checks them before `tool_choice`, so their shape is known. */
function listedTools(body: JsonObject): readonly ListedTool[] {
  return (body.tools ?? []) as readonly ListedTool[];
}

export const readToolChoice = toolChoiceCheck({
  offersNone: (body) => listedTools(body).length === 0,
  readName: readListedName,
  allowedTools: (choice, param) => [choice.allowed_tools, `${param}.allowed_tools`],
});
