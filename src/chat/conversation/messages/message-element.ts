import { LitElement } from 'lit';
import { whenIdle } from '../../markdown/idle-queue.ts';

/**
 * What questions and answers are: one that is so far off the screen that the browser does not lay it out is brought up to date when
 * there is time. What changes all of a long chat at once, as the beginning of an answer does, would take too long otherwise.
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

/** See https://drafts.csswg.org/css-contain/#content-visibility-auto-state-change; TypeScript's library has it not yet. */
interface ContentVisibilityEvent extends Event {
  readonly skipped: boolean;
}
