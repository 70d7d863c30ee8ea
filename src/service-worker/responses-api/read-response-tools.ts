import type { Tool } from '../../shared/engine/completion-request.ts';
import { array, invalid, membersOf, object, oneOf, required, text } from '../request/checks.ts';
import type { Check, JsonObject } from '../request/checks.ts';
import { limitCost, readCustomTool, readFunction } from '../request/read-tools.ts';
import { hostedTool, notOffered, toolChoiceCheck, type ReadToolChoice } from '../request/tool-choice-check.ts';
import { readFileSearch, type FileSearchTool } from './file-search/read-file-search.ts';

interface ResponseTool extends Tool {
  /** Name of the group of tools (`type: 'namespace'`) that the request put this tool in. Absent if it stands alone. */
  readonly namespace?: string;
}

export interface ResponseTools {
  readonly tools: readonly ResponseTool[];
  /** The search of files that the request offers. */
  readonly fileSearch: FileSearchTool | null;
}

/**
 * Reads `tools`: functions and custom tools, alone or in groups of the type `namespace`, and at most one `file_search`.
 * Unlike in chat completions, the fields of a tool stand beside `type`.
 */
export const readResponseTools: Check<ResponseTools> = (value, param, body) => {
  let fileSearch: FileSearchTool | null = null;
  const tools = array(value, param, body).flatMap((entry, index): ResponseTool[] => {
    const path = `${param}[${index}]`;
    const tool = object(entry, path, body);
    if (tool.type === FILE_SEARCH) {
      if (fileSearch !== null) throw invalid('invalid_value', `${path}.type`, 'given once', FILE_SEARCH);
      fileSearch = readFileSearch(tool, path, body);
      return [];
    }
    if (tool.type !== 'namespace') return [readTool(tool, path, body)];
    const member = membersOf(tool, path, body);
    const namespace = member('name', required(text));
    const inner = member('tools', required(array));
    return inner.map((one, place) => ({ ...readTool(one, `${path}.tools[${place}]`, body), namespace }));
  });
  return { tools: limitCost(tools, param), fileSearch };
};

const readTool: Check<Tool> = (value, param, body) => {
  const tool = object(value, param, body);
  const read = readKind(tool, param, body) === 'custom' ? readCustomTool : readFunction;
  return read(tool, param, body);
};

const FILE_SEARCH = 'file_search';

/** Tools that OpenAI hosts, and tools for a computer or a shell. */
const HOSTED_TOOLS =
  /^(web_search|code_interpreter|computer|mcp|image_generation|local_shell|shell|apply_patch|tool_search|programmatic_tool_calling)/;

function readKind(tool: JsonObject, param: string, body: JsonObject): 'function' | 'custom' {
  const path = `${param}.type`;
  const type = required(text)(tool.type, path, body);
  if (HOSTED_TOOLS.test(type)) throw hostedTool(path, type);
  return oneOf(['function', 'custom'])(type, path, body);
}

const readOfferedName: Check<string> = (value, param, body) => {
  const tool = object(value, param, body);
  readKind(tool, param, body);
  const name = membersOf(tool, param, body)('name', required(text));
  if (offeredNames(body.tools).includes(name)) return name;
  throw notOffered(`${param}.name`, name);
};

const readFunctionChoice = toolChoiceCheck({
  offersNone: (body) => offeredNames(body.tools).length === 0,
  readName: readOfferedName,
  allowedTools: (choice, param) => [choice, param],
});

export interface ResponseToolChoice extends ReadToolChoice {
  /** Whether files are searched, if the request offers that. */
  readonly searches: boolean;
}

/**
 * Reads `tool_choice`. Unlike in chat completions, its fields stand beside `type`. A search of files counts as the tool
 * call that `required` demands.
 */
export const readResponseToolChoice: Check<ResponseToolChoice> = (value, param, body) => {
  const offersSearch = ((body.tools ?? []) as readonly unknown[]).some(isFileSearch);
  const searchAlone = { choice: 'none', allowed: null, searches: true } as const;
  if (isFileSearch(value)) {
    if (offersSearch) return searchAlone;
    throw notOffered(`${param}.type`, FILE_SEARCH);
  }
  if (offersSearch && value === 'required') return { choice: 'auto', allowed: null, searches: true };
  const { type, tools: named } = (typeof value === 'object' && value !== null ? value : {}) as JsonObject;
  if (!offersSearch || type !== 'allowed_tools' || !Array.isArray(named) || !named.some(isFileSearch)) {
    const read = readFunctionChoice(value, param, body);
    return { ...read, searches: read.choice === 'auto' && read.allowed === null };
  }
  const functions = named.filter((tool) => !isFileSearch(tool));
  if (functions.length === 0) return searchAlone;
  const read = readFunctionChoice({ ...(value as JsonObject), tools: functions }, param, body);
  return { choice: 'auto', allowed: read.allowed, searches: true };
};

function isFileSearch(tool: unknown): boolean {
  return typeof tool === 'object' && tool !== null && 'type' in tool && tool.type === FILE_SEARCH;
}

/**
 * Returns the names of the request's tools. The field table checks `tools` before `tool_choice`, so their shape is
 * known.
 */
function offeredNames(tools: unknown): string[] {
  const offered = (tools ?? []) as readonly {
    readonly name: string;
    readonly tools?: unknown;
    readonly type: string;
  }[];
  return offered.flatMap((tool) => {
    if (tool.type === FILE_SEARCH) return [];
    return tool.type === 'namespace' ? offeredNames(tool.tools) : [tool.name];
  });
}
