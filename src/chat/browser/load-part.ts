import { appStrings } from '../strings/app-strings.ts';

/**
 * Waits for a lazily loaded part of the page.
 * @param part Its dynamic import.
 * @throws Error that asks the user to reload, if the import fails: offline, or because an update has removed the file.
 */
export async function loadPart<Part>(part: Promise<Part>): Promise<Part> {
  try {
    return await part;
  } catch (cause) {
    throw new Error(appStrings.partFailed, { cause });
  }
}

/**
 * Loads an optional part of the page. A failure is only logged.
 * @param part Its dynamic import.
 */
export function loadInBackground(part: Promise<unknown>): void {
  part.catch((error: unknown) => console.error('A part of the page could not be loaded.', error));
}
