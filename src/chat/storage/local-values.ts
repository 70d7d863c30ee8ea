import { BUILT_IN_MODEL_ID } from '../../shared/built-in-model.ts';

// Both are read while the page starts and written synchronously, so that no reload is quicker: a database would be late.
const LAST_MODEL = 'tabserve-last-model';

/** The model that was chosen last on this device, at first the built-in one. */
export function lastModel(): string {
  return localStorage.getItem(LAST_MODEL) ?? BUILT_IN_MODEL_ID;
}

export function rememberModel(id: string): void {
  localStorage.setItem(LAST_MODEL, id);
}

/** What was being typed in a conversation, null meaning a new one, when the page was left. */
export function readDraft(conversation: string | null): string {
  return localStorage.getItem(draftKey(conversation)) ?? '';
}

/** To be called at every keystroke. */
export function writeDraft(conversation: string | null, text: string): void {
  if (text === '') localStorage.removeItem(draftKey(conversation));
  else localStorage.setItem(draftKey(conversation), text);
}

function draftKey(conversation: string | null): string {
  return `tabserve-draft-${conversation ?? 'new'}`;
}
