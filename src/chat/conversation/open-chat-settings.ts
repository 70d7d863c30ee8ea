import type { ListedModel } from '../api/list-models.ts';
import { loadPart } from '../browser/load-part.ts';
import type { ConversationController } from './conversation-controller.ts';

/**
 * Shows the settings of a chat.
 * @param model The one that answers it.
 * @param run Runs what changes them, and tells how that went.
 */
export async function openChatSettings(
  chat: ConversationController,
  model: ListedModel | undefined,
  run: (action: () => Promise<void>) => void,
): Promise<void> {
  const { openSettings } = await loadPart(import('./settings/settings-dialog.ts'));
  openSettings({ settings: chat.settings, model }, (changes) => run(() => chat.changeSettings(changes)));
}
