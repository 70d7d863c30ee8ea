import type { ModelManager } from '../../page/model-manager.ts';
import type { ModelListing } from '../../shared/models/model-management.ts';
import { modelName } from '../common/model-name.ts';
import { rememberModelToChatWith } from '../storage/local-values.ts';
import { modelStrings } from '../strings/models.ts';

/** What the person is asked, as `askAgreement` asks it. */
interface Question {
  readonly heading: string;
  readonly words: string;
  readonly action: string;
}

/** How much larger than it was said to be a model may be without a question. */
const TOLERANCE = 1.1;

/**
 * Starts a download, or goes on with one. Before a model of the catalogue its server is asked how large it is: the person
 * decides again where that is much more than they were told, and where it cannot be stored.
 * @param ask Asks the person.
 * @param forChat Whether it is the model of the next chat, once it is here.
 * @returns `no-room` where the person wants to see what could be deleted.
 * @throws Error in words for the person, where it cannot begin.
 */
export async function startDownload(
  manager: ModelManager,
  model: ModelListing,
  ask: (question: Question) => Promise<boolean>,
  forChat: boolean,
): Promise<'started' | 'declined' | 'no-room'> {
  const { id, origin, state, downloadBytes } = model;
  if (!navigator.onLine && origin !== 'built-in') throw new Error(modelStrings.offline);
  if (origin === 'catalogue' && state.kind === 'absent') {
    const bytes = await manager.size(id);
    const { usedBytes, quotaBytes } = await manager.storage();
    const free = Math.max(0, quotaBytes - usedBytes);
    const name = modelName(id);
    if (bytes > free) return (await ask(modelStrings.askRoom(name, bytes, free))) ? 'no-room' : 'declined';
    const isAsSaid = downloadBytes !== null && bytes <= downloadBytes * TOLERANCE;
    if (!isAsSaid && !(await ask(modelStrings.askLarger(name, bytes, downloadBytes)))) return 'declined';
  }
  // First: it may be here before anything else is done.
  if (forChat) rememberModelToChatWith(id);
  await manager.download(id);
  return 'started';
}
