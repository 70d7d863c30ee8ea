import { css, html, LitElement } from 'lit';
import { emptyStrings } from '../strings/conversation.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { icon } from '../theme/icons.ts';

/**
 * An empty conversation: what this is, what the built-in model is and is not, and questions to begin with.
 * @fires question - one was chosen; `detail` is its text.
 */
export class FirstQuestions extends LitElement {
  static override properties = { disabled: { type: Boolean } };
  declare disabled: boolean;

  constructor() {
    super();
    this.disabled = false;
  }

  static override styles = [
    controlStyles,
    css`
      :host {
        display: grid;
        align-content: safe center;
        gap: var(--space-5);
        min-height: 100%;
        max-width: var(--measure);
        margin-inline: auto;
        padding: var(--space-5);
      }
      .mark {
        width: 4rem;
        height: 4rem;
      }
      h1 {
        font-size: clamp(1.9rem, 1.3rem + 2.8vw, 3rem);
        letter-spacing: -0.03em;
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
        gap: var(--space-3);
        margin: var(--space-3) 0 0;
        padding: 0;
        list-style: none;
      }
      li button {
        justify-content: space-between;
        width: 100%;
        min-height: 3.25rem;
        padding-block: var(--space-2);
        border-color: var(--color-line);
        border-radius: var(--radius-large);
        text-align: start;
      }
      li svg {
        color: var(--color-text-quiet);
        rotate: 90deg;
      }
      h2 {
        font-size: 0.95rem;
      }
      .demonstration {
        padding-top: var(--space-4);
        border-top: 1px solid var(--color-line);
        color: var(--color-text-quiet);
        font-size: 0.9rem;
        text-wrap: pretty;
      }
    `,
  ];

  override render() {
    return html`
      <img class="mark" src="/icons/tabserve.svg" alt="" />
      <h1>${emptyStrings.title}</h1>
      <p class="words">${emptyStrings.words}</p>
      <section aria-labelledby="try">
        <h2 id="try">${emptyStrings.tryOne}</h2>
        <ul>
          ${emptyStrings.questions.map(
            (question) => html`<li>
              <button ?disabled=${this.disabled} @click=${() => this.dispatchEvent(new CustomEvent('question', { detail: question }))}>
                ${question}${icon('send')}
              </button>
            </li>`,
          )}
        </ul>
      </section>
      <p class="demonstration">
        ${emptyStrings.demonstration} <a href="#/models">${emptyStrings.getModel}</a>
      </p>
    `;
  }
}
customElements.define('first-questions', FirstQuestions);
