import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { listsDiffer } from '../../storage/lists-differ.ts';
import { keepFocus } from '../../common/keep-focus.ts';
import { messageStrings } from '../../strings/message-strings.ts';
import type { Message } from '../../types/conversation.ts';
import { controlStyles } from '../../theme/control-styles.ts';
import { iconButton } from '../../theme/icons.ts';
import { laterIcons } from '../../theme/later-icons.ts';

/**
 * Switches between the versions of a message.
 * @fires branch - another version was chosen; `detail` is its message. Bubbles out of the message element.
 */
export class BranchSwitcher extends LitElement {
  static override properties = { siblings: { attribute: false, hasChanged: listsDiffer }, current: {} };
  declare siblings: readonly Message[];
  declare current: string;

  constructor() {
    super();
    // At the first and the last version one button becomes disabled, which would lose the focus.
    keepFocus(this, () => this.renderRoot.querySelector<HTMLElement>('button:enabled')?.focus());
    this.siblings = [];
    this.current = '';
  }

  static override styles = [
    controlStyles,
    css`
      :host {
        display: inline-flex;
        align-items: center;
        font-size: var(--text-small);
        font-variant-numeric: tabular-nums;
      }
      button.icon {
        width: var(--target-small);
        min-height: var(--target-small);
      }
    `,
  ];

  override render() {
    const count = this.siblings.length;
    if (count < 2) return nothing;
    const index = this.siblings.findIndex(({ id }) => id === this.current);
    return html`
      ${iconButton(laterIcons.previous, messageStrings.previousBranch, () => this.#go(index - 1), index <= 0)}
      <span aria-hidden="true">${index + 1}/${count}</span>
      <span class="hidden">${messageStrings.branch(index + 1, count)}</span>
      ${iconButton(laterIcons.next, messageStrings.nextBranch, () => this.#go(index + 1), index >= count - 1)}
    `;
  }

  #go(index: number): void {
    const message = this.siblings[index];
    if (message !== undefined)
      this.dispatchEvent(new CustomEvent('branch', { detail: message, bubbles: true, composed: true }));
  }
}
customElements.define('branch-switcher', BranchSwitcher);

/** Renders a switcher if there are other versions of a message. */
export function branchSwitcher(siblings: readonly Message[], current: string): TemplateResult | typeof nothing {
  return siblings.length < 2
    ? nothing
    : html`<branch-switcher .siblings=${siblings} current=${current}></branch-switcher>`;
}
