import { html, LitElement, nothing, unsafeCSS } from 'lit';
import type { Tabserve } from '../../page/index.ts';
import { appStrings } from '../strings/app-strings.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { iconButton } from '../theme/icons.ts';
import styles from './chat-app.css?inline';
import type { ConversationList } from '../list/conversation-list.ts';
import { ActionController } from '../common/action-controller.ts';
import { provideServices, type Services } from '../common/contexts.ts';
import { listenToWindow } from '../common/listen-to-window.ts';
import { loadPart } from '../browser/load-part.ts';
import { MediaController, NARROW } from '../common/media-controller.ts';
import { KEEPS_MENU, RouteController, type Route } from '../common/route.ts';
import { pageShortcut, type PageShortcut } from './keyboard-shortcuts.ts';
import { LeavingChatController } from './leaving-chat-controller.ts';
import { showScreen } from './show-screen.ts';
import './side-bar.ts';

/** The whole page: side bar or drawer, notices, and one screen. */
export class ChatApp extends LitElement {
  static override properties = {
    menuOpen: { state: true },
    paletteOpen: { state: true },
    shortcutsOpen: { state: true },
    chatTitle: { state: true },
  };
  /** The endpoint, for tests and the console. */
  tabserve: Tabserve | undefined;
  declare menuOpen: boolean;
  declare paletteOpen: boolean;
  declare shortcutsOpen: boolean;
  /** Title of the conversation on the screen; empty if it has none. */
  declare chatTitle: string;
  readonly #actions = new ActionController(this);
  readonly #left = new LeavingChatController(this);
  readonly #narrow = new MediaController(this, NARROW);
  readonly #route = new RouteController(this, (route) => this.#moved(route));
  /** One for as long as the page exists: what its list says and can undo is kept when a device is turned. */
  readonly #sideBar = document.createElement('side-bar');

  constructor() {
    super();
    this.#sideBar.addEventListener('go', () => (this.menuOpen = false));
    this.#sideBar.addEventListener('told', () => this.#narrow.matches && this.#do(this.#openMenu));
    this.#sideBar.addEventListener('shortcuts', () => this.#do(this.#openShortcuts));
    listenToWindow(this, 'keydown', this.#onKey);
    this.menuOpen = false;
    this.paletteOpen = false;
    this.shortcutsOpen = false;
    this.chatTitle = '';
  }

  /** Provides the services to all elements. Call it before the element is connected. */
  start(services: Services): void {
    this.tabserve = services.tabserve;
    provideServices(this, services);
  }

  static override styles = [controlStyles, unsafeCSS(styles)];

  override render() {
    const { route } = this.#route;
    const narrow = this.#narrow.matches;
    this.#sideBar.inDrawer = narrow;
    return html`
      <button class="skip" @click=${this.#focusMain}>${appStrings.skipToContent}</button>
      ${narrow ? nothing : html`<aside>${this.#sideBar}</aside>`}
      <div class="main">
        ${narrow ? this.#bar() : nothing}
        <update-prompt @dismissed=${this.#focusMain}></update-prompt>
        <status-banner></status-banner>
        <download-line></download-line>
        ${this.#actions.notice}
        <main @titled=${({ detail }: CustomEvent<string>) => (this.chatTitle = detail)} tabindex="-1" class=${route.view === 'chat' || route.view === 'temporary' ? 'fixed' : ''}>${this.#left.beside(showScreen(route))}</main>
      </div>
      ${
        narrow
          ? html`<wa-drawer
            label=${appStrings.menu}
            placement="start"
            without-header
            light-dismiss
            ?open=${this.menuOpen}
            @wa-after-hide=${this.#hidden}
            >${this.#sideBar}</wa-drawer
          >`
          : nothing
      }
      <command-palette
        ?open=${this.paletteOpen}
        @close=${() => (this.paletteOpen = false)}
        @search=${(event: CustomEvent<string>) => this.#do(() => this.#search(event.detail))}
        @shortcuts=${() => this.#do(this.#openShortcuts)}
      ></command-palette>
      <shortcuts-dialog ?open=${this.shortcutsOpen} @close=${() => (this.shortcutsOpen = false)}></shortcuts-dialog>
    `;
  }

  #bar() {
    return html`<header class="bar">
      ${iconButton('menu', appStrings.openMenu, () => this.#do(this.#openMenu))}
      ${
        this.#route.route.view === 'chat' && this.chatTitle !== ''
          ? html`<span class="title" dir="auto" aria-hidden="true">${this.chatTitle}</span>`
          : html`<a class="title" href="#/">${appStrings.name}</a>`
      }
      ${iconButton('plus', appStrings.newChat, () => (location.hash = '#/'))}
    </header>`;
  }

  #focusMain(): void {
    this.renderRoot.querySelector('main')?.focus();
  }

  /** Handles the drawer's hide event. Menus inside the drawer fire the same event, which bubbles up to here. */
  #hidden({ currentTarget, target }: Event): void {
    if (target === currentTarget) this.menuOpen = false;
  }

  #do(action: () => Promise<void>): void {
    void this.#actions.run(action);
  }

  readonly #openMenu = async (): Promise<void> => {
    await loadPart(import('../theme/web-awesome.ts'));
    this.menuOpen = true;
  };

  readonly #openShortcuts = async (): Promise<void> => {
    await loadPart(import('./shortcuts-dialog.ts'));
    this.shortcutsOpen = !this.paletteOpen;
  };

  readonly #openPalette = async (): Promise<void> => {
    await loadPart(import('../palette/command-palette.ts'));
    this.paletteOpen = !this.shortcutsOpen;
  };

  async #search(words = ''): Promise<void> {
    if (this.#narrow.matches) await this.#openMenu();
    await this.updateComplete;
    this.#sideBar.renderRoot.querySelector<ConversationList>('conversation-list')?.search(words);
  }

  readonly #onShortcut: Readonly<Record<PageShortcut, () => void>> = {
    'show-shortcuts': () => this.#do(this.#openShortcuts),
    'open-palette': () => this.#do(this.#openPalette),
    'search-chats': () => this.#do(() => this.#search()),
    'new-chat': () => (location.hash = '#/'),
    'temporary-chat': () => (location.hash = '#/temporary'),
  };

  readonly #onKey = (event: KeyboardEvent): void => {
    const shortcut = pageShortcut(event);
    if (shortcut === null) return;
    event.preventDefault();
    // Nothing may open above a dialog, and another screen would close it and lose what was typed in it.
    const inDialog = this.paletteOpen || this.shortcutsOpen || document.querySelector('[data-dialog]') !== null;
    if (!inDialog) this.#onShortcut[shortcut]();
  };

  #moved(route: Route): void {
    if (route.view !== 'chat') this.#left.leave();
    this.menuOpen &&= history.state === KEEPS_MENU;
    this.paletteOpen = this.shortcutsOpen = false;
    // The title of the conversation follows once it is loaded.
    document.title = route.view === 'chat' ? appStrings.name : `${appStrings[route.view]} · ${appStrings.name}`;
  }
}
customElements.define('chat-app', ChatApp);
