import { css, html, LitElement, nothing } from 'lit';
import { toolStrings } from '../../strings/tool-strings.ts';
import { controlStyles } from '../../theme/control-styles.ts';
import { DEFAULT_SETTINGS, type ConversationSettings } from '../../types/conversation.ts';

/** If more tools are on, the chip shows only their number. */
const MAX_NAMED = 2;

/**
 * Shows which tools are on in a chat; empty if none is.
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
    css`
      :host {
        min-width: 0;
      }
      button {
        gap: var(--space-1);
        max-width: 100%;
        min-height: var(--target-small);
        padding: 0 var(--space-3);
        border-color: transparent;
        border-radius: 999px;
        background: var(--color-accent-soft);
        color: var(--color-on-accent-soft);
        font-size: var(--text-small);
      }
      span {
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      svg {
        flex: none;
        fill: none;
        stroke: currentColor;
        stroke-width: 1.75;
      }
      .short {
        display: none;
      }
      @media (max-width: 30rem) {
        :host {
          flex: none;
        }
        button {
          padding: 0 var(--space-2);
        }
        .short {
          display: inline;
        }
        .long {
          display: none;
        }
      }
    `,
  ];

  override render() {
    const { tools = [], jsonSchema } = this.settings;
    // With a JSON Schema no tools are used.
    if (tools.length === 0 || jsonSchema.trim() !== '') return nothing;
    const names = tools.map((tool) => toolStrings.names[tool]);
    // The accessible name of a button must contain every text that the button may show.
    const words = toolStrings.on(names);
    return html`<button type="button" aria-label=${words} title=${words} @click=${this.#open}>
      <svg aria-hidden="true" viewBox="0 0 24 24" width="16" height="16" stroke-linecap="round" stroke-linejoin="round">
        <path d="M14.5 6.500a4 4 0 0 0 5 5L11 20a2.500 2.500 0 0 1-3.500-3.500zM14.500 6.500 17 4a4 4 0 0 1 3.500 3.500L18 10" />
      </svg>
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
