import { LitElement } from 'lit';
import { whenIdle } from '../../markdown/when-idle.ts';

/**
 * Base class of questions and answers. A message off the screen, which `content-visibility` skips, updates in idle
 * time. Otherwise a change of all messages, such as the start of an answer, would block a long chat.
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
