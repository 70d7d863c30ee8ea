import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { ActionController } from '../../common/action-controller.ts';
import { COPY_ICONS, type CopyOutcome } from '../../common/copy-button.ts';
import { loadPart } from '../../browser/load-part.ts';
import { copyStrings } from '../../strings/message-strings.ts';
import { messageStrings } from '../../strings/message-strings.ts';
import { controlStyles } from '../../theme/control-styles.ts';
import { icon } from '../../theme/icons.ts';
import type { MessageAction } from './message-actions.ts';

/**
 * The actions on a message behind one button: on touch screens, where icons do not appear on hover, the only one; else for
 * those that have no button of their own.
 */
export class MessageMenu extends LitElement {
  static override properties = {
    actions: { attribute: false },
    shown: { state: true },
    outcome: { state: true },
  };
  /** Called each time the menu opens. */
  declare actions: () => readonly MessageAction[];
  /** The items; null until the menu first opens, because a long chat has many such menus. */
  declare shown: readonly MessageAction[] | null;
  declare outcome: CopyOutcome | null;
  readonly #problems = new ActionController(this);

  constructor() {
    super();
    this.actions = () => [];
    this.shown = null;
    this.outcome = null;
  }

  static override styles = [
    controlStyles,
    css`
      [slot='icon'] {
        display: flex;
      }
    `,
  ];

  override render() {
    const { shown, outcome } = this;
    const button = html`<button
      slot="trigger"
      type="button"
      class="icon"
      aria-haspopup="menu"
      aria-label=${messageStrings.messageMenu}
      @click=${this.#open}
    >
      ${icon(outcome === null ? 'more' : COPY_ICONS[outcome])}
    </button>`;
    return html`${
      shown === null
        ? button
        : html`<wa-dropdown placement="top-start" size="s" @wa-select=${this.#select}>
            ${button}${shown.map((action, index) => this.#item(action, index))}
          </wa-dropdown>`
    }
      <span class="hidden" role="status">${outcome === null ? '' : copyStrings[outcome]}</span>
      ${this.#problems.notice}`;
  }

  #item({ icon: symbol, words, isApart = false }: MessageAction, index: number): TemplateResult {
    return html`${isApart ? html`<hr />` : nothing}<wa-dropdown-item
        value=${index}
        variant=${isApart ? 'danger' : 'default'}
        ><span slot="icon">${icon(symbol)}</span>${words}</wa-dropdown-item
      >`;
  }

  /** Loads and opens the menu on the first click. Later clicks are handled by the menu itself. */
  async #open(): Promise<void> {
    const isFirst = this.shown === null;
    const isThere = !isFirst || (await this.#problems.run(() => loadPart(import('../../theme/web-awesome.ts'))));
    if (!isThere) return;
    this.shown = this.actions();
    await this.updateComplete;
    const dropdown = this.renderRoot.querySelector('wa-dropdown');
    if (isFirst && dropdown !== null) dropdown.open = true;
  }

  #select({ detail }: CustomEvent<{ item: { value: string } }>): void {
    this.shown?.[Number(detail.item.value)]?.run((outcome) => (this.outcome = outcome));
  }
}
customElements.define('message-menu', MessageMenu);
