import { settingsStrings } from '../strings/dialog-strings.ts';

/**
 * Returns a sentence for the user if a text is not a JSON object; null if it is one, or is blank. The endpoint checks
 * the JSON Schema keywords.
 */
export function schemaTextProblem(schema: string): string | null {
  if (schema.trim() === '') return null;
  try {
    const parsed: unknown = JSON.parse(schema);
    const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
    return isObject ? null : settingsStrings.schemaNoObject;
  } catch (error) {
    return settingsStrings.schemaNoJson(error instanceof Error ? error.message : '');
  }
}
