import { css, html, LitElement, nothing } from 'lit';
import type { ListedModel } from '../api/list-models.ts';
import { fieldValue } from '../common/field-value.ts';
import { modelName } from '../common/model-name.ts';
import type { Answer } from '../storage/conversation.ts';
import { answerToolStrings } from '../strings/conversation.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { icon, iconButton } from '../theme/icons.ts';
import { readAloud } from './read-aloud.ts';

/**
 * What can be done with an answer beside asking again: it can be read aloud, by a voice of this device, and the same question
 * be asked of another model. Nothing is shown where neither can be.
 * @fires ask-another - `detail` is the id of the model.
 */
export class AnswerTools extends LitElement {
  static override properties = {
    answer: { attribute: false },
    models: { attribute: false },
    disabled: { type: Boolean },
    voices: { state: true },
    speaking: { state: true },
  };
  declare answer: Answer;
  /** The models that can answer questions. */
  declare models: readonly ListedModel[];
  /** True while an answer is written: then nothing is asked. */
  declare disabled: boolean;
  /** Those that need no network: any other would send the text to somebody. */
  declare voices: readonly SpeechSynthesisVoice[];
  declare speaking: boolean;

  constructor() {
    super();
    this.models = [];
    this.disabled = false;
    this.voices = [];
    this.speaking = false;
  }

  static override styles = [
    controlStyles,
    css`
      :host {
        display: inline-flex;
      }
      label {
        position: relative;
        display: grid;
        place-items: center;
        width: var(--target);
        min-height: var(--target);
        border-radius: var(--radius-normal);
      }
      label:hover {
        background: var(--color-accent-soft);
        color: var(--color-on-accent-soft);
      }
      label:focus-within {
        outline: 2px solid var(--color-focus);
        outline-offset: -2px;
      }
      /* The icon stands for it; its list is the browser's. */
      select {
        position: absolute;
        inset: 0;
        min-width: 0;
        padding: 0;
        opacity: 0;
        cursor: pointer;
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    // Browsers find their voices some time after the page has begun.
    globalThis.speechSynthesis?.addEventListener('voiceschanged', this.#findVoices);
    this.#findVoices();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    globalThis.speechSynthesis?.removeEventListener('voiceschanged', this.#findVoices);
    if (this.speaking) speechSynthesis.cancel();
  }

  override render() {
    const others = this.models.filter(({ id }) => id !== this.answer.model);
    const ids = others.map(({ id }) => id);
    return html`${this.voices.length === 0 || this.answer.text === '' ? nothing : this.#speech()}
      ${
        others.length === 0
          ? nothing
          : html`<label title=${answerToolStrings.askAnother}>
            ${icon('columns')}
            <select aria-label=${answerToolStrings.askAnother} ?disabled=${this.disabled} @change=${this.#ask}>
              <option value="" selected disabled>${answerToolStrings.askAnother}</option>
              ${ids.map((id) => html`<option value=${id}>${modelName(id, ids)}</option>`)}
            </select>
          </label>`
      }`;
  }

  #speech() {
    return this.speaking
      ? iconButton('stop', answerToolStrings.stopReading, () => speechSynthesis.cancel())
      : iconButton('speaker', answerToolStrings.readAloud, () =>
          readAloud(this.answer.text, this.voices, (speaking) => (this.speaking = speaking)),
        );
  }

  #ask(event: Event): void {
    const model = fieldValue(event);
    if (event.target instanceof HTMLSelectElement) event.target.value = '';
    this.dispatchEvent(new CustomEvent('ask-another', { detail: model, bubbles: true, composed: true }));
  }

  readonly #findVoices = (): void => {
    this.voices = globalThis.speechSynthesis?.getVoices().filter(({ localService }) => localService) ?? [];
  };
}
customElements.define('answer-tools', AnswerTools);
