/**
 * Unfinished edits of questions of the temporary chat, by the id of the question. In memory only: they survive a visit to
 * another screen, and are forgotten when the chat ends.
 */
export const temporaryEdits = new Map<string, string>();
