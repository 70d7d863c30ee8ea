import { ApiError } from '../../shared/api-error.ts';
import { quote } from '../../shared/describe-value.ts';
import type { Tool } from '../../shared/engine/completion-request.ts';
import { addCosts, compileCost, findExcess, TOOLS_COST_LIMITS } from '../json-schema/compile-cost.ts';
import { findPatternProblem } from '../json-schema/find-pattern-problem.ts';
import { array, boolean, identifier, isAbsent, object, oneOf, optional, required, text, invalid } from './checks.ts';
import type { Check, JsonObject } from './checks.ts';
import { readSchema } from './read-schema.ts';
import { toolChoiceCheck } from './tool-choice-check.ts';

/** The type of a tool, which is also the name of the property that describes it. */
const readKind = required(oneOf(['function', 'custom']));

/** JSON Schema of the values that {@link readTools} accepts. */
export const TOOLS_SCHEMA = {
  type: 'array',
  items: { type: 'object', required: ['type'], properties: { type: { enum: ['function', 'custom'] } } },
} as const;

export const readTools: Check<Tool[]> = (value, param, body) => {
  const tools = array(value, param, body).map((tool, index) => readTool(tool, `${param}[${index}]`, body));
  refuseCostlyTools(tools, param);
  return tools;
};

/**
 * Rejects tools whose combined grammar is too costly to compile: the engine makes one grammar of all tools of a
 * request.
 */
export function refuseCostlyTools(tools: readonly Tool[], param: string): void {
  const schemas = tools.map(({ parameters, custom }) => {
    const pattern = custom?.pattern ?? null;
    return pattern === null ? (parameters ?? {}) : { type: 'string', pattern };
  });
  const excess = findExcess(addCosts(schemas.map(compileCost)), TOOLS_COST_LIMITS);
  if (excess !== null) throw new ApiError('invalid_value', `\`${param}\` ${excess}.`, { param });
}

const readTool: Check<Tool> = (value, param, body) => {
  const tool = object(value, param, body);
  const kind = readKind(tool.type, `${param}.type`, body);
  const read = kind === 'function' ? readFunction : readCustomTool;
  return required(read)(tool[kind], `${param}.${kind}`, body);
};

export const readFunction: Check<Tool> = (value, param, body) => {
  const described = object(value, param, body);
  const name = required(identifier)(described.name, `${param}.name`, body);
  const description = optional(null, text)(described.description, `${param}.description`, body);
  const parameters = optional(null, readParameters)(described.parameters, `${param}.parameters`, body);
  optional(false, boolean)(described.strict, `${param}.strict`, body);
  return { name, description, parameters };
};

export const readCustomTool: Check<Tool> = (value, param, body) => {
  const described = object(value, param, body);
  const name = required(identifier)(described.name, `${param}.name`, body);
  const description = optional(null, text)(described.description, `${param}.description`, body);
  const pattern = optional(null, readTextFormat)(described.format, `${param}.format`, body);
  return { name, description, parameters: null, custom: { pattern } };
};

/**
 * Reads the format of a custom tool's input: a pattern, or null for any text. Chat completions nest `grammar`,
 * responses do not; both forms are accepted.
 */
const readTextFormat: Check<string | null> = (value, param, body) => {
  const format = object(value, param, body);
  if (required(oneOf(['text', 'grammar']))(format.type, `${param}.type`, body) === 'text') return null;
  const nested = !isAbsent(format.grammar);
  const path = nested ? `${param}.grammar` : param;
  const grammar = nested ? object(format.grammar, path, body) : format;
  const syntax = required(oneOf(['lark', 'regex']))(grammar.syntax, `${path}.syntax`, body);
  if (syntax === 'lark') throw invalid('unsupported_value', `${path}.syntax`, '"regex" on this device', syntax);
  const pattern = required(text)(grammar.definition, `${path}.definition`, body);
  const problem = findPatternProblem(pattern);
  if (problem === null) return pattern;
  const sentence = `\`${path}.definition\` ${problem}.`;
  throw new ApiError('invalid_value', sentence, { param: `${path}.definition` });
};

/**
 * Reads the schema of a function's arguments. Arguments are always an object, so a schema of another type is rejected.
 */
export const readParameters: Check<JsonObject> = (value, param, body) => {
  const schema = object(value, param, body);
  if (!isAbsent(schema.type) && schema.type !== 'object') {
    throw invalid('invalid_value', param, 'a schema of type "object"', schema.type);
  }
  readSchema(schema, param, body);
  return schema;
};

/** Reads the name of a tool in `tool_choice`, which must be in `tools`. */
const readListedName: Check<string> = (value, param, body) => {
  const tool = object(value, param, body);
  const kind = readKind(tool.type, `${param}.type`, body);
  const path = `${param}.${kind}`;
  const name = required(text)(required(object)(tool[kind], path, body).name, `${path}.name`, body);
  if (listedTools(body).some((listed) => listed[kind]?.name === name)) return name;
  throw new ApiError('invalid_value', `\`${path}.name\` is ${quote(name)}, which is not among \`tools\`.`, {
    param: `${path}.name`,
  });
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
