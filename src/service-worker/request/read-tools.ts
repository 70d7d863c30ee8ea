import { ApiError } from '../../shared/api-error.ts';
import type { Tool, ToolChoice } from '../../shared/completion-request.ts';
import { quote } from '../../shared/describe-value.ts';
import { addCosts, compileCost, findExcess, TOOLS_COST_LIMITS } from '../../shared/json-schema/compile-cost.ts';
import { array, boolean, identifier, isAbsent, object, oneOf, optional, required, text, invalid } from './checks.ts';
import type { Check, JsonObject } from './checks.ts';
import { readSchema } from './read-schema.ts';

/** Kinds that the convention knows and this service lacks; the codes tell them from misspellings. */
const UNSUPPORTED_KINDS = ['custom'];

const readKind: Check<'function'> = (value, param, body) => {
  if (UNSUPPORTED_KINDS.includes(value as string)) throw invalid('unsupported_value', param, '"function"', value);
  return required(oneOf(['function']))(value, param, body);
};

export const readTools: Check<Tool[]> = (value, param, body) => {
  const tools = array(value, param, body).map((tool, index) => readTool(tool, `${param}[${index}]`, body));
  refuseCostlyTools(tools, param);
  return tools;
};

/** One grammar is made of all tools of a request. */
export function refuseCostlyTools(tools: readonly Tool[], param: string): void {
  const excess = findExcess(addCosts(tools.map(({ parameters }) => compileCost(parameters ?? {}))), TOOLS_COST_LIMITS);
  if (excess !== null) throw new ApiError('invalid_value', `\`${param}\` ${excess}.`, { param });
}

const readTool: Check<Tool> = (value, param, body) => {
  const tool = object(value, param, body);
  readKind(tool.type, `${param}.type`, body);
  return required(readFunction)(tool.function, `${param}.function`, body);
};

/** Name, description and parameters of a function. */
export const readFunction: Check<Tool> = (value, param, body) => {
  const described = object(value, param, body);
  const name = required(identifier)(described.name, `${param}.name`, body);
  const description = optional(null, text)(described.description, `${param}.description`, body);
  const parameters = optional(null, readParameters)(described.parameters, `${param}.parameters`, body);
  optional(false, boolean)(described.strict, `${param}.strict`, body);
  return { name, description, parameters };
};

/** Arguments are always an object, so a schema for anything else could never be met. */
const readParameters: Check<JsonObject> = (value, param, body) => {
  const schema = object(value, param, body);
  if (!isAbsent(schema.type) && schema.type !== 'object') {
    throw invalid('invalid_value', param, 'a schema of type "object"', schema.type);
  }
  readSchema(schema, param, body);
  return schema;
};

export interface ReadToolChoice {
  readonly choice: ToolChoice;
  /** Names of the only tools of the request that may be called; null for all of them. */
  readonly allowed: readonly string[] | null;
}

export const readToolChoice: Check<ReadToolChoice> = (value, param, body) => {
  if (typeof value === 'string') {
    const choice = oneOf(['auto', 'none', 'required'])(value, param, body);
    if (choice === 'required' && listedTools(body).length === 0) {
      throw new ApiError('invalid_value', `\`${param}\` is "required", but \`tools\` offers none.`, { param });
    }
    return { choice, allowed: null };
  }
  const choice = object(value, param, body);
  if (choice.type === 'allowed_tools') return readAllowedTools(choice.allowed_tools, `${param}.allowed_tools`, body);
  readKind(choice.type, `${param}.type`, body);
  const name = readListedName(choice.function, `${param}.function`, body);
  return { choice: { name }, allowed: null };
};

const readAllowedTools: Check<ReadToolChoice> = (value, param, body) => {
  const { mode, tools } = required(object)(value, param, body);
  const choice = required(oneOf(['auto', 'required']))(mode, `${param}.mode`, body);
  const path = `${param}.tools`;
  const allowed = required(array)(tools, path, body).map((entry, index) => {
    const tool = object(entry, `${path}[${index}]`, body);
    readKind(tool.type, `${path}[${index}].type`, body);
    return readListedName(tool.function, `${path}[${index}].function`, body);
  });
  if (allowed.length === 0) throw invalid('empty_array', path, 'an array that names at least one of `tools`', tools);
  return { choice, allowed };
};

/** The name of a function that the request offers. */
const readListedName: Check<string> = (value, param, body) => {
  const name = required(text)(required(object)(value, param, body).name, `${param}.name`, body);
  if (listedTools(body).some((tool) => tool.function.name === name)) return name;
  throw new ApiError('invalid_value', `\`${param}.name\` is ${quote(name)}, which is not among \`tools\`.`, {
    param: `${param}.name`,
  });
};

/** `tools` comes before `tool_choice` in the table of fields, so its shape is known to be right there. */
function listedTools(body: JsonObject): readonly { readonly function: { readonly name: string } }[] {
  return (body.tools ?? []) as readonly { readonly function: { readonly name: string } }[];
}
