import { css, html, LitElement, nothing } from 'lit';
import { listenToWindow } from '../../common/listen-to-window.ts';
import { contextStrings } from '../../strings/context-window-strings.ts';
import { dialogStrings } from '../../strings/dialog-strings.ts';
import { messageStrings } from '../../strings/message-strings.ts';
import { controlStyles } from '../../theme/control-styles.ts';
import { iconButton } from '../../theme/icons.ts';
import { keepFocusNear } from './keep-focus-near.ts';

/** The detail of the event `chat-measured`. */
export interface ChatMeasured {
  /** Id of the chat; null for a new one. */
  readonly chat: string | null;
  /** Share of the context window in use, from 0. */
  readonly share: number;
}

/**
 * Warns that a chat has nearly filled the model's context window. If the user closes the warning, it stays closed for
 * this chat.
 * @fires make-room - the user wants to continue with fewer messages.
 */
export class NearlyFullNotice extends LitElement {
  static override properties = { measured: { state: true } };
  /** The last measurement; null if the chat is not nearly full. */
  declare measured: ChatMeasured | null;
  /** Id of the chat for which the notice was closed. */
  #closedIn: string | null | undefined;

  constructor() {
    super();
    keepFocusNear(this);
    this.measured = null;
    listenToWindow(this, 'chat-measured', ({ detail }) => {
      this.measured = detail.share >= NEARLY_FULL ? detail : null;
    });
  }

  static override styles = [
    controlStyles,
    css`
      /* Laid over the messages, because the tokens are counted only after the messages are shown, and nothing may
         move then. */
      :host {
        position: relative;
        display: block;
        height: 0;
        z-index: 1;
      }
      section {
        position: absolute;
        inset: auto 0 0;
      }
      /* Raises the notice above the button that goes to the end of the chat, which the notice would cover. */
      :host([raised]) section {
        inset-block-end: calc(var(--target) + var(--space-3));
      }
      div {
        display: flex;
        align-items: center;
        gap: var(--space-2);
        width: min(var(--measure), 100% - 2 * var(--margin, var(--space-4)));
        margin: 0 auto var(--space-2);
        padding: var(--space-1);
        padding-inline-start: var(--space-3);
        border: 1px solid var(--color-line);
        border-radius: var(--radius-normal);
        background: var(--color-surface);
        font-size: var(--text-small);
      }
      p {
        flex: 1;
        min-width: 0;
        margin: 0;
      }
      button {
        flex: none;
        min-height: var(--target-small);
        padding: 0 var(--space-3);
        font-size: inherit;
      }
      button.icon {
        width: var(--target-small);
        padding: 0;
      }
      /* On paper it would cover the end of the chat. */
      @media print {
        :host {
          display: none;
        }
      }
    `,
  ];

  override render() {
    const { measured } = this;
    const isShown = measured !== null && measured.chat !== this.#closedIn;
    // The live region must exist before its content, or it is not announced.
    return html`<section role="status">
      ${
        isShown
          ? html`<div>
            <p>${contextStrings.nearlyFull(Math.min(measured.share, 1))}</p>
            <button type="button" @click=${() => this.dispatchEvent(new CustomEvent('make-room'))}>${messageStrings.makeRoom}</button>
            ${iconButton('close', dialogStrings.dismiss, () => this.#close())}
          </div>`
          : nothing
      }
    </section>`;
  }

  #close(): void {
    this.#closedIn = this.measured?.chat;
    this.requestUpdate();
  }
}
customElements.define('nearly-full-notice', NearlyFullNotice);

/** Share of the context window from which on a chat is nearly full. */
export const NEARLY_FULL = 0.8;

declare global {
  interface WindowEventMap {
    'chat-measured': CustomEvent<ChatMeasured>;
  }
  interface HTMLElementTagNameMap {
    'nearly-full-notice': NearlyFullNotice;
  }
}
