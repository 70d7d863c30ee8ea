import { css, html, LitElement, nothing } from 'lit';
import { loadPart } from '../browser/load-part.ts';
import { ActionController } from '../common/action-controller.ts';
import { offerCommands } from '../common/commands.ts';
import { fromContext, storeContext } from '../common/contexts.ts';
import { appStrings } from '../strings/app-strings.ts';
import { currentLanguage, LANGUAGE_NAMES, LANGUAGES } from '../strings/page-language.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { icon } from '../theme/icons.ts';

const loadItems = () => loadPart(import('./app-menu-items.ts'));

/**
 * The menu for the whole page: instructions and model of all chats, export and import, shortcuts, colour scheme,
 * language.
 * @fires import-chats @fires export-chats
 * @fires shortcuts - show the keyboard shortcuts.
 */
export class AppMenu extends LitElement {
  static override properties = { items: { state: true } };
  /** The code of the items; null until the menu first opens. */
  declare items: Awaited<ReturnType<typeof loadItems>> | null;
  readonly #actions = new ActionController(this);
  readonly #store = fromContext(this, storeContext);

  constructor() {
    super();
    this.items = null;
    offerCommands(this, () => [
      { icon: 'sliders', words: appStrings.menuActions['all-chats'], run: () => this.#choose('all-chats') },
      ...LANGUAGES.filter((name) => name !== currentLanguage()).map((name) => ({
        icon: 'gear' as const,
        words: `${appStrings.language}: ${LANGUAGE_NAMES[name]}`,
        run: () => this.#choose(`language ${name}`),
      })),
    ]);
  }

  static override styles = [
    controlStyles,
    css`
      :host {
        display: block;
      }
      button {
        justify-content: flex-start;
        text-align: start;
        gap: var(--space-3);
        width: 100%;
        min-height: var(--target-medium);
        padding: 0 var(--space-3);
        border: 0;
        background: none;
        color: var(--color-text-quiet);
        font-size: 0.925rem;
        font-weight: 500;
      }
      wa-dropdown:not(:defined) > :not(button) {
        display: none;
      }
      p[aria-hidden] {
        margin: 0;
        padding: var(--space-2) var(--space-3) var(--space-1);
        color: var(--color-text-quiet);
        font-size: 0.75rem;
        font-weight: 600;
      }
      [slot='icon'] {
        display: flex;
      }
      /* Puts the icons where other items have their check mark, so that all labels begin at the same position. */
      wa-dropdown-item[type='normal'] {
        padding-inline-start: 0.6em;
      }
      wa-dropdown-item[type='checkbox'] {
        padding-inline-start: 2.45em;
      }
    `,
  ];

  override render() {
    return html`<wa-dropdown placement="top-start" distance="4" size="s" @wa-select=${this.#select}>
        <button slot="trigger" @click=${this.#open}>${icon('gear')}${appStrings.settings}</button>
        ${this.items?.menuItems() ?? nothing}
      </wa-dropdown>
      ${this.#actions.notice}`;
  }

  /** The first click loads the menu's code, then opens the menu. */
  async #open(): Promise<void> {
    if (this.items !== null) return;
    const isThere = await this.#actions.run(async () => (this.items = await loadItems()));
    if (!isThere) return;
    await this.updateComplete;
    const dropdown = this.renderRoot.querySelector('wa-dropdown');
    if (dropdown !== null) dropdown.open = true;
  }

  #select({ detail }: CustomEvent<{ item: { value: string } }>): void {
    this.#choose(detail.item.value);
  }

  #choose(item: string): void {
    void this.#actions.run(async () => {
      const action = await (await loadItems()).choose(item, this.#store());
      if (action !== null) this.dispatchEvent(new CustomEvent(action));
      this.requestUpdate();
    });
  }
}
customElements.define('app-menu', AppMenu);
