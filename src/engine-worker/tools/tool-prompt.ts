import type { Tool, ToolChoice } from '../../shared/engine/completion-request.ts';
import { argumentsSchema } from '../grammar/request-grammar.ts';

/** The marks around a call in Hermes' syntax. */
const [TOOL_CALL_OPEN, TOOL_CALL_CLOSE] = ['<tool_call>', '</tool_call>'];

/**
 * Describes the tools for the system message, in the layout that the Hermes and Qwen model families are trained on, and
 * asks for calls in their syntax.
 */
export function toolPrompt(tools: readonly Tool[], choice: ToolChoice): string {
  const signatures = tools.map(({ name, description, parameters, custom }) => {
    const described = { name, ...(description === null ? {} : { description }) };
    return JSON.stringify(
      custom === undefined
        ? { type: 'function', function: { ...described, parameters: argumentsSchema(parameters) } }
        : { type: 'custom', custom: { ...described, format: formatOf(custom.pattern) } },
    );
  });
  return [
    '# Tools',
    '',
    'These functions can be called, described as JSON between <tools></tools>:',
    '<tools>',
    ...signatures,
    '</tools>',
    '',
    `To call a function, write its name and arguments as a JSON object between ${TOOL_CALL_OPEN}${TOOL_CALL_CLOSE}:`,
    TOOL_CALL_OPEN,
    '{"name": <function-name>, "arguments": <args-json-object>}',
    TOOL_CALL_CLOSE,
    '',
    ...(tools.some(({ custom }) => custom !== undefined) ? CUSTOM_CALLS : []),
    whenToCall(choice),
  ].join('\n');
}

const CUSTOM_CALLS = [
  'The input of a tool of the type custom is plain text. To call it, write its name as a JSON object, then the text:',
  TOOL_CALL_OPEN,
  '{"name": <tool-name>}',
  '<input-text>',
  TOOL_CALL_CLOSE,
  '',
];

function formatOf(pattern: string | null): object {
  return pattern === null ? { type: 'text' } : { type: 'grammar', syntax: 'regex', definition: pattern };
}

function whenToCall(choice: ToolChoice): string {
  if (choice === 'required') return 'Answer with a function call.';
  if (typeof choice === 'object') return `Answer with a call of the function ${choice.name}.`;
  return 'Call a function only if it helps to answer; otherwise answer in plain text.';
}
