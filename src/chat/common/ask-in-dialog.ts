import { loadPart } from '../browser/load-part.ts';

export interface Confirmation {
  readonly heading: string;
  readonly words: string;
  /** Label of the confirming button. */
  readonly action: string;
}

/** Asks before data are deleted. Resolves to whether the user confirmed. */
export async function askConfirmation(question: Confirmation): Promise<boolean> {
  return (await ask({ ...question, danger: true })) !== null;
}

/** Asks before an action that loses nothing. Resolves to whether the user agreed. */
export async function askAgreement(question: Confirmation): Promise<boolean> {
  return (await ask(question)) !== null;
}

interface TextQuestion {
  readonly heading: string;
  readonly label: string;
  readonly value: string;
  readonly action: string;
}

/** Asks for a line of text. Resolves to null if dismissed. */
export function askText(question: TextQuestion): Promise<string | null> {
  return ask(question);
}

async function ask(properties: object): Promise<string | null> {
  const { openConfirmation } = await loadPart(import('./confirmation-dialog.ts'));
  return openConfirmation(properties);
}
