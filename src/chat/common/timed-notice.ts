import { css, html, LitElement, nothing, type PropertyValues } from 'lit';
import { dialogStrings } from '../strings/dialog-strings.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { iconButton } from '../theme/icons.ts';

/** Milliseconds for which the notice is shown, and the maximum while it is hovered or focused. */
const SHOWN = 10_000;
const MAX_SHOWN = 60_000;

/**
 * Shows for some seconds what was done, with an undo button if there is an `action`. Hovering over the notice or
 * focusing it extends the time, up to a maximum.
 * @fires act - the undo button was pressed.
 * @fires gone - the time is over, or the notice was closed.
 * @fires told - bubbles: the notice has new words or a new place, so what hides it should be opened.
 */
export class TimedNotice extends LitElement {
  static override properties = { words: {}, action: {} };
  declare words: string;
  /** Label of the button; empty for none. */
  declare action: string;
  #shownAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.words = '';
    this.action = '';
  }

  static override styles = [
    controlStyles,
    css`
      :host {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: var(--space-1) var(--space-2);
        padding: var(--space-2);
        padding-inline-start: var(--space-3);
        border: 1px solid var(--color-line);
        border-radius: var(--radius-normal);
        background: var(--color-surface);
        box-shadow: var(--shadow-raised);
        font-size: var(--text-small);
      }
      p {
        flex: 1 1 6rem;
        min-width: 0;
        margin: 0;
        overflow-wrap: anywhere;
      }
      button {
        min-height: var(--target-small);
      }
      button.icon {
        width: var(--target-small);
      }
    `,
  ];

  override render() {
    return html`<p>${this.words}</p>
      ${this.action === '' ? nothing : html`<button class="act" @click=${() => this.#tell('act')}>${this.action}</button>`}
      ${iconButton('close', dialogStrings.dismiss, () => this.#tell('gone'))}`;
  }

  protected override updated(changes: PropertyValues<this>): void {
    if (changes.has('words')) this.#begin();
  }

  #begin(): void {
    clearTimeout(this.#timer);
    this.#shownAt = Date.now();
    this.#timer = setTimeout(this.#end, SHOWN);
    this.dispatchEvent(new CustomEvent('told', { bubbles: true, composed: true }));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // It was moved on the page.
    if (this.hasUpdated) this.#begin();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
  }

  /** Focuses the undo button, or the close button if there is none. */
  override focus(): void {
    this.renderRoot.querySelector('button')?.focus();
  }

  readonly #end = (): void => {
    // Unlike `:focus-within`, this does not match a button that was focused by a mouse click, which does not extend the
    // time.
    const isInUse = this.matches(':hover') || this.renderRoot.querySelector(':focus-visible') !== null;
    if (isInUse && Date.now() - this.#shownAt < MAX_SHOWN) {
      this.#timer = setTimeout(this.#end, 1000);
    } else this.#tell('gone');
  };

  #tell(event: 'act' | 'gone'): void {
    this.dispatchEvent(new CustomEvent(event));
  }
}
customElements.define('timed-notice', TimedNotice);
