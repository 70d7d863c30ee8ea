import { css, html, LitElement, nothing } from 'lit';
import { errorMessage } from '../../shared/error-message.ts';
import { listsDiffer } from '../storage/lists-differ.ts';
import { loadPart } from '../browser/load-part.ts';
import { conversationAddress, type FoundPlace } from '../common/route.ts';
import type { Conversation } from '../types/conversation.ts';
import { listStrings } from '../strings/list.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { icon, type IconName } from '../theme/icons.ts';

const CONVERSATION_ACTIONS = ['rename', 'pin', 'exportJson', 'exportMarkdown', 'print', 'delete'] as const;
export type ConversationAction = (typeof CONVERSATION_ACTIONS)[number];

const ICONS = {
  rename: 'pencil',
  pin: 'pin',
  exportJson: 'download',
  exportMarkdown: 'download',
  print: 'print',
  delete: 'trash',
} as const satisfies Record<ConversationAction, IconName>;

/**
 * Lists the menu actions of a conversation.
 * @param isShown Whether the conversation is on the screen. Only then can it be printed.
 */
export function itemActions(
  { pinned }: Conversation,
  isShown: boolean,
): readonly { readonly action: ConversationAction; readonly icon: IconName; readonly words: string }[] {
  const actions = isShown ? CONVERSATION_ACTIONS : CONVERSATION_ACTIONS.filter((action) => action !== 'print');
  return actions.map((action) => ({
    action,
    icon: ICONS[action],
    words: action === 'pin' && pinned ? listStrings.unpin : listStrings[action],
  }));
}

/**
 * A conversation in the list: its title, its menu, and its snippet in search results.
 * @fires action - `detail` is the chosen menu action.
 * @fires menu-failed - the menu could not be loaded; `detail` is the error.
 */
export class ConversationItem extends LitElement {
  static override properties = {
    conversation: { attribute: false },
    place: { attribute: false },
    snippet: { attribute: false, hasChanged: listsDiffer },
    current: { type: Boolean },
    answering: { type: Boolean },
    near: { state: true },
  };
  declare conversation: Conversation;
  /** The message that the item opens as a search result; null opens the end of the conversation. */
  declare place: FoundPlace | null;
  /** Parts of the text around the search result. Parts with an odd index are matches and are highlighted. */
  declare snippet: readonly string[];
  declare current: boolean;
  declare answering: boolean;
  /** True once the item was hovered or focused. Its menu items are rendered only then, because lists are long. */
  declare near: boolean;

  constructor() {
    super();
    this.place = null;
    this.snippet = [];
    this.current = false;
    this.answering = false;
    this.near = false;
    // A failure is ignored here, because opening the menu reports it.
    const approach = (): void => void this.#approach().catch(() => {});
    this.addEventListener('pointerenter', approach);
    this.addEventListener('focusin', approach);
  }

  static override styles = [
    controlStyles,
    css`
      :host {
        position: relative;
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        border-radius: var(--radius-normal);
      }
      :host(:hover) {
        background: color-mix(in oklab, var(--color-accent-soft) 65%, transparent);
      }
      :host([current]) {
        background: var(--color-surface);
        box-shadow: inset 0 0 0 1px var(--color-line);
      }
      a {
        flex: 1;
        min-width: 0;
        padding: 0.55rem 0 0.55rem var(--space-3);
        border-radius: inherit;
        color: var(--color-text);
        font-size: 0.925rem;
        text-decoration: none;
        overflow: hidden;
        /* Titles keep their own text direction but align with the list. */
        text-align: -webkit-match-parent;
        text-align: match-parent;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      :host(:dir(rtl)) a {
        padding: 0.55rem var(--space-3) 0.55rem 0;
      }
      /* Makes a whole item with a snippet clickable, except its menu. */
      a[aria-describedby]::after {
        content: '';
        position: absolute;
        inset: 0;
        border-radius: inherit;
      }
      .snippet {
        flex: 1 0 100%;
        margin: 0;
        padding: 0 var(--space-3) var(--space-2);
        color: var(--color-text-quiet);
        font-size: var(--text-small);
        line-height: 1.4;
        overflow-wrap: anywhere;
      }
      mark {
        border-radius: 3px;
        background: color-mix(in oklab, var(--color-spark) 35%, transparent);
        color: var(--color-text);
      }
      .busy {
        flex: none;
        width: 0.55rem;
        height: 0.55rem;
        margin-inline: var(--space-2);
        border-radius: 50%;
        background: var(--color-spark);
      }
      button.icon {
        position: relative;
        width: var(--target-medium);
        min-height: var(--target-medium);
      }
      @media (hover: hover) {
        /* The title uses the space of the button while the button is invisible. */
        :host(:not(:hover, :focus-within, [current])) button.icon {
          margin-inline-start: calc(-1 * var(--target-medium));
          opacity: 0;
        }
      }
      @media (forced-colors: active) {
        :host([current]) {
          outline: 2px solid Highlight;
          outline-offset: -2px;
        }
        .busy {
          background: Highlight;
          forced-color-adjust: none;
        }
      }
      [slot='icon'] {
        display: flex;
      }
      wa-dropdown:not(:defined) > :not(button) {
        display: none;
      }
    `,
  ];

  override render() {
    const { conversation, place, snippet } = this;
    const { id, title } = conversation;
    return html`
      <a href=${conversationAddress(id, place ?? undefined)} aria-describedby=${snippet.length === 0 ? nothing : 'snippet'} aria-current=${this.current ? 'page' : nothing} dir="auto" title=${title}>${title}</a>
      ${this.answering ? html`<span class="busy" role="img" aria-label=${listStrings.answering}></span>` : nothing}
      <wa-dropdown placement="bottom-end" size="s" @wa-select=${this.#select}>
        <button slot="trigger" class="icon" @click=${this.#open} aria-label=${listStrings.menuOf(title)}>${icon('more')}</button>
        ${
          this.near
            ? itemActions(conversation, this.current).map(
                ({
                  action,
                  icon: symbol,
                  words,
                }) => html`${action === 'delete' ? html`<hr />` : nothing}<wa-dropdown-item
                  value=${action}
                  variant=${action === 'delete' ? 'danger' : 'default'}
                  ><span slot="icon">${icon(symbol)}</span>${words}</wa-dropdown-item
                >`,
              )
            : nothing
        }
      </wa-dropdown>
      ${snippet.length === 0 ? nothing : html`<p id="snippet" class="snippet" dir="auto">${snippet.map((part, index) => (index % 2 === 0 ? part : html`<mark>${part}</mark>`))}</p>`}
    `;
  }

  async #approach(): Promise<void> {
    if (this.near) return;
    await loadPart(import('../theme/web-awesome.ts'));
    this.near = true;
  }

  /** Opens the menu, after its code has loaded. */
  async #open(): Promise<void> {
    if (this.near) return;
    try {
      await this.#approach();
    } catch (thrown) {
      this.dispatchEvent(new CustomEvent('menu-failed', { detail: errorMessage(thrown) }));
    }
    await this.updateComplete;
    const dropdown = this.renderRoot.querySelector('wa-dropdown');
    if (dropdown !== null) dropdown.open = true;
  }

  #select(event: CustomEvent<{ item: { value: string } }>): void {
    const action = CONVERSATION_ACTIONS.find((known) => known === event.detail.item.value);
    if (action !== undefined) this.dispatchEvent(new CustomEvent('action', { detail: action }));
  }
}
customElements.define('conversation-item', ConversationItem);
