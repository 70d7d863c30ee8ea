import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { RunningAnswer } from '../../answers/running-answer.ts';

/** Updates its host while an answer grows, at most once per frame. */
export class RunningAnswerController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  #running: RunningAnswer | undefined;
  #frame = 0;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  /** Follows this answer instead of the previous one; undefined stops following. */
  watch(running: RunningAnswer | undefined): void {
    if (running === this.#running) return;
    this.#running?.removeEventListener('change', this.#changed);
    this.#running = running;
    running?.addEventListener('change', this.#changed);
  }

  hostDisconnected(): void {
    this.watch(undefined);
  }

  readonly #changed = (): void => {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#host.requestUpdate();
    });
  };
}
