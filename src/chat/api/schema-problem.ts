import { conversationStrings } from '../strings/conversation.ts';

/**
 * Why a text is not a JSON object, in words for the user; null for a valid or empty one. The endpoint checks the keywords.
 */
export function schemaProblem(schema: string): string | null {
  if (schema.trim() === '') return null;
  try {
    const parsed: unknown = JSON.parse(schema);
    const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
    return isObject ? null : conversationStrings.schemaNoObject;
  } catch (error) {
    return conversationStrings.schemaNoJson(error instanceof Error ? error.message : '');
  }
}
