import { css, html, LitElement, nothing } from 'lit';
import { appStrings } from '../strings/app-strings.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { iconButton, icon, type Icon } from '../theme/icons.ts';
import '../list/conversation-list.ts';
import type { ConversationList } from '../list/conversation-list.ts';
import './app-menu.ts';
import { RouteController } from '../common/route.ts';

const PLACES = [
  ['documents', 'folder'],
  ['models', 'chip'],
  ['developers', 'code'],
  ['privacy', 'shield'],
] as const satisfies readonly (readonly [keyof typeof appStrings, Icon])[];

/**
 * Title, new chat, list of conversations, and links to the other screens.
 * @fires shortcuts - show the keyboard shortcuts.
 * @fires go - a link to a new chat was followed, or the close button pressed; closes the drawer.
 */
export class SideBar extends LitElement {
  static override properties = { inDrawer: { type: Boolean } };
  /** True in a drawer, which needs a close button for users who cannot click outside it. */
  declare inDrawer: boolean;
  readonly #route = new RouteController(this);

  constructor() {
    super();
    this.inDrawer = false;
  }

  static override styles = [
    controlStyles,
    css`
      :host {
        display: flex;
        flex-direction: column;
        gap: var(--space-3);
        height: 100%;
        min-height: 0;
        padding: var(--space-4);
      }
      .head {
        display: flex;
        align-items: center;
        justify-content: space-between;
      }
      .name {
        display: flex;
        align-items: center;
        gap: 0.6rem;
        padding: 0.25rem;
        border-radius: var(--radius-small);
        color: var(--color-text);
        font-weight: 650;
        letter-spacing: -0.01em;
        text-decoration: none;
      }
      .begin {
        display: flex;
        gap: var(--space-2);
      }
      .new {
        flex: 1;
        justify-content: flex-start;
      }
      .temporary {
        width: var(--target);
        padding: 0;
      }
      .temporary[aria-current] {
        border-style: dashed;
        border-color: var(--color-accent);
        background: var(--color-accent-soft);
        color: var(--color-on-accent-soft);
      }
      conversation-list {
        flex: 1;
        min-height: 0;
        /* Extends the list to the line below it, so that scrolled items are cut off at that line. */
        margin-bottom: calc(-1 * var(--space-3));
      }
      ul {
        display: grid;
        gap: 2px;
        margin: 0;
        padding: var(--space-3) 0 0;
        border-top: 1px solid var(--color-line);
        list-style: none;
      }
      .place {
        display: flex;
        align-items: center;
        justify-content: flex-start;
        gap: var(--space-3);
        width: 100%;
        min-height: var(--target-medium);
        border: 0;
        padding: 0 var(--space-3);
        border-radius: var(--radius-normal);
        background: none;
        color: var(--color-text-quiet);
        font-size: 0.925rem;
        font-weight: 500;
        text-decoration: none;
      }
      .place:hover {
        background: var(--color-accent-soft);
        color: var(--color-on-accent-soft);
      }
      @media (forced-colors: active) {
        .place[aria-current] {
          outline: 2px solid Highlight;
          outline-offset: -2px;
        }
      }
      .place[aria-current] {
        background: var(--color-surface);
        color: var(--color-text);
        box-shadow: inset 0 0 0 1px var(--color-line);
      }
    `,
  ];

  override render() {
    const { view } = this.#route.route;
    return html`
      <div class="head">
        <a class="name" href="#/"><img src="icons/tabserve.svg" alt="" width="28" height="28" />${appStrings.name}</a>
        ${this.inDrawer ? iconButton('close', appStrings.closeMenu, () => this.#go()) : nothing}
      </div>
      <div class="begin">
        <a class="button new" href="#/" @click=${() => this.#go()}>
          ${icon('plus')}${appStrings.newChat}
        </a>
        <a
          class="button temporary"
          href="#/temporary"
          aria-label=${appStrings.temporary}
          title=${appStrings.temporary}
          aria-current=${view === 'temporary' ? 'page' : nothing}
          @click=${() => this.#go()}
          >${icon('temporary')}</a
        >
      </div>
      <conversation-list></conversation-list>
      <nav aria-label=${appStrings.mainNavigation}>
        <ul>
          ${PLACES.map(
            ([place, symbol]) => html`<li>
              <a class="place" href="#/${place}" aria-current=${view === place ? 'page' : nothing}>${icon(symbol)}${appStrings[place]}</a>
            </li>`,
          )}
        </ul>
      </nav>
      <app-menu
        @shortcuts=${() => this.dispatchEvent(new CustomEvent('shortcuts'))}
        @import-chats=${() => this.#list?.import()}
        @export-chats=${() => this.#list?.exportAll()}
      ></app-menu>
      <offline-badge></offline-badge>
    `;
  }

  get #list(): ConversationList | null {
    return this.renderRoot.querySelector('conversation-list');
  }

  #go(): void {
    this.dispatchEvent(new CustomEvent('go'));
  }
}
customElements.define('side-bar', SideBar);

declare global {
  interface HTMLElementTagNameMap {
    'side-bar': SideBar;
  }
}
