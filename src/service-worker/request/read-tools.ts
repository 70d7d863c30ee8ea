import { ApiError } from '../../shared/api-error.ts';
import type { Tool, ToolChoice } from '../../shared/completion-request.ts';
import { quote } from '../../shared/describe-value.ts';
import { addCosts, compileCost, findExcess, TOOLS_COST_LIMITS } from '../../shared/json-schema/compile-cost.ts';
import { array, boolean, identifier, isAbsent, object, oneOf, optional, required, text, invalid } from './checks.ts';
import type { Check, JsonObject } from './checks.ts';
import { readSchema } from './read-schema.ts';

/** Kinds that the convention knows and this service lacks; the codes tell them from misspellings. */
const UNSUPPORTED_KINDS = ['custom', 'allowed_tools'];

const readKind: Check<'function'> = (value, param, body) => {
  if (UNSUPPORTED_KINDS.includes(value as string)) throw invalid('unsupported_value', param, '"function"', value);
  return required(oneOf(['function']))(value, param, body);
};

export const readTools: Check<Tool[]> = (value, param, body) => {
  const tools = array(value, param, body).map((tool, index) => readTool(tool, `${param}[${index}]`, body));
  // One grammar is made of them all.
  const excess = findExcess(addCosts(tools.map(({ parameters }) => compileCost(parameters ?? {}))), TOOLS_COST_LIMITS);
  if (excess !== null) throw new ApiError('invalid_value', `\`${param}\` ${excess}.`, { param });
  return tools;
};

const readTool: Check<Tool> = (value, param, body) => {
  const tool = object(value, param, body);
  readKind(tool.type, `${param}.type`, body);
  const path = `${param}.function`;
  const described = required(object)(tool.function, path, body);
  const name = required(identifier)(described.name, `${path}.name`, body);
  const description = optional(null, text)(described.description, `${path}.description`, body);
  const parameters = optional(null, readParameters)(described.parameters, `${path}.parameters`, body);
  optional(false, boolean)(described.strict, `${path}.strict`, body);
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

export const readToolChoice: Check<ToolChoice> = (value, param, body) => {
  // `tools` comes earlier in the table, so its shape is known to be right here.
  const tools = (body.tools ?? []) as readonly { readonly function: { readonly name: string } }[];
  if (typeof value === 'string') {
    const choice = oneOf(['auto', 'none', 'required'])(value, param, body);
    if (choice === 'required' && tools.length === 0) {
      throw new ApiError('invalid_value', `\`${param}\` is "required", but \`tools\` offers none.`, { param });
    }
    return choice;
  }
  const choice = object(value, param, body);
  readKind(choice.type, `${param}.type`, body);
  const path = `${param}.function`;
  const name = required(text)(required(object)(choice.function, path, body).name, `${path}.name`, body);
  if (!tools.some((tool) => tool.function.name === name)) {
    throw new ApiError('invalid_value', `\`${path}.name\` is ${quote(name)}, which is not among \`tools\`.`, {
      param: `${path}.name`,
    });
  }
  return { name };
};
