import { css, html, LitElement, nothing } from 'lit';
import type { ListedModel } from '../../api/list-models.ts';
import { fieldValue } from '../../browser/field-value.ts';
import { modelName } from '../../common/model-name.ts';
import type { Answer } from '../../types/conversation.ts';
import { listenAndCompareStrings } from '../../strings/message-strings.ts';
import { controlStyles } from '../../theme/control-styles.ts';
import { icon } from '../../theme/icons.ts';
import { laterIcons } from '../../theme/later-icons.ts';
import { actionButton, type MessageAction } from './message-actions.ts';
import { readAloud, stopReading } from './read-aloud.ts';

/**
 * Offers to read an answer aloud with a local voice, and to ask another model the same question. Empty if neither is
 * possible.
 * @fires ask-another - `detail` is the id of the model.
 */
export class ListenAndCompare extends LitElement {
  static override properties = {
    answer: { attribute: false },
    models: { attribute: false },
    disabled: { type: Boolean },
    voices: { state: true },
    speaking: { state: true },
  };
  declare answer: Answer;
  /** The models that can chat. */
  declare models: readonly ListedModel[];
  /** True while an answer is generated. */
  declare disabled: boolean;
  /** Voices of this device. Other voices are not offered, because they would send the text to a server. */
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
      /* The transparent select covers the icon. A click opens the browser's own list. */
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
    // Browsers load their voices some time after the page has loaded.
    globalThis.speechSynthesis?.addEventListener('voiceschanged', this.#findVoices);
    this.#findVoices();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    globalThis.speechSynthesis?.removeEventListener('voiceschanged', this.#findVoices);
    if (this.speaking) stopReading();
  }

  /** All actions, for menus: the comparison has one action for each model. */
  get actions(): readonly MessageAction[] {
    const ids = this.#others;
    const speech = this.#speech;
    return [
      ...(speech === null ? [] : [speech]),
      ...(this.disabled ? [] : ids).map((id) => ({
        icon: laterIcons.columns,
        words: listenAndCompareStrings.askModel(modelName(id, ids)),
        run: () => this.#ask(id),
      })),
    ];
  }

  get #others(): readonly string[] {
    return this.models.map(({ id }) => id).filter((id) => id !== this.answer.model);
  }

  override render() {
    const ids = this.#others;
    const speech = this.#speech;
    return html`${speech === null ? nothing : actionButton(speech)}
      ${
        ids.length === 0
          ? nothing
          : html`<label title=${listenAndCompareStrings.askAnother}>
            ${icon(laterIcons.columns)}
            <select aria-label=${listenAndCompareStrings.askAnother} ?disabled=${this.disabled} @keydown=${openByKey} @change=${this.#choose}>
              <option value="" selected disabled>${listenAndCompareStrings.askAnother}</option>
              ${ids.map((id) => html`<option value=${id}>${modelName(id, ids)}</option>`)}
            </select>
          </label>`
      }`;
  }

  /** The action that reads the answer aloud; null if there is no voice or no text. */
  get #speech(): MessageAction | null {
    if (this.voices.length === 0 || this.answer.text === '') return null;
    return this.speaking
      ? { icon: 'stop', words: listenAndCompareStrings.stopReading, run: stopReading }
      : {
          icon: laterIcons.speaker,
          words: listenAndCompareStrings.readAloud,
          run: () => readAloud(this.answer.text, this.voices, (speaking) => (this.speaking = speaking)),
        };
  }

  #choose(event: Event): void {
    const model = fieldValue(event);
    if (event.target instanceof HTMLSelectElement) event.target.value = '';
    this.#ask(model);
  }

  #ask(model: string): void {
    this.dispatchEvent(new CustomEvent('ask-another', { detail: model, bubbles: true, composed: true }));
  }

  readonly #findVoices = (): void => {
    this.voices = globalThis.speechSynthesis?.getVoices().filter(({ localService }) => localService) ?? [];
  };
}
customElements.define('listen-and-compare', ListenAndCompare);

/**
 * Opens a list by a key that moves in it. While it is closed, such a key chooses at once in most browsers, so someone who only
 * wants to see the list would ask the first model. A browser that cannot open it, or cannot tell whether it is open, keeps its
 * own way.
 */
function openByKey(event: KeyboardEvent): void {
  const { target: list, key, altKey, ctrlKey, metaKey } = event;
  const isMove = /^(Arrow|Page|Home|End|.$)/u.test(key) && !altKey && !ctrlKey && !metaKey;
  if (!isMove || !(list instanceof HTMLSelectElement) || !('showPicker' in list)) return;
  if (!CSS.supports('selector(:open)') || list.matches(':open')) return;
  list.showPicker();
  event.preventDefault();
}

declare global {
  interface HTMLElementTagNameMap {
    'listen-and-compare': ListenAndCompare;
  }
}
