import { html, nothing, type ReactiveControllerHost, type TemplateResult } from 'lit';
import { errorMessage } from '../../shared/error-message.ts';

/** Runs what the person asked an element for, and keeps in words why it failed, for the element to show. */
export class ActionController {
  readonly #host: ReactiveControllerHost;
  #problem = '';

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
  }

  /** Why the last action failed; empty while all is well. */
  get problem(): string {
    return this.#problem;
  }

  /** {@link problem} as a paragraph that is read out at once. */
  get notice(): TemplateResult | typeof nothing {
    return this.#problem === '' ? nothing : html`<p class="error" role="alert">${this.#problem}</p>`;
  }

  /** Shows a problem that was found without running anything; the empty text takes the last one away. */
  show(problem: string): void {
    if (problem === this.#problem) return;
    this.#problem = problem;
    this.#host.requestUpdate();
  }

  /**
   * Runs an action; never rejects.
   * @param words Shown if it fails; without them it is what the error says.
   * @returns Whether it succeeded.
   */
  async run(action: () => unknown, words?: string): Promise<boolean> {
    this.show('');
    try {
      await action();
      return true;
    } catch (thrown) {
      console.error(thrown);
      this.show(words ?? errorMessage(thrown));
      return false;
    }
  }
}
