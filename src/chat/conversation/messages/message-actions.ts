import type { ReactiveElement, TemplateResult } from 'lit';
import type { Command } from '../../common/commands.ts';
import type { CopyOutcome } from '../../common/copy-button.ts';
import { messageStrings } from '../../strings/message-strings.ts';
import { iconButton } from '../../theme/icons.ts';
import { laterIcons } from '../../theme/later-icons.ts';

export interface MessageAction extends Command {
  /**
   * Runs the action.
   * @param show Called with the outcome of copying, and with null when its display time is over.
   */
  readonly run: (show?: (outcome: CopyOutcome | null) => void) => unknown;
  /** True for a destructive action, which is set apart. */
  readonly isApart?: boolean;
}

/** Copies the text of a message through its copy button. */
export function copyAction(message: ReactiveElement, words: string): MessageAction {
  return { icon: laterIcons.copy, words, run: (show) => message.renderRoot.querySelector('copy-button')?.copy(show) };
}

export function regenerateAction(message: EventTarget): MessageAction {
  return {
    icon: laterIcons.retry,
    words: messageStrings.regenerate,
    run: () => message.dispatchEvent(new CustomEvent('regenerate')),
  };
}

export function deleteAction(message: EventTarget): MessageAction {
  return {
    icon: 'trash',
    words: messageStrings.deleteMessage,
    isApart: true,
    run: () => message.dispatchEvent(new CustomEvent('delete')),
  };
}

export function actionButton({ icon, words, run }: MessageAction, disabled = false): TemplateResult {
  return iconButton(icon, words, () => void run(), disabled);
}
