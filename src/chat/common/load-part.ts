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
