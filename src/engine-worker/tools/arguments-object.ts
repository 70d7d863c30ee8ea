import { CUSTOM_INPUT } from './call-syntax/call-syntax.ts';

/**
 * Returns the arguments of a call as an object. A text that is no JSON object becomes one with the member that the input of a
 * custom tool has where it is called as a function.
 */
export function argumentsObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = text.trim() === '' ? {} : JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // The text is no JSON.
  }
  return { [CUSTOM_INPUT]: text };
}
