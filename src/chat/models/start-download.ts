import type { ModelManager } from '../../page/model-manager.ts';
import type { ModelListing } from '../../shared/models/model-management.ts';
import { modelName } from '../common/model-name.ts';
import { rememberModelToChatWith } from '../storage/awaited-model.ts';
import { modelStrings } from '../strings/model-strings.ts';

interface Question {
  readonly heading: string;
  readonly words: string;
  readonly action: string;
}

/** The user is asked if the download is larger than the listed size times this factor. */
const TOLERANCE = 1.1;

/**
 * Starts or resumes a download. Requests the real size of a catalogue model first, and asks the user if the real size
 * is much larger than listed or exceeds the free storage.
 * @param forChat Whether the next chat uses the model.
 * @returns `no-room` if the user wants to free storage.
 * @throws Error with a message for the user if the download cannot start.
 */
export async function startDownload(
  manager: ModelManager,
  model: ModelListing,
  ask: (question: Question) => Promise<boolean>,
  forChat: boolean,
): Promise<'started' | 'declined' | 'no-room'> {
  const { id, origin, state, downloadBytes } = model;
  // One that has begun waits for the network.
  if (!navigator.onLine && origin !== 'built-in' && state.kind === 'absent') throw new Error(modelStrings.offline);
  if (origin === 'catalogue' && state.kind === 'absent') {
    const bytes = await manager.size(id);
    const { usedBytes, quotaBytes } = await manager.storage();
    const free = Math.max(0, quotaBytes - usedBytes);
    const name = modelName(id);
    if (bytes > free) return (await ask(modelStrings.askRoom(name, bytes, free))) ? 'no-room' : 'declined';
    const isAsSaid = downloadBytes !== null && bytes <= downloadBytes * TOLERANCE;
    if (!isAsSaid && !(await ask(modelStrings.askLarger(name, bytes, downloadBytes)))) return 'declined';
  }
  // Set before the download, which may complete immediately.
  if (forChat) rememberModelToChatWith(id);
  await manager.download(id);
  return 'started';
}
