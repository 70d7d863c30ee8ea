import { ApiError } from '../../shared/api-error.ts';
import type { Tool } from '../../shared/engine/completion-request.ts';
import { quote } from '../../shared/describe-value.ts';
import { array, object, oneOf, required, text } from '../request/checks.ts';
import type { Check, JsonObject } from '../request/checks.ts';
import { readCustomTool, readFunction, refuseCostlyTools } from '../request/read-tools.ts';
import { toolChoiceCheck } from '../request/tool-choice-check.ts';

/** A function or a custom tool, and what the response says of it. */
export interface ResponseTool {
  readonly tool: Tool;
  /** The namespace that it came in; null for none. */
  readonly namespace: string | null;
}

/** `tools`: functions and custom tools, with their fields beside the type, alone or in namespaces. */
export const readResponseTools: Check<ResponseTool[]> = (value, param, body) => {
  const tools = array(value, param, body).flatMap((entry, index): ResponseTool[] => {
    const path = `${param}[${index}]`;
    const tool = object(entry, path, body);
    if (tool.type !== 'namespace') return [{ tool: readTool(tool, path, body), namespace: null }];
    const namespace = required(text)(tool.name, `${path}.name`, body);
    const inner = required(array)(tool.tools, `${path}.tools`, body);
    return inner.map((one, place) => ({ tool: readTool(one, `${path}.tools[${place}]`, body), namespace }));
  });
  refuseCostlyTools(
    tools.map(({ tool }) => tool),
    param,
  );
  return tools;
};

const readTool: Check<Tool> = (value, param, body) => {
  const tool = object(value, param, body);
  const read = readKind(tool, param, body) === 'custom' ? readCustomTool : readFunction;
  return read(tool, param, body);
};

/** Tools that the cloud service runs by itself or with a computer of its own. */
const HOSTED_TOOLS =
  /^(web_search|file_search|code_interpreter|computer|mcp|image_generation|local_shell|shell|apply_patch|tool_search|programmatic_tool_calling)/;

function readKind(tool: JsonObject, param: string, body: JsonObject): 'function' | 'custom' {
  const path = `${param}.type`;
  const type = required(text)(tool.type, path, body);
  if (HOSTED_TOOLS.test(type)) {
    const sentence = `\`${path}\` is ${quote(type)}, a tool that the cloud service hosts and this device does not have. Leave it out, or offer a function of your own.`;
    throw new ApiError('unsupported_value', sentence, { param: path });
  }
  return oneOf(['function', 'custom'])(type, path, body);
}

const readOfferedName: Check<string> = (value, param, body) => {
  const tool = object(value, param, body);
  readKind(tool, param, body);
  const name = required(text)(tool.name, `${param}.name`, body);
  if (offeredNames(body.tools).includes(name)) return name;
  const sentence = `\`${param}.name\` is ${quote(name)}, which is not among \`tools\`.`;
  throw new ApiError('invalid_value', sentence, { param: `${param}.name` });
};

/** `tool_choice`, in the form that has its fields beside the type. */
export const readResponseToolChoice = toolChoiceCheck({
  offersNone: (body) => offeredNames(body.tools).length === 0,
  readName: readOfferedName,
  allowedTools: (choice, param) => [choice, param],
});

/** `tools` comes before `tool_choice` in the table of fields, so its shape is known to be right there. */
function offeredNames(tools: unknown): string[] {
  const offered = (tools ?? []) as readonly {
    readonly name: string;
    readonly tools?: unknown;
    readonly type: string;
  }[];
  return offered.flatMap((tool) => (tool.type === 'namespace' ? offeredNames(tool.tools) : [tool.name]));
}
