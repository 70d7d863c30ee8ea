function keyOf(conversation: string | null): string {
  return `tabserve-draft-${conversation ?? 'new'}`;
}

/** What was being typed in a conversation, null meaning a new one, when the page was left. */
export function readDraft(conversation: string | null): string {
  return localStorage.getItem(keyOf(conversation)) ?? '';
}

/** Written at every keystroke and synchronously, so that no reload is quicker. */
export function writeDraft(conversation: string | null, text: string): void {
  if (text === '') localStorage.removeItem(keyOf(conversation));
  else localStorage.setItem(keyOf(conversation), text);
}
