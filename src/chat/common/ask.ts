import { loadPart } from './load-part.ts';

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
  const { QuestionDialog } = await loadPart(import('./question-dialog.ts'));
  const focused = deepActiveElement();
  const dialog = Object.assign(new QuestionDialog(), properties);
  document.body.append(dialog);
  return new Promise((resolve) => {
    dialog.addEventListener('answer', (event) => {
      dialog.remove();
      if (focused instanceof HTMLElement) focused.focus();
      resolve((event as CustomEvent<string | null>).detail);
    });
  });
}

/** What has the focus, in whichever shadow tree: for whoever opens something to give the focus back. */
export function deepActiveElement(): Element | null {
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  return active;
}
