import type { Tool, ToolChoice } from '../../shared/completion-request.ts';
import { argumentsSchema } from './tool-grammar.ts';
import { TOOL_CALL_CLOSE, TOOL_CALL_OPEN } from './tool-syntax.ts';

/** What the system text says about the tools, in the layout that the Hermes and Qwen families have learnt. */
export function toolPrompt(tools: readonly Tool[], choice: ToolChoice): string {
  const signatures = tools.map(({ name, description, parameters }) =>
    JSON.stringify({
      type: 'function',
      function: {
        name,
        ...(description === null ? {} : { description }),
        parameters: argumentsSchema(parameters),
      },
    }),
  );
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
    whenToCall(choice),
  ].join('\n');
}

function whenToCall(choice: ToolChoice): string {
  if (choice === 'required') return 'Answer with a function call.';
  if (typeof choice === 'object') return `Answer with a call of the function ${choice.name}.`;
  return 'Call a function only if it helps to answer; otherwise answer in plain text.';
}
