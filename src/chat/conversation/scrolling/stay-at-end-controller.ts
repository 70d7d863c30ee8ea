import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** How far from the end, in pixels, still counts as being there. */
const NEAR = 60;

/**
 * Keeps a scrolling element at its end while its content grows, unless the person has scrolled away. Its
 * first child must hold the content.
 */
export class StayAtEndController implements ReactiveController {
  /** False while the person reads further up. */
  atEnd = true;
  readonly #host: ReactiveControllerHost;
  #scroller: HTMLElement | null = null;
  #lastTop = 0;
  readonly #growth = new ResizeObserver(() => {
    if (this.atEnd) this.#jump();
  });

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  /** Call after rendering, with the element as it is now. */
  follow(scroller: HTMLElement | null): void {
    if (scroller === this.#scroller) return;
    this.hostDisconnected();
    this.#scroller = scroller;
    if (scroller === null) return;
    scroller.addEventListener('scroll', this.#scrolled, { passive: true });
    this.#growth.observe(scroller);
    if (scroller.firstElementChild !== null) this.#growth.observe(scroller.firstElementChild);
    this.goToEnd();
  }

  goToEnd(): void {
    this.atEnd = true;
    this.#jump();
    this.#host.requestUpdate();
  }

  /** Stays where it is, whatever is drawn next. */
  leave(): void {
    this.atEnd = false;
    this.#host.requestUpdate();
  }

  hostDisconnected(): void {
    this.#scroller?.removeEventListener('scroll', this.#scrolled);
    this.#growth.disconnect();
    this.#scroller = null;
  }

  #jump(): void {
    if (this.#scroller === null) return;
    this.#scroller.scrollTop = this.#scroller.scrollHeight;
    // The event of this jump may come when the content has grown again: it must not look like a move upwards.
    this.#lastTop = this.#scroller.scrollTop;
  }

  readonly #scrolled = (): void => {
    const scroller = this.#scroller;
    if (scroller === null) return;
    const { scrollTop, scrollHeight, clientHeight } = scroller;
    const isNear = scrollHeight - scrollTop - clientHeight < NEAR;
    // Content that grows moves the end away without anyone scrolling: only a move upwards is a wish to leave.
    const atEnd = isNear || (this.atEnd && scrollTop >= this.#lastTop);
    this.#lastTop = scrollTop;
    if (atEnd === this.atEnd) return;
    this.atEnd = atEnd;
    this.#host.requestUpdate();
  };
}
