import { ApiError } from '../../shared/api-error.ts';
import type { Tool, ToolChoice } from '../../shared/engine/completion-request.ts';
import { array, boolean, identifierUpTo, membersOf, oneOf, optional, required, text } from '../request/checks.ts';
import type { Check } from '../request/checks.ts';
import { hostedTool, notOffered } from '../request/tool-choice-check.ts';
import { limitCost, readParameters, readStrictParameters } from '../request/read-tools.ts';

/** JSON Schema of the values that {@link readMessageTools} accepts. */
export const MESSAGE_TOOLS_SCHEMA = {
  type: 'array',
  items: {
    type: 'object',
    required: ['name', 'input_schema'],
    properties: { name: { type: 'string' }, input_schema: { type: 'object' }, type: { enum: ['custom', null] } },
  },
} as const;

/**
 * Reads `tools`. Only the type `custom` is accepted: the other types are tools that Anthropic's service defines and
 * hosts.
 */
export const readMessageTools: Check<Tool[]> = (value, param, body) => {
  const tools = array(value, param, body).map((entry, index): Tool => {
    const path = `${param}[${index}]`;
    const member = membersOf(entry, path, body);
    const type = member('type', optional('custom', text));
    if (type !== 'custom') throw hostedTool(`${path}.type`, type);
    const strict = member('strict', optional(false, boolean));
    const read = strict ? readStrictParameters : readParameters;
    return {
      name: member('name', required(identifierUpTo(128))),
      description: member('description', optional(null, text)),
      ...member('input_schema', required(read)),
      ...(strict && { strict }),
    };
  });
  return limitCost(tools, param);
};

const CHOICES = { auto: 'auto', any: 'required', none: 'none' } as const;

/** Reads `tool_choice`, and whether the model may call several tools at once. */
export const readMessageToolChoice: Check<{ choice: ToolChoice; parallel: boolean }> = (value, param, body) => {
  const member = membersOf(value, param, body);
  const kind = member('type', required(oneOf(['auto', 'any', 'none', 'tool'])));
  const parallel = !member('disable_parallel_tool_use', optional(false, boolean));
  // The field table checks `tools` first, so their shape is known.
  const offered = ((body.tools ?? []) as readonly { readonly name: string }[]).map((tool) => tool.name);
  if (kind === 'any' && offered.length === 0) {
    throw new ApiError('invalid_value', `\`${param}.type\` is "any", but \`tools\` offers none.`, { param });
  }
  if (kind !== 'tool') return { choice: CHOICES[kind], parallel };
  const wanted = member('name', required(text));
  if (offered.includes(wanted)) return { choice: { name: wanted }, parallel };
  throw notOffered(`${param}.name`, wanted);
};
