import '../../theme/web-awesome.ts';
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { BUILT_IN_MODEL_ID } from '../../../shared/models/built-in-models.ts';
import { ActionController } from '../../common/action-controller.ts';
import { keepFocus } from '../../common/keep-focus.ts';
import { showDialog } from '../../common/show-dialog.ts';
import { contextStrings } from '../../strings/context-window-strings.ts';
import { messageStrings } from '../../strings/message-strings.ts';
import { controlStyles } from '../../theme/control-styles.ts';
import { continueWithSummary, continueWithTurns, leaveOutFirst, type FullChat } from './continue-in-new-chat.ts';

/**
 * Asks how to continue a chat that fills the context window, and does that.
 * @fires close - the dialog was closed.
 */
export class ContinueDialog extends LitElement {
  static override properties = { chat: { attribute: false }, open: { state: true }, summary: { state: true } };
  declare chat: FullChat;
  declare open: boolean;
  /** The summary so far; null if none is being generated. */
  declare summary: string | null;
  readonly #actions = new ActionController(this);
  readonly #abort = new AbortController();
  #isRunning = false;

  constructor() {
    super();
    // The pressed choice disappears while the model sums up, so the focus moves to the button below.
    keepFocus(this, () => this.renderRoot.querySelector<HTMLElement>('footer button')?.focus());
    this.open = true;
    this.summary = null;
  }

  static override styles = [
    controlStyles,
    css`
      p {
        margin: 0 0 var(--space-3);
        text-wrap: pretty;
      }
      .choices {
        display: grid;
        gap: var(--space-3);
        margin-bottom: var(--space-3);
      }
      .choices button {
        display: grid;
        justify-content: start;
        gap: var(--space-1);
        padding: var(--space-3) var(--space-4);
        text-align: start;
        white-space: normal;
      }
      small {
        color: var(--color-text-quiet);
        font-size: var(--text-small);
        font-weight: 400;
        text-wrap: pretty;
      }
      .summary {
        max-height: 12rem;
        overflow: auto;
        color: var(--color-text-quiet);
        white-space: pre-wrap;
      }
      p:empty {
        margin: 0;
      }
      footer {
        display: flex;
        justify-content: flex-end;
        margin-top: var(--space-4);
      }
    `,
  ];

  override render() {
    const isBusy = this.summary !== null;
    return html`<wa-dialog label=${messageStrings.makeRoom} ?open=${this.open} @wa-after-hide=${this.#hidden}>
      ${isBusy ? nothing : this.#choices()}
      <p role="status">${isBusy ? contextStrings.summing : ''}</p>
      ${this.summary ? html`<div class="summary" dir="auto" tabindex="0">${this.summary}</div>` : nothing}
      ${this.#actions.notice}
      <footer><button @click=${() => (this.open = false)}>${contextStrings.cancel}</button></footer>
    </wa-dialog>`;
  }

  #choices(): TemplateResult {
    return html`<p>${contextStrings.words}</p>
      <div class="choices">
        <button autofocus @click=${() => void this.#run(() => leaveOutFirst(this.chat))}>
          ${contextStrings.leaveOut}<small>${contextStrings.leaveOutHelp}</small>
        </button>
        ${this.chat.store.isTemporary ? nothing : this.#newChat()}
      </div>`;
  }

  /** The ways to continue in a new chat. A temporary chat has none, because they would store its messages. */
  #newChat(): TemplateResult {
    return html`<button @click=${() => void this.#run(() => continueWithTurns(this.chat))}>
        ${contextStrings.turns}<small>${contextStrings.turnsHelp}</small>
      </button>
      ${
        this.chat.model === BUILT_IN_MODEL_ID
          ? // The built-in model is too small to summarise.
            nothing
          : html`<button @click=${() => void this.#sumUp()}>
            ${contextStrings.summary}<small>${contextStrings.summaryHelp}</small>
          </button>`
      }`;
  }

  async #sumUp(): Promise<void> {
    this.summary = '';
    await this.#run(() => continueWithSummary(this.chat, (summary) => (this.summary = summary), this.#abort.signal));
    this.summary = null;
  }

  async #run(action: () => Promise<void>): Promise<void> {
    // A double click begins one new chat.
    if (this.#isRunning) return;
    this.#isRunning = true;
    if (await this.#actions.run(action)) this.open = false;
    this.#isRunning = false;
  }

  #hidden({ target, currentTarget }: Event): void {
    if (target !== currentTarget) return;
    this.#abort.abort();
    this.dispatchEvent(new CustomEvent('close'));
  }
}
customElements.define('continue-dialog', ContinueDialog);

export function askHowToContinue(chat: FullChat): void {
  showDialog(Object.assign(new ContinueDialog(), { chat }));
}
