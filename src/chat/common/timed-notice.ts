import { css, html, LitElement, nothing, type PropertyValues } from 'lit';
import { dialogStrings } from '../strings/dialogs.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { iconButton } from '../theme/icons.ts';

/** Milliseconds for which it is there, and most of them if somebody points at it or has the focus in it. */
const SHOWN = 10_000;
const LONGEST = 60_000;

/**
 * Says for a while what has been done, with a button that undoes it where there is an `action`. It stays longer while it is
 * pointed at or focused by keyboard, but not without end: what was deleted is to be gone.
 * @fires act - the button was pressed.
 * @fires gone - its time is over, or it was closed.
 */
export class TimedNotice extends LitElement {
  static override properties = { words: {}, action: {} };
  declare words: string;
  /** What the button says; empty for none. */
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
    if (!changes.has('words')) return;
    clearTimeout(this.#timer);
    this.#shownAt = Date.now();
    this.#timer = setTimeout(this.#end, SHOWN);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
  }

  /** Puts the focus on the button that undoes, or else on the one that closes. */
  override focus(): void {
    this.renderRoot.querySelector('button')?.focus();
  }

  readonly #end = (): void => {
    // Not ":focus-within": a button that was given the focus after a click is not what somebody looks at.
    const isInUse = this.matches(':hover') || this.renderRoot.querySelector(':focus-visible') !== null;
    if (isInUse && Date.now() - this.#shownAt < LONGEST) {
      this.#timer = setTimeout(this.#end, 1000);
    } else this.#tell('gone');
  };

  #tell(event: 'act' | 'gone'): void {
    this.dispatchEvent(new CustomEvent(event));
  }
}
customElements.define('timed-notice', TimedNotice);
