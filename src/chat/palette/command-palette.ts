import '../theme/web-awesome.ts';
import { isComposing } from '../browser/is-composing.ts';
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { offeredCommands, type Command } from '../common/commands.ts';
import { fromContext, storeContext } from '../common/contexts.ts';
import { fieldValue } from '../browser/field-value.ts';
import { conversationAddress } from '../common/route.ts';
import { paletteStrings, showKey } from '../strings/dialog-strings.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { icon } from '../theme/icons.ts';
import { keyStyles } from '../theme/key-styles.ts';
import { commandPaletteStyles } from './command-palette-styles.ts';
import { fuzzyMatch, markedParts } from './fuzzy-match.ts';
import { appearanceCommands, pageCommands } from './page-commands.ts';

/** Maximum entries, and maximum chats while the field is empty. */
const MAX_SHOWN = 40;
const RECENT = 5;

interface Entry {
  readonly command: Command;
  /** Indexes of the matching letters. */
  readonly positions: readonly number[];
}

/**
 * Finds commands and chats by a few letters of their names.
 * @fires close - the palette is closed; the chosen command runs next.
 * @fires search - search the chats for `detail`.
 * @fires shortcuts - show the keyboard help.
 */
export class CommandPalette extends LitElement {
  static override properties = {
    open: { type: Boolean },
    typed: { state: true },
    chosen: { state: true },
    chats: { state: true },
  };
  declare open: boolean;
  declare typed: string;
  /** Index of the entry that Enter runs. */
  declare chosen: number;
  declare chats: readonly Command[];
  readonly #store = fromContext(this, storeContext);
  #commands: readonly Command[] = [];
  /** The chosen command, which runs after the dialog has closed and returned the focus. */
  #next: Command | null = null;

  constructor() {
    super();
    this.open = false;
    this.typed = '';
    this.chosen = 0;
    this.chats = [];
  }

  static override styles = [controlStyles, keyStyles, commandPaletteStyles];

  protected override willUpdate(changes: PropertyValues<this>): void {
    if (!changes.has('open') || !this.open) return;
    this.typed = '';
    this.chosen = 0;
    this.#next = null;
    this.#commands = [...pageCommands((event) => this.#ask(event)), ...offeredCommands(), ...appearanceCommands()];
    void this.#readChats();
  }

  protected override updated(changes: PropertyValues<this>): void {
    if (changes.has('chosen'))
      this.renderRoot.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
    if (changes.has('open') && this.open) void this.#focus();
  }

  override render(): TemplateResult {
    const entries = this.#entries();
    return html`<wa-dialog
      label=${paletteStrings.label}
      without-header
      light-dismiss
      ?open=${this.open}
      @wa-after-hide=${this.#hidden}
    >
      <input
        role="combobox"
        aria-expanded="true"
        aria-controls="entries"
        aria-autocomplete="list"
        aria-activedescendant=${entries.length === 0 ? nothing : `entry-${this.chosen}`}
        aria-label=${paletteStrings.label}
        placeholder=${paletteStrings.placeholder}
        autocomplete="off"
        autofocus
        dir="auto"
        .value=${this.typed}
        @input=${this.#input}
        @keydown=${(event: KeyboardEvent) => this.#key(event, entries)}
      />
      <ul id="entries" role="listbox" aria-label=${paletteStrings.label}>
        ${entries.map((entry, index) => this.#entry(entry, index))}
      </ul>
      ${entries.length === 0 ? html`<p role="status">${paletteStrings.none}</p>` : nothing}
    </wa-dialog>`;
  }

  #entry({ command, positions }: Entry, index: number): TemplateResult {
    const { words, keys = [] } = command;
    return html`<li
      id="entry-${index}"
      role="option"
      aria-selected=${index === this.chosen}
      @pointermove=${() => (this.chosen = index)}
      @click=${() => this.#choose(command)}
    >
      ${icon(command.icon)}
      <span dir="auto"
        >${markedParts(words, positions).map((part, index) => (index % 2 === 0 ? part : html`<mark>${part}</mark>`))}</span
      >
      ${keys.map((key) => html`<kbd>${showKey(key)}</kbd>`)}
    </li>`;
  }

  #entries(): readonly Entry[] {
    const typed = this.typed.trim();
    if (typed === '') {
      return [...this.#commands, ...this.chats.slice(0, RECENT)].map((command) => ({ command, positions: [] }));
    }
    const fitting = [...this.#commands, ...this.chats].flatMap((command) => {
      const match = fuzzyMatch(typed, command.words);
      return match === null ? [] : [{ command, ...match }];
    });
    const search: Command = {
      words: paletteStrings.search(typed),
      icon: 'search',
      run: () => this.#ask('search', typed),
    };
    const best = fitting.toSorted((a, b) => b.score - a.score).slice(0, MAX_SHOWN);
    return [...best, { command: search, positions: [] }];
  }

  async #readChats(): Promise<void> {
    const conversations = await this.#store()
      .conversations()
      .catch((error: unknown) => {
        console.error(error);
        return [];
      });
    this.chats = conversations
      .toSorted((a, b) => b.updated - a.updated)
      .map(({ id, title }) => ({ words: title, icon: 'chat', run: () => (location.hash = conversationAddress(id)) }));
  }

  #ask(event: 'search' | 'shortcuts', detail = ''): void {
    this.dispatchEvent(new CustomEvent(event, { detail }));
  }

  #input(event: Event): void {
    this.typed = fieldValue(event);
    this.chosen = 0;
  }

  #key(event: KeyboardEvent, entries: readonly Entry[]): void {
    const last = entries.length - 1;
    const entry = entries[this.chosen];
    // After a choice the dialog is closing and ignores keys.
    if (isComposing(event) || !this.open) return;
    if (event.key === 'ArrowDown') this.chosen = this.chosen >= last ? 0 : this.chosen + 1;
    else if (event.key === 'ArrowUp') this.chosen = this.chosen <= 0 ? Math.max(last, 0) : this.chosen - 1;
    else if (event.key === 'Enter' && entry !== undefined) this.#choose(entry.command);
    else return;
    event.preventDefault();
  }

  #choose(command: Command): void {
    this.#next = command;
    this.open = false;
  }

  /** Focuses the field in browsers, such as Firefox, that ignore `autofocus` in slotted content. */
  async #focus(): Promise<void> {
    await this.renderRoot.querySelector<LitElement>('wa-dialog')?.updateComplete;
    this.renderRoot.querySelector('input')?.focus();
  }

  #hidden(): void {
    this.open = false;
    this.dispatchEvent(new CustomEvent('close'));
    this.#next?.run();
    this.#next = null;
  }
}
customElements.define('command-palette', CommandPalette);
