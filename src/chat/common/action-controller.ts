import { html, nothing, type ReactiveControllerHost, type TemplateResult } from 'lit';
import { errorInPageLanguage } from '../strings/engine-sentences.ts';

/** Runs a user's action for an element, and keeps its error message for the element to show. */
export class ActionController {
  readonly #host: ReactiveControllerHost;
  #problem = '';

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
  }

  /** Error message of the last action; empty if it succeeded. */
  get problem(): string {
    return this.#problem;
  }

  /** {@link problem} as a paragraph that screen readers announce. */
  get notice(): TemplateResult | typeof nothing {
    return this.#problem === '' ? nothing : html`<p class="error" role="alert">${this.#problem}</p>`;
  }

  /** Shows a problem that no action caused; an empty text clears it. */
  show(problem: string): void {
    if (problem === this.#problem) return;
    this.#problem = problem;
    this.#host.requestUpdate();
  }

  /**
   * Runs an action; never rejects.
   * @param words Shown if it fails. Default: the error's message.
   * @returns Whether it succeeded.
   */
  async run(action: () => unknown, words?: string): Promise<boolean> {
    this.show('');
    try {
      await action();
      return true;
    } catch (thrown) {
      console.error(thrown);
      this.show(words ?? errorInPageLanguage(thrown));
      return false;
    }
  }
}
