import { html, nothing, type LitElement, type TemplateResult } from 'lit';
import type { AnswerRunner } from '../answers/answer-runner.ts';
import { loadPart } from '../browser/load-part.ts';
import type { ActionController } from '../common/action-controller.ts';
import '../common/timed-notice.ts';
import type { ConversationStore } from '../storage/conversation-store.ts';
import { listStrings } from '../strings/list-strings.ts';
import type { Conversation } from '../types/conversation.ts';
import { exportAll } from '../transfer/export-conversations.ts';
import { actOn } from './conversation-actions.ts';
import type { ConversationAction } from './conversation-item.ts';
import { deleteConversation, undo, type DeletedConversation } from './delete-conversation.ts';

/**
 * The actions of the list of chats, loaded at the first one. Deletions and imports are told for some seconds, in which
 * deletions can be undone.
 */
export class ListActions {
  #words = '';
  /** Deletions that the notice can undo, the latest last. */
  #deleted: readonly DeletedConversation[] = [];
  readonly #host: LitElement;
  readonly #actions: ActionController;
  readonly #store: ConversationStore;
  readonly #answers: AnswerRunner;

  constructor(host: LitElement, actions: ActionController, store: ConversationStore, answers: AnswerRunner) {
    this.#host = host;
    this.#actions = actions;
    this.#store = store;
    this.#answers = answers;
  }

  /** Renders what was done, for the host. */
  render(): TemplateResult | typeof nothing {
    if (this.#words === '') return nothing;
    return html`<timed-notice
      words=${this.#words}
      action=${this.#deleted.some(({ restore }) => restore !== null) ? listStrings.undo : ''}
      @act=${() => this.#actions.run(() => this.#undo())}
      @gone=${() => this.#tell('')}
    ></timed-notice>`;
  }

  /** After a deletion, focuses the button that undoes it. */
  async act(conversation: Conversation, action: ConversationAction): Promise<void> {
    if (action !== 'delete') return actOn(conversation, action, this.#store, this.#answers);
    this.#tellDeleted([await deleteConversation(conversation, this.#store, this.#answers)]);
    await this.#host.updateComplete;
    this.#host.renderRoot.querySelector<HTMLElement>('timed-notice')?.focus();
  }

  exportAll(): Promise<void> {
    return exportAll(this.#store, this.#answers);
  }

  /** Imports the files of a field. */
  async import(field: HTMLInputElement): Promise<void> {
    const files = [...(field.files ?? [])];
    if (files.length === 0) return;
    // Clears the field: otherwise choosing the same files again would fire no event.
    field.value = '';
    const { importFiles } = await loadPart(import('../transfer/import-files.ts'));
    this.#tell(await importFiles(files, this.#store));
  }

  /** Shows a notice. Deletions of the previous notice can no longer be undone. */
  #tell(words: string, deleted: readonly DeletedConversation[] = []): void {
    for (const gone of this.#deleted) if (!deleted.includes(gone)) gone.end();
    this.#deleted = deleted;
    this.#words = words;
    this.#host.requestUpdate();
  }

  #tellDeleted(deleted: readonly DeletedConversation[]): void {
    const all = [...this.#deleted, ...deleted];
    this.#tell(listStrings.deleted(all.map(({ title }) => title)), all);
  }

  async #undo(): Promise<void> {
    const deleted = this.#deleted;
    this.#deleted = [];
    this.#tell('');
    await undo(deleted, (failed) => this.#tellDeleted(failed));
  }
}
