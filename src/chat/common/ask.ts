import { loadPart } from '../browser/load-part.ts';

interface Confirmation {
  readonly heading: string;
  readonly words: string;
  /** What the button that agrees says. */
  readonly action: string;
}

/** Asks before something is deleted. Resolves to whether the person agreed. */
export async function askConfirmation(question: Confirmation): Promise<boolean> {
  return (await ask({ ...question, danger: true })) !== null;
}

/** Asks before something begins that nothing is lost by. Resolves to whether the person agreed. */
export async function askAgreement(question: Confirmation): Promise<boolean> {
  return (await ask(question)) !== null;
}

interface TextQuestion {
  readonly heading: string;
  readonly label: string;
  readonly value: string;
  readonly action: string;
}

/** Asks for a line of text. Resolves to null if the person changed their mind. */
export function askText(question: TextQuestion): Promise<string | null> {
  return ask(question);
}

async function ask(properties: object): Promise<string | null> {
  const { askQuestion } = await loadPart(import('./question-dialog.ts'));
  return askQuestion(properties);
}
