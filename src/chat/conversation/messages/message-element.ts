import { LitElement } from 'lit';
import { whenIdle } from '../../markdown/idle-queue.ts';

/**
 * Base of questions and answers. Updates of messages that `content-visibility` skips wait for idle time: otherwise a change
 * of every message, such as the start of an answer, would block a long chat.
 */
export class MessageElement extends LitElement {
  #isFar = false;

  constructor() {
    super();
    this.addEventListener('contentvisibilityautostatechange', (event) => {
      this.#isFar = (event as ContentVisibilityEvent).skipped;
    });
  }

  protected override scheduleUpdate(): void | Promise<unknown> {
    if (!this.#isFar) return super.scheduleUpdate();
    return new Promise<void>(whenIdle).then(() => super.scheduleUpdate());
  }
}

/** See https://drafts.csswg.org/css-contain/#content-visibility-auto-state-change; missing in TypeScript's library. */
interface ContentVisibilityEvent extends Event {
  readonly skipped: boolean;
}
