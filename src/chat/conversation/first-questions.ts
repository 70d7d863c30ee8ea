import { css, html, LitElement, nothing } from 'lit';
import type { PageStatus } from '../../page/index.ts';
import { isOnProcessor } from '../../shared/engine/is-on-processor.ts';
import { BUILT_IN_MODEL_ID } from '../../shared/models/built-in-models.ts';
import type { Destination } from '../types/destination.ts';
import { modelName } from '../common/model-name.ts';
import { processorName } from '../common/processor-name.ts';
import { destinationStrings, emptyStrings } from '../strings/conversation.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { icon } from '../theme/icons.ts';

/**
 * An empty conversation: what this page is, suggested questions, and the limits of the built-in model.
 * @fires question - a suggestion was chosen; `detail` is its text.
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

  static override styles = [
    controlStyles,
    css`
      :host {
        display: grid;
        align-content: safe center;
        gap: var(--space-5);
        min-height: 100%;
        width: min(var(--measure), 100% - 2 * var(--margin, var(--space-4)));
        margin-inline: auto;
        padding-block: var(--space-5);
      }
      /* Compensates for the transparent edge of the image. */
      .mark {
        width: 4rem;
        height: 4rem;
        margin-inline-start: -0.25rem;
      }
      h1 {
        font-size: clamp(1.9rem, 1.3rem + 2.8vw, 3rem);
        letter-spacing: -0.03em;
        white-space: pre-line;
      }
      p {
        margin: 0;
      }
      .words {
        max-width: 36rem;
        color: var(--color-text-quiet);
        font-size: 1.1rem;
        text-wrap: pretty;
      }
      ul {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(15rem, 100%), 1fr));
        grid-auto-rows: 1fr;
        gap: var(--space-3);
        margin: var(--space-3) 0 0;
        padding: 0;
        list-style: none;
      }
      li button {
        justify-content: space-between;
        width: 100%;
        height: 100%;
        min-height: 3.25rem;
        padding-block: var(--space-2);
        border-color: var(--color-line);
        border-radius: var(--radius-large);
        font-size: 0.925rem;
        text-align: start;
        text-wrap: balance;
      }
      li svg {
        color: var(--color-text-quiet);
        rotate: 90deg;
      }
      h2 {
        font-size: 0.95rem;
      }
      .ready {
        display: flex;
        align-items: baseline;
        gap: var(--space-2);
        min-height: 1.5em;
        color: var(--color-text-quiet);
        font-size: var(--text-small);
        overflow-wrap: anywhere;
      }
      .ready:not(:empty)::before {
        content: '';
        flex: none;
        width: 0.55rem;
        height: 0.55rem;
        border-radius: 50%;
        background: var(--color-accent);
      }
      @media (forced-colors: active) {
        .ready:not(:empty)::before {
          background: Highlight;
          forced-color-adjust: none;
        }
      }
      @media (max-height: 52rem) {
        :host {
          gap: var(--space-4);
          padding-block: var(--space-4);
        }
        .mark {
          width: 3rem;
          height: 3rem;
        }
        h1 {
          font-size: clamp(1.9rem, 1.3rem + 2.8vw, 2.5rem);
        }
      }
      /* On a low or zoomed screen, the questions come before the text. */
      @media (max-height: 46rem) {
        :host {
          gap: var(--space-3);
          padding-block: var(--space-4);
        }
        .mark {
          display: none;
        }
        h1 {
          font-size: clamp(1.3rem, 1rem + 1.6vw, 1.9rem);
          white-space: normal;
        }
        .words {
          order: 1;
          font-size: 1rem;
        }
        .ready {
          order: 2;
        }
        ul {
          margin-top: var(--space-2);
        }
      }
      @media (max-height: 30rem) {
        model-offer {
          order: 1;
        }
      }
      /* Reserves the height of the offer, whose element is loaded later. */
      model-offer {
        --height: calc(5rem + var(--target));
      }
      @media (max-width: 30rem) {
        model-offer {
          --height: calc(9.5rem + 2 * var(--target));
        }
      }
      model-offer:not(:defined) {
        min-height: var(--height);
      }
    `,
  ];

  override render() {
    const { destination, status } = this;
    const isElsewhere = destination?.isFallback === false;
    const isBuiltIn = this.model === BUILT_IN_MODEL_ID && !isElsewhere;
    const questions = isBuiltIn ? emptyStrings.pocketQuestions : emptyStrings.questions;
    return html`
      <img class="mark" src="icons/tabserve.svg" alt="" />
      <h1>${isElsewhere ? destinationStrings.title(destination.name) : emptyStrings.title}</h1>
      <p class="words">${destination === null ? emptyStrings.words : destinationStrings.words(destination)}</p>
      <p class="ready">${status?.state === 'ready' && !isElsewhere ? emptyStrings.ready(modelName(status.model), isOnProcessor(status.engine) ? emptyStrings.processor : processorName(status.gpu)) : nothing}</p>
      ${isBuiltIn ? html`<model-offer></model-offer>` : nothing}
      <section aria-labelledby="try">
        <h2 id="try">${isBuiltIn ? emptyStrings.tryPocket : emptyStrings.tryOne}</h2>
        <ul>
          ${questions.map(
            (question) => html`<li>
              <button ?disabled=${this.disabled} @click=${() => this.dispatchEvent(new CustomEvent('question', { detail: question }))}>
                <span dir="auto">${question}</span>${icon('send')}
              </button>
            </li>`,
          )}
        </ul>
      </section>
    `;
  }
}
customElements.define('first-questions', FirstQuestions);
