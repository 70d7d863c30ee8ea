import { isToolName, type Answer, type ToolCall } from '../types/conversation.ts';
import { toolStrings } from '../strings/tool-strings.ts';

export function toolName({ name }: ToolCall): string {
  return isToolName(name) ? toolStrings.names[name] : toolStrings.unknown(name);
}

/** The state of a call; `left` if the answer ended before the call had a result. */
export function outcomeOf({ outcome, result }: ToolCall, answer: Answer): keyof typeof toolStrings.states {
  const isOpen = result === '' && answer.state !== 'running';
  return isOpen ? 'left' : outcome;
}

/** Returns the values of the arguments, one per line. Arguments that are not JSON stay unchanged. */
export function argumentsText({ arguments: given }: ToolCall): string {
  try {
    const values = Object.values(JSON.parse(given) as object).map(String);
    return values.length === 0 ? toolStrings.nothing : values.join('\n');
  } catch {
    return given;
  }
}
