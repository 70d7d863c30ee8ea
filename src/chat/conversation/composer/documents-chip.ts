import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { ActionController } from '../../common/action-controller.ts';
import { loadPart } from '../../browser/load-part.ts';
import { CollectionsController } from '../../common/collections-controller.ts';
import { sourceStrings } from '../../strings/source-strings.ts';
import { controlStyles } from '../../theme/control-styles.ts';
import { icon } from '../../theme/icons.ts';
import { chipStyles } from './chip-styles.ts';
import { DEFAULT_SETTINGS, type CollectionName, type ConversationSettings } from '../../types/conversation.ts';

/** Values of the items of the menu that are no collections, whose ids are longer. */
const NONE = 'none';
const MANAGE = 'manage';

/**
 * Chooses the collection of documents in which the questions of a chat are looked up, and shows which one it is.
 * @fires documents - another collection was chosen; `detail` is it, undefined for none. Bubbles to the composer.
 */
export class DocumentsChip extends LitElement {
  static override properties = { settings: { attribute: false }, isLoaded: { state: true } };
  declare settings: ConversationSettings;
  /** Whether the menu's code is loaded; only then there is a menu. */
  declare isLoaded: boolean;
  readonly #problems = new ActionController(this);
  // Only the menu needs the list: most chats ask no documents.
  readonly #list = new CollectionsController(this, true);

  constructor() {
    super();
    this.settings = DEFAULT_SETTINGS;
    this.isLoaded = false;
  }

  static override styles = [
    controlStyles,
    chipStyles,
    css`
      wa-dropdown {
        max-width: 100%;
      }
    `,
  ];

  override render() {
    const { documents } = this.settings;
    const words = documents === undefined ? sourceStrings.choose : sourceStrings.chosen(documents.name);
    const button = html`<button
      slot=${this.isLoaded ? 'trigger' : nothing}
      type="button"
      class=${documents === undefined ? 'icon' : 'on'}
      aria-haspopup="menu"
      aria-label=${words}
      title=${words}
      @click=${this.isLoaded ? () => this.#list.refresh() : this.#load}
    >
      ${icon('folder')}${documents === undefined ? nothing : html`<span class="long" dir="auto">${documents.name}</span>`}
    </button>`;
    return this.isLoaded ? this.#menu(button) : html`${button}${this.#problems.notice}`;
  }

  #menu(button: TemplateResult): TemplateResult {
    const { documents } = this.settings;
    const { collections, problem } = this.#list;
    const isMissing =
      documents !== undefined && collections !== null && collections.every(({ id }) => id !== documents.id);
    return html`<wa-dropdown placement="top-start" @wa-select=${this.#select}>
      ${button} ${this.#item(NONE, sourceStrings.none, documents === undefined)}
      ${isMissing ? this.#item(documents.id, sourceStrings.missing(documents.name), true) : nothing}
      ${collections?.map(({ id, name }) => this.#item(id, name, id === documents?.id))}
      ${problem === '' ? nothing : html`<wa-dropdown-item disabled>${problem}</wa-dropdown-item>`}
      <hr />
      <wa-dropdown-item value=${MANAGE}>${sourceStrings.manage}</wa-dropdown-item>
    </wa-dropdown>`;
  }

  #item(value: string, words: string, isChosen: boolean): TemplateResult {
    return html`<wa-dropdown-item type="checkbox" value=${value} .checked=${isChosen}><span dir="auto">${words}</span></wa-dropdown-item>`;
  }

  /** Loads the menu and opens it. Later clicks are handled by the menu itself. */
  readonly #load = async (): Promise<void> => {
    const isThere = await this.#problems.run(() => loadPart(import('../../theme/web-awesome.ts')));
    if (!isThere) return;
    await this.#list.refresh();
    this.isLoaded = true;
    await this.updateComplete;
    const dropdown = this.renderRoot.querySelector('wa-dropdown');
    if (dropdown !== null) dropdown.open = true;
  };

  readonly #select = (event: CustomEvent<{ item: { value: string } }>): void => {
    const { value } = event.detail.item;
    if (value === MANAGE) return void (location.hash = '#/documents');
    const { id, name } = this.#list.collections?.find((collection) => collection.id === value) ?? {};
    // A collection that was deleted stays chosen until another one is.
    if (value !== NONE && (id === undefined || name === undefined)) return;
    const detail: CollectionName | undefined = id === undefined || name === undefined ? undefined : { id, name };
    this.dispatchEvent(new CustomEvent('documents', { detail, bubbles: true }));
    this.requestUpdate();
  };
}
customElements.define('documents-chip', DocumentsChip);

declare global {
  interface HTMLElementTagNameMap {
    'documents-chip': DocumentsChip;
  }
}
