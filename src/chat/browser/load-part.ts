import { appStrings } from '../strings/app.ts';

/**
 * Waits for a part of the page that is loaded when it is first needed.
 * @param part Its dynamic import.
 * @throws Error that asks the person to reload: it fails for an old page after an update, and without a network.
 */
export async function loadPart<Part>(part: Promise<Part>): Promise<Part> {
  try {
    return await part;
  } catch (cause) {
    throw new Error(appStrings.partFailed, { cause });
  }
}

/**
 * Loads a part of the page that nobody waits for: without it the page has less, and the console says why.
 * @param part Its dynamic import.
 */
export function loadInBackground(part: Promise<unknown>): void {
  part.catch((error: unknown) => console.error('A part of the page could not be loaded.', error));
}
