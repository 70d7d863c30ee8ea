import { drafts, type DraftOwner } from '../storage/drafts/drafts.ts';
import { unsentFiles } from './unsent-files.ts';

/**
 * Settles when the text and the files of a field are stored on the device. What they came from may be deleted then, and
 * not before, because a full disk lets a page delete but not write.
 */
export async function untilKept(owner: DraftOwner): Promise<void> {
  const isKept = () => !drafts.unkept.has(owner) && !unsentFiles.of(owner).some(({ isUnkept }) => isUnkept);
  while (!isKept())
    await new Promise((resolve) => {
      for (const changing of [drafts, unsentFiles]) changing.addEventListener('change', resolve, { once: true });
    });
}
