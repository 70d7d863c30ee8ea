import '../theme/web-awesome.ts';
import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import type { ListedModel } from '../api/list-models.ts';
import { deepActiveElement } from '../common/ask.ts';
import { dialogStrings, settingsStrings } from '../strings/dialogs.ts';
import { DEFAULT_SETTINGS, type ConversationSettings } from '../storage/conversation.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { readSampling, readSettings, type EditableSettings, type FieldProblem } from './read-settings.ts';
import { PRESET_NAMES, presetOf, SAMPLING_PRESETS, type SamplingPreset } from './sampling-presets.ts';

/**
 * System prompt, sampling and form of the answers of one conversation.
 * @fires save - `detail` is the settings but for the model.
 */
export class SettingsDialog extends LitElement {
  static override properties = {
    open: { type: Boolean },
    settings: { attribute: false },
    model: { attribute: false },
    preset: { state: true },
    problem: { state: true },
  };
  declare open: boolean;
  declare settings: ConversationSettings;
  /** The model that answers, for its own defaults. */
  declare model: ListedModel | undefined;
  /** The preset that the fields show. */
  declare preset: SamplingPreset | undefined;
  declare problem: FieldProblem | null;
  #openings = 0;

  constructor() {
    super();
    this.open = false;
    this.settings = DEFAULT_SETTINGS;
    this.problem = null;
  }

  static override styles = [
    controlStyles,
    css`
      wa-dialog {
        --width: min(40rem, 94vw);
      }
      form {
        display: grid;
        gap: var(--space-5);
      }
      fieldset {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(14rem, 100%), 1fr));
        gap: var(--space-4);
        min-width: 0;
        margin: 0;
        padding: 0;
        border: 0;
      }
      legend {
        margin-bottom: var(--space-3);
        padding: 0;
        font-weight: 650;
      }
      label {
        display: grid;
        align-content: start;
        gap: var(--space-1);
        font-weight: 550;
      }
      .wide {
        grid-column: 1 / -1;
      }
      .help {
        color: var(--color-text-quiet);
        font-size: var(--text-small);
        font-weight: 400;
      }
      .problem {
        color: var(--color-danger);
      }
      textarea {
        field-sizing: content;
        min-height: 4.5rem;
        max-height: 16rem;
        resize: vertical;
      }
      [name='jsonSchema'],
      [name='stop'] {
        font-family: var(--font-code);
        font-size: 0.875rem;
      }
      .presets {
        display: flex;
        flex-wrap: wrap;
        gap: var(--space-2);
      }
      [aria-pressed='true'] {
        border-color: var(--color-accent);
        background: var(--color-accent-soft);
        color: var(--color-on-accent-soft);
      }
      footer {
        position: sticky;
        bottom: calc(-1 * var(--spacing, 1.5rem));
        display: flex;
        justify-content: flex-end;
        gap: var(--space-2);
        padding-block: var(--space-3);
        background: var(--color-surface);
      }
    `,
  ];

  protected override willUpdate(changes: PropertyValues<this>): void {
    if (!changes.has('open') || !this.open) return;
    this.#openings += 1;
    this.preset = presetOf(this.settings);
  }

  override render() {
    // A form of its own each time it opens: what was typed and not saved is forgotten.
    return html`<wa-dialog label=${settingsStrings.title} ?open=${this.open} @wa-after-hide=${this.#hidden}>
      ${keyed(this.#openings, this.#form())}
    </wa-dialog>`;
  }

  #form(): TemplateResult {
    const { settings, model } = this;
    return html`<form @submit=${this.#submit} @input=${this.#typed}>
      <label>
        ${settingsStrings.systemPrompt}
        <textarea name="systemPrompt" dir="auto" .value=${settings.systemPrompt}></textarea>
        <span class="help">${settingsStrings.systemPromptHelp}</span>
      </label>
      <fieldset>
        <legend>${settingsStrings.sampling}</legend>
        <div class="presets wide" role="group" aria-label=${settingsStrings.preset}>
          ${PRESET_NAMES.map(
            (
              preset,
            ) => html`<button type="button" aria-pressed=${preset === this.preset} @click=${() => this.#usePreset(preset)}>
              ${settingsStrings.presets[preset]}
            </button>`,
          )}
        </div>
        ${this.#number('temperature', { min: 0, max: 2 }, ownValue(model?.default_temperature))}
        ${this.#number('topP', { min: 0, max: 1 }, ownValue(model?.default_top_p))}
        ${this.#number('presencePenalty', { min: -2, max: 2 }, settingsStrings.none)}
        ${this.#number('frequencyPenalty', { min: -2, max: 2 }, settingsStrings.none)}
        ${this.#number('maxTokens', { min: 1, step: 1 }, settingsStrings.none)}
        ${this.#number('seed', { step: 1 }, settingsStrings.random)}
      </fieldset>
      <fieldset>
        <legend>${settingsStrings.format}</legend>
        ${this.#area('jsonSchema', settings.jsonSchema)} ${this.#area('stop', settings.stop.join('\n'))}
      </fieldset>
      <footer>
        <button type="button" @click=${() => (this.open = false)}>${dialogStrings.cancel}</button>
        <button class="primary">${dialogStrings.save}</button>
      </footer>
    </form>`;
  }

  #number(
    name: 'temperature' | 'topP' | 'presencePenalty' | 'frequencyPenalty' | 'maxTokens' | 'seed',
    range: { readonly min?: number; readonly max?: number; readonly step?: number },
    placeholder: string,
  ): TemplateResult {
    return html`<label>
      ${settingsStrings[name]}
      <input
        name=${name}
        type="number"
        inputmode="decimal"
        min=${range.min ?? nothing}
        max=${range.max ?? nothing}
        step=${range.step ?? 'any'}
        placeholder=${placeholder}
        .value=${String(this.settings[name] ?? '')}
      />
      <span class="help">${settingsStrings[`${name}Help`]}</span>
    </label>`;
  }

  #area(name: 'jsonSchema' | 'stop', value: string): TemplateResult {
    const problem = this.problem?.field === name ? this.problem.message : null;
    return html`<label class="wide">
      ${settingsStrings[name]}
      <textarea name=${name} spellcheck="false" aria-invalid=${problem !== null} aria-describedby="${name}-help" .value=${value}></textarea>
      <span id="${name}-help" class="help">
        ${problem === null ? settingsStrings[`${name}Help`] : html`<span class="problem" role="alert">${problem}</span>`}
      </span>
    </label>`;
  }

  #usePreset(preset: SamplingPreset): void {
    for (const [name, value] of Object.entries(SAMPLING_PRESETS[preset])) {
      const field = this.renderRoot.querySelector<HTMLInputElement>(`[name="${name}"]`);
      if (field !== null) field.value = value === null ? '' : String(value);
    }
    this.preset = preset;
  }

  #typed({ currentTarget }: Event): void {
    this.preset = presetOf(readSampling(new FormData(currentTarget as HTMLFormElement)));
  }

  #submit(event: Event): void {
    event.preventDefault();
    const result = readSettings(new FormData(event.target as HTMLFormElement));
    this.problem = 'field' in result ? result : null;
    if ('field' in result) {
      this.renderRoot.querySelector<HTMLElement>(`[name="${result.field}"]`)?.focus();
      return;
    }
    this.dispatchEvent(new CustomEvent('save', { detail: result }));
    this.open = false;
  }

  #hidden(event: Event): void {
    if (event.target !== event.currentTarget) return;
    this.open = false;
    this.problem = null;
    this.dispatchEvent(new CustomEvent('close'));
  }
}
customElements.define('settings-dialog', SettingsDialog);

/** Opens the dialog. @param save Called with the settings but for the model, once the person has agreed. */
export function openSettings(
  properties: Pick<SettingsDialog, 'settings' | 'model'>,
  save: (settings: EditableSettings) => void,
): void {
  const dialog = Object.assign(new SettingsDialog(), properties, { open: true });
  dialog.addEventListener('save', (event) => save((event as CustomEvent<EditableSettings>).detail));
  const opener = deepActiveElement();
  dialog.addEventListener('close', () => {
    dialog.remove();
    if (opener instanceof HTMLElement) opener.focus();
  });
  document.body.append(dialog);
}

function ownValue(value: number | undefined): string {
  return value === undefined ? settingsStrings.modelDefault : settingsStrings.modelDefaultOf(value);
}
