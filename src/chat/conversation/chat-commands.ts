import type { LitElement } from 'lit';
import { askConfirmation } from '../common/ask-in-dialog.ts';
import { offerCommands, type Command } from '../common/commands.ts';
import { readPresets, type PresetSettings } from '../storage/presets.ts';
import { deletionStrings, messageStrings } from '../strings/message-strings.ts';
import { presetStrings } from '../strings/preset-strings.ts';
import { laterIcons } from '../theme/later-icons.ts';
import type { Message } from '../types/conversation.ts';
export { askAgain } from './ask-again.ts';
import './composer/context-meter.ts';
import type { ConversationController } from './conversation-controller.ts';
import './composer/displaced-model-notice.ts';
import './composer/documents-chip.ts';
import './composer/left-out-line.ts';
import './composer/nearly-full-notice.ts';
import './composer/tools-chip.ts';
export { queueQuestion } from './composer/queued-questions.ts';
import './conversation-header.ts';

// Parts of a chat that are loaded after it is rendered: its header, the context meter, the notice about a replaced
// model, the queued questions, asking again, deleting messages, and the commands for the palette.

/**
 * Adds the actions on the chat in `view` to the command palette: last answer, whole chat, presets.
 * @param usePreset Offers a preset for the chat. It must not replace what the chat has without asking.
 */
export function offerChatCommands(
  view: LitElement,
  chat: ConversationController,
  usePreset: (preset: PresetSettings) => void,
): void {
  offerCommands(view, () => [...lastAnswer(view), ...continuation(view, chat), ...presets(usePreset)]);
}

function lastAnswer({ renderRoot }: LitElement): readonly Command[] {
  const answer = [...renderRoot.querySelectorAll('answer-message')].findLast(({ compared }) => compared !== 'beside');
  const actions = answer?.actions() ?? [];
  return actions.map(({ icon, words, run }) => ({
    icon,
    words: messageStrings.lastAnswer(words),
    run: () => run(),
  }));
}

function continuation({ renderRoot }: LitElement, chat: ConversationController): readonly Command[] {
  if (chat.path.length === 0) return [];
  return [
    {
      icon: laterIcons.resume,
      words: messageStrings.makeRoom,
      run: () => renderRoot.querySelector('context-meter')?.makeRoom(),
    },
  ];
}

function presets(use: (preset: PresetSettings) => void): readonly Command[] {
  return readPresets().list.map(({ name, settings }) => ({
    icon: 'sliders',
    words: presetStrings.use(name),
    run: () => use(settings),
  }));
}

/** Deletes a message and all that follow it, if the person confirms it. */
export async function deleteIfConfirmed(chat: ConversationController, message: Message): Promise<void> {
  if (await askConfirmation(deletionStrings)) await chat.deleteMessage(message);
}
