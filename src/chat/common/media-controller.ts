import type { ReactiveController, ReactiveControllerHost } from 'lit';

/**
 * Media query that matches if the window is too narrow to show the list of chats beside the screen. Style sheets repeat
 * this width.
 */
export const NARROW = '(max-width: 52rem)';

/** Reports whether a media query matches, and updates its host when that changes. */
export class MediaController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #query: MediaQueryList;

  constructor(host: ReactiveControllerHost, query: string) {
    this.#host = host;
    this.#query = matchMedia(query);
    host.addController(this);
  }

  get matches(): boolean {
    return this.#query.matches;
  }

  readonly #update = (): void => this.#host.requestUpdate();

  hostConnected(): void {
    this.#query.addEventListener('change', this.#update);
  }

  hostDisconnected(): void {
    this.#query.removeEventListener('change', this.#update);
  }
}
