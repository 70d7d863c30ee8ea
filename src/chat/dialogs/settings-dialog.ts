import '../theme/controls.ts';
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import type { ListedModel } from '../api/list-models.ts';
import { dialogStrings, settingsStrings } from '../strings/dialogs.ts';
import { DEFAULT_SETTINGS, type ConversationSettings } from '../storage/conversation.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { readSettings, type FieldProblem } from './read-settings.ts';
import { SAMPLING_PRESETS, type SamplingPreset } from './sampling-presets.ts';

/**
 * System prompt, sampling and form of the answers of one conversation.
 * @fires save - `detail` is the settings but for the model.
 */
export class SettingsDialog extends LitElement {
  static override properties = {
    open: { type: Boolean },
    settings: { attribute: false },
    model: { attribute: false },
    problem: { state: true },
  };
  declare open: boolean;
  declare settings: ConversationSettings;
  /** The model that answers, for its own defaults. */
  declare model: ListedModel | undefined;
  declare problem: FieldProblem | null;

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

  override render() {
    const { settings, model } = this;
    return html`<wa-dialog label=${settingsStrings.title} ?open=${this.open} @wa-after-hide=${this.#hidden}>
      <form @submit=${this.#submit}>
        <label>
          ${settingsStrings.systemPrompt}
          <textarea name="systemPrompt" dir="auto" .value=${settings.systemPrompt}></textarea>
          <span class="help">${settingsStrings.systemPromptHelp}</span>
        </label>
        <fieldset>
          <legend>${settingsStrings.sampling}</legend>
          <div class="presets wide" role="group" aria-label=${settingsStrings.preset}>
            ${(Object.keys(SAMPLING_PRESETS) as SamplingPreset[]).map(
              (preset) => html`<button type="button" @click=${() => this.#usePreset(preset)}>${settingsStrings.presets[preset]}</button>`,
            )}
          </div>
          ${this.#number('temperature', { min: 0, max: 2, step: 0.05 }, ownValue(model?.default_temperature))}
          ${this.#number('topP', { min: 0, max: 1, step: 0.01 }, ownValue(model?.default_top_p))}
          ${this.#number('presencePenalty', { min: -2, max: 2, step: 0.1 }, settingsStrings.none)}
          ${this.#number('frequencyPenalty', { min: -2, max: 2, step: 0.1 }, settingsStrings.none)}
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
      </form>
    </wa-dialog>`;
  }

  #number(
    name: 'temperature' | 'topP' | 'presencePenalty' | 'frequencyPenalty' | 'maxTokens' | 'seed',
    range: { readonly min?: number; readonly max?: number; readonly step: number },
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
        step=${range.step === 1 ? 1 : 'any'}
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

  /** Whatever was typed and not saved is forgotten. */
  #hidden(event: Event): void {
    if (event.target !== event.currentTarget) return;
    this.open = false;
    this.problem = null;
    this.dispatchEvent(new CustomEvent('close'));
  }
}
customElements.define('settings-dialog', SettingsDialog);

function ownValue(value: number | undefined): string {
  return value === undefined ? settingsStrings.modelDefault : settingsStrings.modelDefaultOf(value);
}
