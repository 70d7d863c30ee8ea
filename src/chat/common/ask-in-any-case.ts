import { askConfirmation, type Confirmation } from './ask-in-dialog.ts';

/**
 * Asks like {@link askConfirmation}. If the code of that dialog cannot be loaded, the browser asks instead: otherwise a
 * person could neither leave a changed dialog, nor end a temporary chat, nor reload the page that has to be reloaded.
 */
export function askInAnyCase(question: Confirmation): Promise<boolean> {
  return askConfirmation(question).catch(() => confirm(`${question.heading}\n\n${question.words}`));
}
