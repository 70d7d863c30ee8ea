import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { isComposing } from '../../browser/is-composing.ts';
import { ActionController } from '../../common/action-controller.ts';
import { fieldValue } from '../../browser/field-value.ts';
import {
  changePresets,
  findPreset,
  MAX_NAME_LENGTH,
  readPresets,
  watchPresets,
  type Preset,
  type Presets,
  type PresetSettings,
} from '../../storage/presets.ts';
import { dialogStrings } from '../../strings/dialog-strings.ts';
import { presetStrings } from '../../strings/preset-strings.ts';
import { choiceStyles } from '../../theme/choice-styles.ts';
import { controlStyles } from '../../theme/control-styles.ts';
import { iconButton } from '../../theme/icons.ts';

/**
 * Applies, saves and deletes presets, and chooses the one for new chats.
 * @fires use - a preset was chosen; `detail` is its settings, or null for none.
 */
export class PresetPicker extends LitElement {
  static override properties = {
    read: { attribute: false },
    presets: { state: true },
    chosen: { state: true },
    naming: { state: true },
    told: { state: true },
  };
  /** Returns the settings in the form of the dialog; null if a field is invalid. */
  declare read: () => PresetSettings | null;
  declare presets: Presets;
  declare chosen: Preset | undefined;
  /** Whether the user is entering a name. */
  declare naming: boolean;
  /** Text about the last action, for screen readers. */
  declare told: string;
  readonly #actions = new ActionController(this);
  #watch = new AbortController();

  constructor() {
    super();
    this.read = () => null;
    this.presets = readPresets();
    this.naming = false;
    this.told = '';
  }

  static override styles = [
    controlStyles,
    choiceStyles,
    css`
      :host {
        display: grid;
        gap: var(--space-2);
      }
      div {
        display: flex;
        flex-wrap: wrap;
        align-items: end;
        gap: var(--space-2) var(--space-3);
      }
      label {
        display: grid;
        flex: 1 1 12rem;
        gap: var(--space-1);
        font-weight: 500;
      }
      .check {
        display: flex;
        flex: none;
        gap: var(--space-2);
        align-items: center;
        min-height: var(--target);
        font-weight: 400;
      }
      p {
        margin: 0;
        color: var(--color-text-quiet);
        font-size: var(--text-small);
      }
      p:empty {
        margin-top: calc(-1 * var(--space-2));
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    this.#watch = new AbortController();
    watchPresets(() => this.#took(readPresets()), this.#watch.signal);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#watch.abort();
  }

  override focus(): void {
    this.renderRoot.querySelector('select')?.focus();
  }

  /** Selects the preset that equals the settings of a chat. */
  show(settings: PresetSettings): void {
    this.chosen = findPreset(settings, this.presets);
  }

  override render() {
    const { presets, chosen } = this;
    return html`<div>
        <label>
          ${presetStrings.label}
          <select @change=${(event: Event) => this.#use(fieldValue(event))}>
            <option value="" .selected=${chosen === undefined}>${presetStrings.none}</option>
            ${presets.list.map(({ id, name }) => html`<option value=${id} .selected=${id === chosen?.id}>${name}</option>`)}
          </select>
        </label>
        ${chosen === undefined ? nothing : iconButton('trash', presetStrings.delete, () => this.#delete(chosen))}
        <button type="button" aria-expanded=${this.naming} @click=${this.#askName}>${presetStrings.save}</button>
      </div>
      ${this.naming ? this.#name() : nothing}
      ${
        chosen === undefined
          ? nothing
          : html`<label class="check">
            <input type="checkbox" .checked=${presets.forNewChats === chosen.id} @change=${() => this.#toggleDefault(chosen)} />
            ${presetStrings.forNewChats}
          </label>`
      }
      <p role="status">${this.told}</p>
      ${this.#actions.notice}`;
  }

  #name(): TemplateResult {
    return html`<div>
      <label>${presetStrings.name}<input maxlength=${MAX_NAME_LENGTH} dir="auto" @keydown=${this.#key} /></label>
      <button type="button" @click=${() => this.#keep()}>${presetStrings.keep}</button>
      <button type="button" @click=${() => (this.naming = false)}>${dialogStrings.cancel}</button>
    </div>`;
  }

  readonly #askName = async (): Promise<void> => {
    this.naming = true;
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>('input[maxlength]')?.focus();
  };

  readonly #key = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || isComposing(event)) return;
    event.preventDefault();
    this.#keep();
  };

  #use(id: string): void {
    this.chosen = this.presets.list.find((preset) => preset.id === id);
    this.dispatchEvent(new CustomEvent('use', { detail: this.chosen?.settings ?? null }));
  }

  #keep(): void {
    const name = this.renderRoot.querySelector<HTMLInputElement>('input[maxlength]')?.value.trim() ?? '';
    const settings = this.read();
    if (name === '' || settings === null) return;
    const preset = { id: crypto.randomUUID(), name, settings };
    this.#change(
      ({ list, forNewChats }) => ({ list: [...list, preset], forNewChats }),
      presetStrings.saved(name),
      preset,
    );
    this.naming = false;
  }

  #delete({ id, name }: Preset): void {
    const without = ({ list, forNewChats }: Presets): Presets => ({
      list: list.filter((preset) => preset.id !== id),
      forNewChats: forNewChats === id ? null : forNewChats,
    });
    this.#change(without, presetStrings.deleted(name), undefined);
    this.renderRoot.querySelector('select')?.focus();
  }

  #toggleDefault(preset: Preset): void {
    const forNewChats = this.presets.forNewChats === preset.id ? null : preset.id;
    this.#change(({ list }) => ({ list, forNewChats }), '', preset);
  }

  #change(change: (now: Presets) => Presets, told: string, chosen: Preset | undefined): void {
    void this.#actions.run(() => {
      const presets = changePresets(change);
      Object.assign(this, { told, chosen });
      this.#took(presets);
    }, presetStrings.notStored);
  }

  /** Shows changed presets. Another tab may have deleted the selected one. */
  #took(presets: Presets): void {
    this.presets = presets;
    this.chosen = presets.list.find(({ id }) => id === this.chosen?.id);
  }
}
customElements.define('preset-picker', PresetPicker);
