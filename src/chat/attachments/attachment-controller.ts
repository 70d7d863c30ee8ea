import type { LitElement } from 'lit';
import { errorMessage } from '../../shared/error-message.ts';
import { listenToWindow } from '../common/listen-to-window.ts';
import { loadPart } from '../browser/load-part.ts';
import type { Attachment } from '../types/conversation.ts';
import { drafts } from '../storage/drafts/drafts.ts';
import { isModelFile } from '../browser/is-model-file.ts';
import { conversationStrings } from '../strings/conversation-strings.ts';
import type { AttachmentTray } from './attachment-tray.ts';
import type { FileOwner } from './unsent-files.ts';

/** Attachments of a question that is being sent. */
export interface TakenFiles {
  readonly attachments: readonly Attachment[];
  /** Call it when they are stored with their question, or cannot be: then they are back in the tray. */
  readonly end: (isSent: boolean) => void;
}

export const NO_FILES: TakenFiles = { attachments: [], end: () => {} };

/** The composer. Its chat is null for a new chat, undefined for the temporary chat. */
type Host = LitElement & { readonly conversationId: FileOwner };

/** Passes chosen, pasted and dropped files to the host's `attachment-tray`, whose code is loaded for the first file. */
export class AttachmentController {
  isDragOver = false;
  readonly #host: Host;
  /** Settles when all files received so far are in the tray; null if all are. */
  #adding: Promise<unknown> | null = null;
  /** Settles when it is known whether the chat has stored files; null if it is. */
  #opening: Promise<unknown> | null = null;
  /** The chats whose questions wait for their files. */
  readonly #taking = new Set<FileOwner>();
  #problem = '';

  constructor(host: Host) {
    this.#host = host;
    // Listens on the whole page, because the browser would open a file that is dropped beside the composer.
    listenToWindow(host, 'dragover', (event) => this.#dragged(event));
    listenToWindow(host, 'dragleave', (event) => event.relatedTarget === null && this.#hold(false));
    listenToWindow(host, 'drop', (event) => this.#dropped(event));
  }

  /** Text for the user: an instruction, a progress message or an error; empty if there is nothing to say. */
  get state(): string {
    if (this.isDragOver) return conversationStrings.drop;
    return this.#taking.has(this.chat) && this.#tray?.choosesPassages ? conversationStrings.choosing : this.#problem;
  }

  /** True if files were chosen that the tray could not show. */
  get areLost(): boolean {
    return this.#problem !== '';
  }

  forgetLost(): void {
    this.#problem = '';
  }

  /** The chat on the screen. Files that are added now belong to it, also if another chat is open once they are there. */
  get chat(): FileOwner {
    return this.#host.conversationId;
  }

  get isEmpty(): boolean {
    return this.#adding === null && (this.#tray?.isEmpty ?? true);
  }

  /** Whether {@link take} has nothing to wait for and returns no attachments. */
  get hasNone(): boolean {
    return this.isEmpty && this.#opening === null;
  }

  choose(): void {
    this.#host.renderRoot.querySelector<HTMLInputElement>('input[type=file]')?.click();
  }

  /**
   * Adds the files of the host's `<input type="file" multiple>`, which {@link choose} clicks. The input must be in the
   * document: Safari on iOS may garbage-collect a detached input together with its files.
   */
  readonly chosen = ({ target }: Event): void => {
    const field = target as HTMLInputElement;
    const files = [...(field.files ?? [])];
    // Clears the field: otherwise choosing the same files again would fire no event.
    field.value = '';
    if (files.length > 0) this.add(files);
  };

  readonly paste = (event: ClipboardEvent): void => {
    const { files = [], types = [] } = event.clipboardData ?? {};
    // Text copied from an office program is accompanied by a picture of it. The user wants the text.
    if (files.length === 0 || (types.includes('text/plain') && types.includes('text/html'))) return;
    event.preventDefault();
    this.add([...files]);
  };

  add(files: readonly File[]): void {
    this.#problem = '';
    this.#hold(false);
    // A model file is added to the models, not attached. `app/lazy-parts.ts` handles this event once it is loaded.
    const asModels = new CustomEvent('model-files', { detail: files, cancelable: true });
    if (files.some(isModelFile) && !dispatchEvent(asModels)) return;
    const { chat } = this;
    void this.#fill((tray) => tray.add(files, chat));
  }

  /**
   * Adds a text as a file.
   * @returns False if it cannot be added.
   */
  async addText(text: string): Promise<boolean> {
    this.#problem = '';
    const { chat } = this;
    let isAdded = false;
    await this.#fill((tray) => (isAdded = tray.addText(text, chat)));
    return isAdded;
  }

  /** Shows the files that the user has added to the next question of a chat. */
  open(chat: FileOwner): void {
    this.#problem = '';
    if (chat === undefined) return;
    const find = async (): Promise<void> => {
      const have = await drafts.keep(({ hasFiles }) => hasFiles(chat)).catch(() => false);
      if (have) void this.#fill((tray) => tray.open(chat));
      if (this.#opening === opening) this.#opening = null;
    };
    const opening = find();
    this.#opening = opening;
  }

  /**
   * Adds the attachments of a question that is asked again.
   * @param chat The chat in which it was asked.
   * @returns Settles when they are stored or cannot be.
   */
  async restore(attachments: readonly Attachment[], chat: FileOwner): Promise<void> {
    if (attachments.length > 0) await this.#fill((tray) => tray.restore(attachments, chat));
  }

  /** Moves the files of this chat to the chat `to`, also those that wait for the code of the tray. */
  moveTo(to: FileOwner): void {
    const { chat } = this;
    if (!this.isEmpty) void this.#fill((tray) => tray.move(chat, to));
  }

  /**
   * Empties the tray and returns its attachments; null if one cannot be sent, which the tray explains, and if another chat
   * is on the screen by then.
   */
  async take(question: string): Promise<TakenFiles | null> {
    const { chat } = this;
    // Ignores the second click of a double click.
    if (this.#taking.has(chat)) return null;
    this.#taking.add(chat);
    this.#host.requestUpdate();
    try {
      await this.#opening;
      await this.#adding;
      // An empty tray with an error: the chosen files are lost, so the question must not be sent without them.
      const none = this.areLost ? null : NO_FILES;
      return this.isEmpty ? none : await this.#tray!.take(question, chat);
    } finally {
      this.#taking.delete(chat);
      this.#host.requestUpdate();
    }
  }

  #fill(action: (tray: AttachmentTray) => unknown): Promise<unknown> {
    const filling = loadPart(import('./attachment-tray.ts'))
      .then(() => {
        // Otherwise it would stay without its code if the user has gone to another screen meanwhile.
        customElements.upgrade(this.#host.renderRoot);
        return this.#tray && action(this.#tray);
      })
      .catch((thrown: unknown) => void (this.#problem = errorMessage(thrown)));
    const adding = (this.#adding = Promise.all([this.#adding, filling]).finally(() => {
      if (this.#adding === adding) this.#adding = null;
      this.#host.requestUpdate();
    }));
    this.#host.requestUpdate();
    return adding;
  }

  get #tray(): AttachmentTray | null {
    return this.#host.renderRoot.querySelector('attachment-tray');
  }

  #dragged(event: DragEvent): void {
    if (event.dataTransfer?.types.includes('Files') !== true) return;
    event.preventDefault();
    this.#hold(true);
  }

  #dropped(event: DragEvent): void {
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    this.add(files);
  }

  #hold(isDragOver: boolean): void {
    if (isDragOver === this.isDragOver) return;
    this.isDragOver = isDragOver;
    this.#host.requestUpdate();
  }
}
