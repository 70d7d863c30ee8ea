import type { ReactiveElement, TemplateResult } from 'lit';
import type { Command } from '../../common/commands.ts';
import type { CopyOutcome } from '../../common/copy-button.ts';
import { messageStrings } from '../../strings/messages.ts';
import { iconButton } from '../../theme/icons.ts';

/** Something that can be done with a message. */
export interface MessageAction extends Command {
  /** @param show Is told how copying went, and with null that it has been shown for long enough. */
  readonly run: (show?: (outcome: CopyOutcome | null) => void) => unknown;
  /** Whether it takes something away, and stands apart from the others. */
  readonly isApart?: boolean;
}

/** Copies the text of a message, as its button does. */
export function copyAction(message: ReactiveElement, words: string): MessageAction {
  return { icon: 'copy', words, run: (show) => message.renderRoot.querySelector('copy-button')?.copy(show) };
}

/** Asks for another answer. */
export function regenerateAction(message: EventTarget): MessageAction {
  return {
    icon: 'retry',
    words: messageStrings.regenerate,
    run: () => message.dispatchEvent(new CustomEvent('regenerate')),
  };
}

/** Deletes a message and what follows it. */
export function deleteAction(message: EventTarget): MessageAction {
  return {
    icon: 'trash',
    words: messageStrings.deleteMessage,
    isApart: true,
    run: () => message.dispatchEvent(new CustomEvent('delete')),
  };
}

/** An action as an icon. */
export function actionButton({ icon, words, run }: MessageAction, disabled = false): TemplateResult {
  return iconButton(icon, words, () => void run(), disabled);
}
