import type { LitElement } from 'lit';
import { messageOf } from '../common/action-controller.ts';
import { listenToWindow } from '../common/listen-to-window.ts';
import { loadPart } from '../common/load-part.ts';
import type { Attachment } from '../storage/conversation.ts';
import { conversationStrings } from '../strings/conversation.ts';
import type { AttachmentTray } from './attachment-tray.ts';
import type { FileOwner } from './waiting-files.ts';

/** The ways by which files come to the `attachment-tray` of its host, whose code comes with the first of them. */
export class AttachmentController {
  /** What it is doing, or why it cannot, in words. */
  state = '';
  readonly #host: LitElement;
  /** Settles when the files that have come are in the tray. */
  #adding: Promise<void> | null = null;

  constructor(host: LitElement) {
    this.#host = host;
    // Wherever on the page it is let go: otherwise the browser would leave the page, and show the file.
    listenToWindow(host, 'dragover', (event) => this.#dragged(event));
    listenToWindow(host, 'dragleave', (event) => event.relatedTarget === null && this.#say(''));
    listenToWindow(host, 'drop', (event) => this.#dropped(event));
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
    this.#say('');
    const adding = loadPart(import('./attachment-tray.ts'))
      .then(() => this.#tray?.add(files))
      .catch((thrown: unknown) => this.#say(messageOf(thrown)))
      .finally(() => {
        if (this.#adding === adding) this.#adding = null;
        this.#host.requestUpdate();
      });
    this.#adding = adding;
    this.#host.requestUpdate();
  }

  /** Puts attachments back that could not be sent. @param chat Where they were; see the tray. */
  restore(attachments: readonly Attachment[], chat: FileOwner): void {
    if (attachments.length > 0) this.#tray?.restore(attachments, chat);
  }

  /** Empties the tray, and gives what the model is to be given of it; null where that cannot be, as the tray then says. */
  async take(question: string): Promise<readonly Attachment[] | null> {
    // It is being done already: pressed twice, it is one question.
    if (this.state === conversationStrings.choosing) return null;
    this.#say(conversationStrings.choosing);
    await this.#adding;
    // Those that came last could not be read at all, as is said there.
    if (this.isEmpty) return null;
    const taken = await (this.#tray?.take(question) ?? null);
    this.#say('');
    return taken;
  }

  get #tray(): AttachmentTray | null {
    return this.#host.renderRoot.querySelector('attachment-tray');
  }

  #dragged(event: DragEvent): void {
    if (event.dataTransfer?.types.includes('Files') !== true) return;
    event.preventDefault();
    this.#say(conversationStrings.drop);
  }

  #dropped(event: DragEvent): void {
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    this.add(files);
  }

  #say(words: string): void {
    if (words === this.state) return;
    this.state = words;
    this.#host.requestUpdate();
  }
}
