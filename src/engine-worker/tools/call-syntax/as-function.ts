import type { JsonSchema, Tool } from '../../../shared/engine/completion-request.ts';
import { CUSTOM_INPUT } from './call-syntax.ts';

/** Returns a custom tool as a function with one string, and a function as it is. Chat templates describe only functions. */
export function asFunction(tool: Tool): Tool {
  if (tool.custom === undefined) return tool;
  const { name, description, custom } = tool;
  const input: JsonSchema =
    custom.pattern === null ? { type: 'string' } : { type: 'string', pattern: `^(?:${custom.pattern})$` };
  const parameters = { type: 'object', properties: { [CUSTOM_INPUT]: input }, required: [CUSTOM_INPUT] };
  return { name, description, parameters: { ...parameters, additionalProperties: false } };
}
