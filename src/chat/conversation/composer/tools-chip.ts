import { css, html, LitElement, nothing } from 'lit';
import { toolStrings } from '../../strings/tool-strings.ts';
import { controlStyles } from '../../theme/control-styles.ts';
import { icon, iconButton } from '../../theme/icons.ts';
import { laterIcons } from '../../theme/later-icons.ts';
import { chipStyles } from './chip-styles.ts';
import { DEFAULT_SETTINGS, type ConversationSettings } from '../../types/conversation.ts';

/** If more tools are on, the chip shows only their number. */
const MAX_NAMED = 2;

/**
 * Opens the tools of a chat, and shows which of them are on.
 * @fires settings - it was clicked: the settings should open at `detail`, which is `tools`. Bubbles to the composer.
 */
export class ToolsChip extends LitElement {
  static override properties = { settings: { attribute: false } };
  declare settings: ConversationSettings;

  constructor() {
    super();
    this.settings = DEFAULT_SETTINGS;
  }

  static override styles = [
    controlStyles,
    chipStyles,
    css`
      /* There is room for one row of controls only. The settings of the chat, whose button is beside it, have the tools, too. */
      @media (max-width: 30rem) {
        .icon {
          display: none;
        }
      }
    `,
  ];

  override render() {
    const { tools = [], jsonSchema } = this.settings;
    // With a JSON Schema no tools are used.
    if (jsonSchema.trim() !== '') return nothing;
    const names = tools.map((tool) => toolStrings.names[tool]);
    if (names.length === 0) return iconButton(laterIcons.tool, toolStrings.title, this.#open);
    // The accessible name of a button must contain every text that the button may show.
    const words = toolStrings.on(names);
    return html`<button type="button" class="on" aria-label=${words} title=${words} @click=${this.#open}>
      ${icon(laterIcons.tool)}
      <span class="long">${names.length > MAX_NAMED ? toolStrings.count(names.length) : names.join(', ')}</span>
      <span class="short">${names.length}</span>
    </button>`;
  }

  readonly #open = (): void => {
    this.dispatchEvent(new CustomEvent('settings', { detail: 'tools', bubbles: true }));
  };
}
customElements.define('tools-chip', ToolsChip);

declare global {
  interface HTMLElementTagNameMap {
    'tools-chip': ToolsChip;
  }
}
