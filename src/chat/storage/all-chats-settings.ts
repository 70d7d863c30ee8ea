// Values that apply to all chats. They are in localStorage, because new chats read them synchronously.
const INSTRUCTIONS = 'tabserve-instructions';
const MODEL = 'tabserve-default-model';

/** Instructions for the model in every chat; empty for none. */
export function instructionsForAllChats(): string {
  return localStorage.getItem(INSTRUCTIONS) ?? '';
}

/** Id of the model of new chats; null for the last one used. */
export function defaultModel(): string | null {
  return localStorage.getItem(MODEL);
}

/**
 * Stores what applies to all chats.
 * @throws DOMException `QuotaExceededError` if local storage is full.
 */
export function writeAllChats(instructions: string, model: string | null): void {
  if (instructions.trim() === '') localStorage.removeItem(INSTRUCTIONS);
  else localStorage.setItem(INSTRUCTIONS, instructions);
  if (model === null) localStorage.removeItem(MODEL);
  else localStorage.setItem(MODEL, model);
}
