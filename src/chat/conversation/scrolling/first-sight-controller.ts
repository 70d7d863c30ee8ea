import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { withTimeout } from '../../../shared/timeout.ts';

/** Milliseconds after which messages are shown whether they are drawn or not. */
const PATIENCE = 2000;

/** Messages at the end of a conversation that are waited for: more than a screen shows. */
const SEEN = 12;

/**
 * Keeps the messages of a conversation that is opened out of sight until those that are seen first are drawn, so that nobody
 * sees them jump while their texts come. For its host: messages that are `isHidden` are to be transparent, no more, since they
 * have to be laid out, and one of them may get the focus.
 */
export class FirstSightController implements ReactiveController {
  isHidden = false;
  readonly #host: ReactiveControllerHost & Element;
  #opened = 0;
  #isWaiting = false;

  constructor(host: ReactiveControllerHost & Element) {
    this.#host = host;
    host.addController(this);
  }

  /** To be called when another conversation is opened; null for a new one, whose messages come as they are asked. */
  open(conversation: string | null): void {
    this.#opened += 1;
    this.isHidden = conversation !== null;
    this.#isWaiting = false;
  }

  hostUpdated(): void {
    const all = this.#host.shadowRoot?.querySelectorAll(
      '.messages:not(.leaving) :is(question-message, answer-message)',
    );
    const messages = [...(all ?? [])];
    if (!this.isHidden || this.#isWaiting || messages.length === 0) return;
    this.#isWaiting = true;
    void this.#show(this.#opened, messages.slice(-SEEN));
  }

  async #show(opened: number, messages: readonly Element[]): Promise<void> {
    await withTimeout(PATIENCE, Promise.all(messages.map(drawn)).then(laidOut), undefined);
    if (opened !== this.#opened) return;
    this.isHidden = false;
    this.#host.requestUpdate();
  }
}

/** Also of a message whose element has yet to be defined. */
async function drawn(message: Element): Promise<void> {
  await customElements.whenDefined(message.localName);
  await (message as Element & Partial<ReactiveControllerHost>).updateComplete;
}

/** What is scrolled into view is laid out in the frame after. */
async function laidOut(): Promise<void> {
  for (let frame = 0; frame < 2; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
}
