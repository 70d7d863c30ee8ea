import { isToolName, type Answer, type ToolCall } from '../types/conversation.ts';
import { toolStrings } from '../strings/tools.ts';

/** What a tool is called on the screen. */
export function toolName({ name }: ToolCall): string {
  return isToolName(name) ? toolStrings.names[name] : toolStrings.unknown(name);
}

/** What became of a call: an answer that has ended runs nothing any more. */
export function outcomeOf({ outcome, result }: ToolCall, answer: Answer): keyof typeof toolStrings.states {
  const isOpen = result === '' && answer.state !== 'running';
  return isOpen ? 'left' : outcome;
}

/** Values of a call as a person reads them; whatever else the model wrote, as it is. */
export function givenWords({ arguments: given }: ToolCall): string {
  try {
    const values = Object.values(JSON.parse(given) as object).map(String);
    return values.length === 0 ? toolStrings.nothing : values.join('\n');
  } catch {
    return given;
  }
}
