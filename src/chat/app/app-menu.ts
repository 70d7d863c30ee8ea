import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { ActionController } from '../common/action-controller.ts';
import { askConfirmation } from '../common/ask-in-dialog.ts';
import { offerCommands } from '../common/commands.ts';
import { loadPart } from '../browser/load-part.ts';
import { chosenColourScheme, rememberLanguage } from '../storage/local-values.ts';
import { appStrings } from '../strings/app.ts';
import { currentLanguage, LANGUAGES } from '../strings/language.ts';
import { chooseColourScheme } from '../theme/colour-scheme.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { icon, type IconName } from '../theme/icons.ts';

/** The name of each language in that language, for users who cannot read the current one. */
const LANGUAGE_NAMES = { en: 'English', de: 'Deutsch' } as const satisfies Record<(typeof LANGUAGES)[number], string>;

/** Items that fire an event which the parent element handles: event name and icon. */
const ACTIONS = [
  ['import-chats', 'upload'],
  ['export-chats', 'download'],
  ['shortcuts', 'keyboard'],
] as const satisfies readonly (readonly [string, IconName])[];

interface Choice {
  readonly value: string;
  readonly isChosen: boolean;
  readonly words: string;
}

/** The colour schemes to choose from. Null follows the system. */
const COLOUR_SCHEMES = [null, 'light', 'dark'] as const;

/**
 * The menu for the whole page: export and import of all chats, shortcuts, colour scheme, language.
 * @fires import-chats @fires export-chats
 * @fires shortcuts - show the keyboard shortcuts.
 */
export class AppMenu extends LitElement {
  static override properties = { loaded: { state: true } };
  /** True once the code of menus is loaded. */
  declare loaded: boolean;
  readonly #actions = new ActionController(this);

  constructor() {
    super();
    this.loaded = false;
    offerCommands(this, () =>
      LANGUAGES.filter((name) => name !== currentLanguage()).map((name) => ({
        icon: 'gear',
        words: `${appStrings.language}: ${LANGUAGE_NAMES[name]}`,
        run: () => this.#actions.run(() => this.#speak(name)),
      })),
    );
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
        min-height: 2.25rem;
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
        ${this.loaded ? this.#items() : nothing}
      </wa-dropdown>
      ${this.#actions.notice}`;
  }

  #items(): TemplateResult {
    const scheme = chosenColourScheme();
    return html`${ACTIONS.map(([action, symbol]) => html`<wa-dropdown-item value=${action}><span slot="icon">${icon(symbol)}</span>${appStrings.menuActions[action]}</wa-dropdown-item>`)}
      ${this.#choices(
        'colours',
        appStrings.colours,
        COLOUR_SCHEMES.map((name) => ({
          value: name ?? 'system',
          isChosen: name === scheme,
          words: appStrings.colourSchemes[name ?? 'system'],
        })),
      )}
      ${this.#choices(
        'language',
        appStrings.language,
        LANGUAGES.map((name) => ({ value: name, isChosen: name === currentLanguage(), words: LANGUAGE_NAMES[name] })),
      )}`;
  }

  /** Renders a radio group. A menu may not contain headings, so the label of each item includes the group's name. */
  #choices(what: string, heading: string, choices: readonly Choice[]): unknown {
    return [
      html`<p aria-hidden="true">${heading}</p>`,
      ...choices.map(
        ({ value, isChosen, words }) =>
          // `live` keeps the item checked when it is clicked again.
          html`<wa-dropdown-item type="checkbox" value="${what} ${value}" aria-label="${heading}: ${words}" .checked=${live(isChosen)}>${words}</wa-dropdown-item>`,
      ),
    ];
  }

  /** The first click loads the menu's code, then opens the menu. */
  async #open(): Promise<void> {
    if (this.loaded) return;
    const isThere = await this.#actions.run(() => loadPart(import('../theme/web-awesome.ts')));
    if (!isThere) return;
    this.loaded = true;
    await this.updateComplete;
    const dropdown = this.renderRoot.querySelector('wa-dropdown');
    if (dropdown !== null) dropdown.open = true;
  }

  #select({ detail }: CustomEvent<{ item: { value: string } }>): void {
    const [what, chosen] = detail.item.value.split(' ');
    const action = ACTIONS.find(([name]) => name === what);
    if (action !== undefined) this.dispatchEvent(new CustomEvent(action[0]));
    if (what === 'colours') chooseColourScheme(COLOUR_SCHEMES.find((name) => name === chosen) ?? null);
    if (what === 'language' && chosen !== undefined && chosen !== currentLanguage())
      void this.#actions.run(() => this.#speak(chosen));
    this.requestUpdate();
  }

  /**
   * Sets the language and reloads, because rendered texts keep their language. Drafts and answers survive; a temporary chat
   * does not.
   */
  async #speak(language: string): Promise<void> {
    const { temporarySession } = await loadPart(import('../temporary/temporary-session.ts'));
    if (temporarySession() !== null && !(await askConfirmation(appStrings.endsTemporary))) return;
    rememberLanguage(language);
    location.reload();
  }
}
customElements.define('app-menu', AppMenu);
