import type { LitElement } from 'lit';
import { errorMessage } from '../../shared/error-message.ts';
import { listenToWindow } from '../common/listen-to-window.ts';
import { loadPart } from '../browser/load-part.ts';
import type { Attachment } from '../types/conversation.ts';
import { filesWait } from '../storage/local-values.ts';
import { conversationStrings } from '../strings/conversation.ts';
import type { AttachmentTray } from './attachment-tray.ts';
import type { FileOwner } from './waiting-files.ts';

/** The ways by which files come to the `attachment-tray` of its host, whose code comes with the first of them. */
export class AttachmentController {
  /** Whether files are held above the page. */
  isAbove = false;
  readonly #host: LitElement;
  /** Settles when the files that have come are in the tray. */
  #adding: Promise<unknown> | null = null;
  #isTaking = false;
  #problem = '';

  constructor(host: LitElement) {
    this.#host = host;
    // Wherever on the page it is let go: otherwise the browser would leave the page, and show the file.
    listenToWindow(host, 'dragover', (event) => this.#dragged(event));
    listenToWindow(host, 'dragleave', (event) => event.relatedTarget === null && this.#hold(false));
    listenToWindow(host, 'drop', (event) => this.#dropped(event));
  }

  /** What is to be done, what it is doing, or why it cannot, in words. */
  get state(): string {
    if (this.isAbove) return conversationStrings.drop;
    return this.#isTaking ? conversationStrings.choosing : this.#problem;
  }

  get isEmpty(): boolean {
    return this.#adding === null && (this.#tray?.isEmpty ?? true);
  }

  /** Lets the person choose files. */
  choose(): void {
    const field = Object.assign(document.createElement('input'), { type: 'file', multiple: true });
    field.addEventListener('change', () => this.add([...(field.files ?? [])]));
    field.click();
  }

  readonly paste = (event: ClipboardEvent): void => {
    const { files = [], types = [] } = event.clipboardData ?? {};
    // An office program gives a picture of the text that was copied along with it. It is the text that is wanted.
    if (files.length === 0 || (types.includes('text/plain') && types.includes('text/html'))) return;
    event.preventDefault();
    this.add([...files]);
  };

  add(files: readonly File[]): void {
    this.#problem = '';
    this.#hold(false);
    this.#fill((tray) => tray.add(files));
  }

  /** Shows what waits on the device for a chat, too. */
  open(chat: FileOwner): void {
    this.#problem = '';
    if (filesWait(chat)) this.#fill((tray) => tray.open(chat));
  }

  /** Puts attachments back that could not be sent. @param chat Where they were; see the tray. */
  restore(attachments: readonly Attachment[], chat: FileOwner): void {
    if (attachments.length > 0) this.#tray?.restore(attachments, chat);
  }

  /** Gives what waits to another chat. */
  keep(chat: FileOwner): void {
    // Its code may still be on its way.
    if (this.#tray?.isEmpty === false) this.#tray.keep(chat);
  }

  /** Empties the tray, and gives what the model is to be given of it; null where that cannot be, as the tray then says. */
  async take(question: string): Promise<readonly Attachment[] | null> {
    // It is being done already: pressed twice, it is one question.
    if (this.#isTaking) return null;
    this.#take(true);
    await this.#adding;
    // Where it is empty those that came last could not be had, as is said there, or were gone before.
    const none = this.#problem === '' ? [] : null;
    const taken = this.isEmpty ? none : await (this.#tray?.take(question) ?? null);
    this.#take(false);
    return taken;
  }

  #fill(action: (tray: AttachmentTray) => unknown): void {
    const filling = loadPart(import('./attachment-tray.ts'))
      .then(() => this.#tray && action(this.#tray))
      .catch((thrown: unknown) => void (this.#problem = errorMessage(thrown)));
    const adding = Promise.all([this.#adding, filling]).finally(() => {
      if (this.#adding === adding) this.#adding = null;
      this.#host.requestUpdate();
    });
    this.#adding = adding;
    this.#host.requestUpdate();
  }

  #take(isTaking: boolean): void {
    this.#isTaking = isTaking;
    this.#host.requestUpdate();
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

  #hold(isAbove: boolean): void {
    if (isAbove === this.isAbove) return;
    this.isAbove = isAbove;
    this.#host.requestUpdate();
  }
}
