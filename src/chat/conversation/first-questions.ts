import { html, LitElement, nothing, unsafeCSS } from 'lit';
import type { PageStatus } from '../../page/index.ts';
import { isOnProcessor } from '../../shared/engine/is-on-processor.ts';
import { BUILT_IN_MODEL_ID } from '../../shared/models/built-in-models.ts';
import type { Destination } from '../types/destination.ts';
import { modelName } from '../common/model-name.ts';
import { processorName } from '../common/processor-name.ts';
import { destinationStrings, emptyStrings } from '../strings/conversation-strings.ts';
import { controlStyles } from '../theme/control-styles.ts';
import styles from './first-questions.css?inline';

/**
 * An empty conversation: what this page is, suggested questions, and the limits of the built-in model.
 * @fires question - a suggestion was chosen, once at a double click; `detail` is its text.
 */
export class FirstQuestions extends LitElement {
  static override properties = {
    disabled: { type: Boolean },
    destination: { attribute: false },
    status: { attribute: false },
    model: {},
  };
  declare disabled: boolean;
  declare status: PageStatus | undefined;
  /** The server to which the question would go; null for this device. */
  declare destination: Destination | null;
  /** Id of the model that would answer. The built-in model has its own suggestions. */
  declare model: string;

  constructor() {
    super();
    this.disabled = false;
    this.destination = null;
    this.model = BUILT_IN_MODEL_ID;
  }

  static override styles = [controlStyles, unsafeCSS(styles)];

  override render() {
    const { destination, status } = this;
    const isElsewhere = destination?.isFallback === false;
    const isBuiltIn = this.model === BUILT_IN_MODEL_ID && !isElsewhere;
    const questions = isBuiltIn ? emptyStrings.builtInQuestions : emptyStrings.questions;
    return html`
      <img class="mark" src="icons/tabserve.svg" alt="" />
      <h1>${isElsewhere ? destinationStrings.title(destination.name) : emptyStrings.title}</h1>
      <p class="words">${destination === null ? emptyStrings.words : destinationStrings.words(destination)}</p>
      <p class="ready">${status?.state === 'ready' && !isElsewhere ? emptyStrings.ready(modelName(status.model), isOnProcessor(status.engine) ? emptyStrings.processor : processorName(status.gpu)) : nothing}</p>
      <section aria-labelledby="try">
        <h2 id="try">${isBuiltIn ? emptyStrings.tryBuiltIn : emptyStrings.tryOne}</h2>
        <ul>
          ${questions.map(
            (question) => html`<li>
              <button ?disabled=${this.disabled} @click=${({ detail }: MouseEvent) => detail > 1 || this.dispatchEvent(new CustomEvent('question', { detail: question }))}>
                <span dir="auto">${question}</span>
              </button>
            </li>`,
          )}
        </ul>
      </section>
      ${isBuiltIn ? html`<model-offer></model-offer>` : nothing}
    `;
  }
}
customElements.define('first-questions', FirstQuestions);
