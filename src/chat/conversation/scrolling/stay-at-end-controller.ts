import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** Distance from the end, in pixels, that still counts as the end. */
const NEAR = 60;

/** Events of inputs with which a user may scroll. */
const INPUTS = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

/** Milliseconds after an input in which scrolling up is taken for the user's, even if heights changed in the same frame. */
const INPUT_EFFECT = 500;

/**
 * Keeps a scroll container at its end while its content grows, unless the user has scrolled up. Its first child must
 * hold the content.
 */
export class StayAtEndController implements ReactiveController {
  /** False if the user has scrolled up. */
  atEnd = true;
  readonly #host: ReactiveControllerHost;
  #scroller: HTMLElement | null = null;
  #lastTop = 0;
  #lastHeight = 0;
  #lastClientHeight = 0;
  #lastInput = Number.NEGATIVE_INFINITY;
  #listening = new AbortController();
  readonly #growth = new ResizeObserver(() => {
    if (this.atEnd) this.#jump();
  });

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  /** Call it after each render with the current scroll container. */
  follow(scroller: HTMLElement | null): void {
    if (scroller === this.#scroller) return;
    this.hostDisconnected();
    this.#scroller = scroller;
    if (scroller === null) return;
    this.#listening = new AbortController();
    const options = { passive: true, signal: this.#listening.signal };
    scroller.addEventListener('scroll', this.#scrolled, options);
    for (const type of INPUTS) scroller.addEventListener(type, this.#noteInput, options);
    this.#growth.observe(scroller);
    if (scroller.firstElementChild !== null) this.#growth.observe(scroller.firstElementChild);
    this.goToEnd();
  }

  goToEnd(): void {
    this.atEnd = true;
    this.#jump();
    this.#host.requestUpdate();
  }

  /** Keeps the current position, even if the content grows. */
  leave(): void {
    this.atEnd = false;
    this.#host.requestUpdate();
  }

  hostDisconnected(): void {
    this.#listening.abort();
    this.#growth.disconnect();
    this.#scroller = null;
  }

  #jump(): void {
    if (this.#scroller === null) return;
    this.#scroller.scrollTop = this.#scroller.scrollHeight;
    // The scroll event of this jump may arrive after the content has grown further. It must not look like scrolling up.
    this.#remember(this.#scroller);
  }

  #remember({ scrollTop, scrollHeight, clientHeight }: HTMLElement): void {
    this.#lastTop = scrollTop;
    this.#lastHeight = scrollHeight;
    this.#lastClientHeight = clientHeight;
  }

  readonly #noteInput = (): void => {
    this.#lastInput = performance.now();
  };

  readonly #scrolled = (): void => {
    const scroller = this.#scroller;
    if (scroller === null) return;
    const { scrollTop, scrollHeight, clientHeight } = scroller;
    const isNear = scrollHeight - scrollTop - clientHeight < NEAR;
    // Growing content moves the end away from the view, although the user did nothing. So only scrolling up counts as
    // leaving the end. When content above the view shrinks, the browser scrolls up by as much, while content below may
    // have grown. So if heights changed and the user touched nothing, only a long way up counts, as to a text that the
    // browser has found.
    const shrunk = Math.max(0, this.#lastHeight - scrollHeight);
    const isSameLayout = scrollHeight === this.#lastHeight && clientHeight === this.#lastClientHeight;
    const isUsers = isSameLayout || performance.now() - this.#lastInput < INPUT_EFFECT;
    const isUp = this.#lastTop - scrollTop > shrunk + (isUsers ? 0 : clientHeight);
    const atEnd = isNear || (this.atEnd && !isUp);
    this.#remember(scroller);
    if (atEnd && !isNear) this.#jump();
    if (atEnd === this.atEnd) return;
    this.atEnd = atEnd;
    this.#host.requestUpdate();
  };
}
