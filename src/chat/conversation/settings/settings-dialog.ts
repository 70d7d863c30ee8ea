import '../../theme/web-awesome.ts';
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import type { ListedModel } from '../../api/list-models.ts';
import { BUILT_IN_MODEL_ID } from '../../../shared/models/built-in-models.ts';
import { ActionController } from '../../common/action-controller.ts';
import { modelName } from '../../common/model-name.ts';
import { showDialog } from '../../common/show-dialog.ts';
import { allChatsStrings, dialogStrings, settingsStrings } from '../../strings/dialog-strings.ts';
import { DEFAULT_SETTINGS, TOOL_NAMES, type ConversationSettings, type ToolName } from '../../types/conversation.ts';
import { toolStrings } from '../../strings/tool-strings.ts';
import { controlStyles } from '../../theme/control-styles.ts';
import './preset-picker.ts';
import type { PresetPicker } from './preset-picker.ts';
import { readSampling, readSettings, type EditableSettings, type FieldProblem } from './read-settings.ts';
import { choiceStyles } from '../../theme/choice-styles.ts';
import { settingsDialogStyles } from './settings-dialog-styles.ts';
import { PRESET_NAMES, presetOf, SAMPLING_PRESETS, type Sampling, type SamplingPreset } from './sampling-presets.ts';

/**
 * The dialog for the system prompt, sampling, tools and answer format of one conversation.
 * @fires close - the dialog was closed.
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
  /** The model that answers. Its defaults are shown in empty fields. */
  declare model: ListedModel | undefined;
  /** The sampling preset that equals the values in the form. */
  declare preset: SamplingPreset | undefined;
  declare problem: FieldProblem | null;
  /** The part whose first field is focused. Default: the beginning of the form. */
  section: 'tools' | null = null;
  /** A preset that the form shows at first, in place of the chat's own settings. */
  filledWith: EditableSettings | null = null;
  /**
   * Stores the settings that were changed here; another tab may have changed others meanwhile. The dialog stays open, with what
   * was typed, until they are stored.
   */
  save: (changes: Partial<EditableSettings>) => Promise<void> = () => Promise.resolve();
  readonly #actions = new ActionController(this);
  #openings = 0;
  /** What was in the form before a preset, and what the preset has made of it. */
  #unfilled: FormFields | null = null;
  #filled = '';

  constructor() {
    super();
    this.open = false;
    this.settings = DEFAULT_SETTINGS;
    this.problem = null;
  }

  static override styles = [controlStyles, choiceStyles, settingsDialogStyles];

  protected override willUpdate(changes: PropertyValues<this>): void {
    if (!changes.has('open') || !this.open) return;
    this.#openings += 1;
    this.preset = presetOf(this.settings);
  }

  protected override updated(changes: PropertyValues<this>): void {
    if (!changes.has('open') || !this.open) return;
    const picker = this.renderRoot.querySelector<PresetPicker>('preset-picker');
    picker?.show(this.filledWith ?? this.settings);
    if (this.filledWith !== null) this.#use(this.filledWith);
    void this.#focus(picker);
  }

  /**
   * Focuses the system prompt, or Save if a preset was filled in; otherwise the dialog would focus its scroll container.
   * On a phone the system prompt would open the keyboard over the form, so the presets are focused there.
   */
  async #focus(first: PresetPicker | null): Promise<void> {
    await Promise.all([this.renderRoot.querySelector<LitElement>('wa-dialog')?.updateComplete, first?.updateComplete]);
    const field = this.filledWith ? '.primary' : this.section === 'tools' ? '.tools input' : 'textarea';
    if (field === 'textarea' && matchMedia('(pointer: coarse)').matches) first?.focus();
    else this.renderRoot.querySelector<HTMLElement>(field)?.focus();
  }

  override render() {
    // Each opening renders a new form, so that input that was not saved is discarded.
    return html`<wa-dialog label=${this.section === 'tools' ? toolStrings.title : settingsStrings.title} ?open=${this.open} @wa-after-hide=${this.#hidden}>
      ${keyed(this.#openings, this.#form())}
    </wa-dialog>`;
  }

  #form(): TemplateResult {
    const { settings, model } = this;
    // Both parts are always in the form, so that saving one of them keeps the other.
    const isTools = this.section === 'tools';
    return html`<form @submit=${this.#submit} @input=${this.#typed}>
      <div class="parts" ?hidden=${isTools}><preset-picker
        .read=${() => this.#read()}
        @use=${(event: CustomEvent<EditableSettings | null>) => this.#use(event.detail)}
      ></preset-picker>
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
            ) => html`<button type="button" aria-pressed=${preset === this.preset} @click=${() => this.#show(SAMPLING_PRESETS[preset])}>
              ${settingsStrings.presets[preset]}
            </button>`,
          )}
        </div>
        ${this.#number('temperature', { min: 0, max: 2 }, ownValue(model?.default_temperature))}
        ${this.#number('maxTokens', { min: 1, step: 1 }, settingsStrings.none)}
      </fieldset>
      <details ?open=${hasAdvanced(settings)}>
        <summary>${settingsStrings.advanced}</summary>
        <fieldset>
          ${this.#number('topP', { min: 0, max: 1 }, ownValue(model?.default_top_p))}
          ${this.#number('seed', { step: 1 }, settingsStrings.random)}
          ${this.#number('presencePenalty', { min: -2, max: 2 }, settingsStrings.none)}
          ${this.#number('frequencyPenalty', { min: -2, max: 2 }, settingsStrings.none)}
          ${this.#area('jsonSchema', settings.jsonSchema)} ${this.#area('stop', settings.stop.join('\n'))}
        </fieldset>
      </details></div>
      ${this.#tools(settings.tools ?? [], !isTools)}
      ${this.#actions.notice}
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
    // The keyboard of phones for decimal numbers has no minus.
    const canBeNegative = (range.min ?? -1) < 0;
    return html`<label>
      ${settingsStrings[name]}
      <input
        name=${name}
        type="number"
        inputmode=${canBeNegative ? nothing : 'decimal'}
        min=${range.min ?? nothing}
        max=${range.max ?? nothing}
        step=${range.step ?? 'any'}
        placeholder=${placeholder}
        .value=${String(this.settings[name] ?? '')}
      />
      <span class="help">${settingsStrings[`${name}Help`]}</span>
    </label>`;
  }

  #tools(chosen: readonly ToolName[], isHidden: boolean): TemplateResult {
    return html`<fieldset class="tools" aria-label=${toolStrings.title} ?hidden=${isHidden}>
      <p class="help wide">${toolStrings.help}</p>
      ${
        this.model?.id === BUILT_IN_MODEL_ID
          ? html`<p class="help wide">${toolStrings.beyond(modelName(BUILT_IN_MODEL_ID))} <a href="#/models">${toolStrings.models}</a></p>`
          : nothing
      }
      ${TOOL_NAMES.map(
        (name) => html`<label class="wide">
          <input type="checkbox" name="tools" value=${name} .checked=${chosen.includes(name)} />
          <span>${toolStrings.names[name]}<span class="help">${toolStrings.helps[name]}</span></span>
        </label>`,
      )}
    </fieldset>`;
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

  #typed({ currentTarget }: Event): void {
    this.preset = presetOf(readSampling(new FormData(currentTarget as HTMLFormElement)));
  }

  async #submit(event: Event): Promise<void> {
    event.preventDefault();
    const settings = this.#read();
    if (settings === null) return;
    const isStored = await this.#actions.run(
      () => this.save(changesOf(settings, this.settings)),
      allChatsStrings.notStored,
    );
    if (isStored) this.open = false;
  }

  /** The form's settings; null, with an error shown, if a field is invalid. */
  #read(): EditableSettings | null {
    const form = this.renderRoot.querySelector('form');
    const advanced = form?.querySelector('details');
    // The browser points to an invalid field only if it is shown.
    if (advanced?.querySelector(':invalid')) advanced.open = true;
    if (form?.reportValidity() !== true) return null;
    const result = readSettings(new FormData(form));
    this.problem = 'field' in result ? result : null;
    if (!('field' in result)) return result;
    if (advanced) advanced.open = true;
    this.renderRoot.querySelector<HTMLElement>(`[name="${result.field}"]`)?.focus();
    return null;
  }

  /** Fills the form with a preset; null puts back what was typed before. */
  #use(preset: EditableSettings | null): void {
    const fields = this.#fields();
    if (preset !== null && JSON.stringify(fields) !== this.#filled) this.#unfilled = fields;
    const settings = preset ?? this.#unfilled;
    if (settings !== null) this.#show(settings);
    if (preset !== null) this.#filled = JSON.stringify(this.#fields());
  }

  /** The fields of the form as they were typed, valid or not. */
  #fields(): FormFields {
    const form = new FormData(this.renderRoot.querySelector('form')!);
    return { ...Object.fromEntries(form), tools: form.getAll('tools') };
  }

  /** Fills the form without saving. */
  #show(settings: Sampling | FormFields): void {
    const form = this.renderRoot.querySelector('form')!;
    for (const [name, value] of Object.entries(settings)) {
      const field = form.elements.namedItem(name);
      if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)
        field.value = Array.isArray(value) ? value.join('\n') : String(value ?? '');
    }
    if ('tools' in settings)
      for (const choice of form.querySelectorAll<HTMLInputElement>('[name="tools"]'))
        choice.checked = settings.tools.some((name) => name === choice.value);
    this.preset = presetOf(readSampling(new FormData(form)));
  }

  #hidden(event: Event): void {
    if (event.target !== event.currentTarget) return;
    this.open = false;
    this.problem = null;
    this.dispatchEvent(new CustomEvent('close'));
  }
}
customElements.define('settings-dialog', SettingsDialog);

/** The fields of the form by their names, or the settings with the same names. */
interface FormFields {
  readonly tools: readonly unknown[];
}

/** Returns those of `settings` that are others than `before`. */
function changesOf(settings: EditableSettings, before: ConversationSettings): Partial<EditableSettings> {
  const isChanged = (name: string, value: unknown) =>
    JSON.stringify(value) !== JSON.stringify(before[name as keyof EditableSettings]);
  return Object.fromEntries(Object.entries(settings).filter(([name, value]) => isChanged(name, value)));
}

export function openSettings(
  properties: Pick<SettingsDialog, 'settings' | 'model' | 'section' | 'filledWith' | 'save'>,
): void {
  showDialog(Object.assign(new SettingsDialog(), properties, { open: true }));
}

/** Whether a setting of the folded part differs from its default. */
function hasAdvanced({
  topP,
  seed,
  presencePenalty,
  frequencyPenalty,
  jsonSchema,
  stop,
}: ConversationSettings): boolean {
  return (
    [topP, seed, presencePenalty, frequencyPenalty].some((value) => value !== null) ||
    jsonSchema !== '' ||
    stop.length > 0
  );
}

function ownValue(value: number | undefined): string {
  return value === undefined ? settingsStrings.modelDefault : settingsStrings.modelDefaultOf(value);
}
