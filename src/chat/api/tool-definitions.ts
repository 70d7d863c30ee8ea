import type { RequestTool } from '../types/chat-completion-request.ts';
import { isToolName, type ToolName } from '../types/conversation.ts';

/** Descriptions of the tools, for the model. In English, which models read best. */
const DESCRIPTIONS = {
  calculate: [
    'Computes the value of an arithmetic expression.',
    { expression: 'For example 2 * (3 + 4)^2 or sqrt(2)' },
  ],
  current_time: ['Tells the date, the weekday, the time and the time zone of now.', {}],
  search_chats: ['Searches the earlier chats of the user for words.', { words: 'The words to look for' }],
  run_javascript: [
    'Runs a JavaScript program, without network, page or timers. Tells what it printed with console.log, and the value of its last expression.',
    { program: 'For example [3, 1, 2].toSorted().join()' },
  ],
} as const satisfies Record<ToolName, readonly [string, Readonly<Record<string, string>>]>;

/** Returns the names of a tool's parameters. Each is a required string. */
export function toolParameters(name: ToolName): readonly string[] {
  return Object.keys(DESCRIPTIONS[name][1]);
}

/** Returns the definitions of the tools for a request. Names that this build does not know are left out. */
export function toolDefinitions(names: readonly ToolName[]): readonly RequestTool[] {
  return names.filter(isToolName).map((name) => {
    const [description, parameters] = DESCRIPTIONS[name];
    const properties = Object.fromEntries(
      Object.entries(parameters).map(([key, words]) => [key, { type: 'string', description: words }]),
    );
    const schema = { type: 'object', properties, required: Object.keys(parameters), additionalProperties: false };
    return { type: 'function', function: { name, description, parameters: schema } };
  });
}
