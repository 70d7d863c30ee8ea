import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { withTimeout } from '../../../shared/timeout.ts';

/** Milliseconds between two checks of the messages that are being drawn. */
const LOOK_INTERVAL = 500;

/**
 * Number of consecutive checks without progress after which the messages are shown as they are: their renderer may be
 * slow to load. Checks are counted, not milliseconds, because a slow device spends seconds on one step.
 */
const PATIENCE = 4;

/** Number of messages at the end that must be drawn before any message is shown: more than fit on a screen. */
const SEEN = 12;

/**
 * Keeps the messages of an opened conversation transparent until the visible messages are drawn; otherwise they would
 * jump while their texts load. While `isHidden`, the host must make messages transparent but keep their layout and
 * focus.
 */
export class HideUntilDrawnController implements ReactiveController {
  isHidden = false;
  readonly #host: ReactiveControllerHost & Element;
  #opened = 0;
  #isWaiting = false;

  constructor(host: ReactiveControllerHost & Element) {
    this.#host = host;
    host.addController(this);
  }

  /** Hides the messages of a conversation that is opened. Null is a new conversation, which has no messages to hide. */
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
    const all = Promise.all(messages.map(drawn))
      .then(laidOut)
      .then(() => true);
    let height = 0;
    for (let stalled = 0; stalled < PATIENCE && !(await withTimeout(LOOK_INTERVAL, all, false));) {
      if (opened !== this.#opened) return;
      const last = height;
      height = heightOf(messages);
      stalled = height === last ? stalled + 1 : 0;
    }
    if (opened !== this.#opened) return;
    this.isHidden = false;
    this.#host.requestUpdate();
  }
}

/** Resolves when a message is rendered, even if its element is not defined yet. */
async function drawn(message: Element): Promise<void> {
  await customElements.whenDefined(message.localName);
  await (message as Element & Partial<ReactiveControllerHost>).updateComplete;
}

/** Returns the height of all messages together. It grows with each slice of text that is drawn. */
function heightOf(messages: readonly Element[]): number {
  return messages.reduce((height, message) => height + message.clientHeight, 0);
}

/** Waits until the next frame is complete, in which content that was scrolled into view gets its layout. */
async function laidOut(): Promise<void> {
  for (let frame = 0; frame < 2; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
}
