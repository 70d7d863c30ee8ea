import { html, LitElement, nothing, unsafeCSS } from 'lit';
import { errorMessage } from '../../shared/error-message.ts';
import { listsDiffer } from '../storage/lists-differ.ts';
import { loadPart } from '../browser/load-part.ts';
import { conversationAddress, type FoundPlace } from '../common/route.ts';
import type { Conversation } from '../types/conversation.ts';
import { listStrings } from '../strings/list-strings.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { icon, type Icon } from '../theme/icons.ts';
import styles from './conversation-item.css?inline';

const CONVERSATION_ACTIONS = ['rename', 'pin', 'exportJson', 'exportMarkdown', 'print', 'delete'] as const;
export type ConversationAction = (typeof CONVERSATION_ACTIONS)[number];

const ICONS = {
  rename: 'pencil',
  pin: 'pin',
  exportJson: 'download',
  exportMarkdown: 'download',
  print: 'print',
  delete: 'trash',
} as const satisfies Record<ConversationAction, Icon>;

/**
 * Lists the menu actions of a conversation.
 * @param isShown Whether the conversation is on the screen. Only then can it be printed.
 */
export function itemActions(
  { pinned }: Conversation,
  isShown: boolean,
): readonly { readonly action: ConversationAction; readonly icon: Icon; readonly words: string }[] {
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

  static override styles = [controlStyles, unsafeCSS(styles)];

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
