import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { STORED_ANSWERS } from '../../shared/storage/answer-database.ts';
import type { AnswerSummary, StoredAnswer } from '../../shared/storage/stored-answer.ts';
import { ActionController } from '../common/action-controller.ts';
import { askConfirmation } from '../common/ask-in-dialog.ts';
import { keepFocus } from '../common/keep-focus.ts';
import { separated, separatedStyles } from '../common/separated.ts';
import { formatBytes, formatDateTime } from '../strings/format.ts';
import { privacyStrings } from '../strings/privacy-strings.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { panelStyles } from '../theme/panel-styles.ts';

/** Maximum answers that are read and shown, because answers can be large. */
const MAX_SHOWN = 50;

interface ShownAnswer {
  readonly summary: AnswerSummary;
  /** Beginning of the last user message. */
  readonly question: string;
}

/** The responses that programs have stored through the endpoint, newest first, with ways to delete them. */
export class StoredAnswersList extends LitElement {
  static override properties = { summaries: { state: true }, shown: { state: true } };
  declare summaries: readonly AnswerSummary[];
  declare shown: readonly ShownAnswer[];
  readonly #actions = new ActionController(this);

  constructor() {
    super();
    keepFocus(this, () => this.renderRoot.querySelector<HTMLElement>('button')?.focus());
    this.summaries = [];
    this.shown = [];
  }

  static override styles = [
    controlStyles,
    separatedStyles,
    panelStyles,
    css`
      ol {
        max-height: 22rem;
        overflow: auto;
        gap: 0;
        font-size: var(--text-small);
      }
      li {
        padding: var(--space-2) 0;
        border-top: 1px solid var(--color-line);
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#actions.run(() => this.#read());
  }

  override render() {
    const { answers } = privacyStrings;
    const characters = this.summaries.reduce((sum, summary) => sum + summary.characters, 0);
    const others = this.summaries.length - this.shown.length;
    return html`
      <p class="small quiet">${answers.note()}</p>
      <div class="row">
        <p class="grow" role="status">${answers.total(this.summaries.length, characters)}</p>
        <button ?disabled=${this.summaries.length === 0} @click=${() => this.#actions.run(() => this.#deleteAll())}>${answers.deleteAll}</button>
      </div>
      ${this.#actions.notice}
      ${
        this.shown.length === 0
          ? nothing
          : html`<ol tabindex="0" aria-label=${answers.title}>${repeat(
              this.shown,
              ({ summary }) => summary.id,
              (answer) => html`<li class="row">${this.#answer(answer)}</li>`,
            )}</ol>`
      }
      ${others > 0 ? html`<p class="small quiet">${answers.others(others)}</p>` : nothing}
    `;
  }

  #answer({ summary, question }: ShownAnswer): TemplateResult {
    const { answers } = privacyStrings;
    const { id, kind, created, model, characters } = summary;
    const time = formatDateTime(created * 1000);
    return html`
      <span class="grow"><span dir="auto">${question}</span><br /><span class="quiet">${separated([time, answers.kinds[kind], model, formatBytes(characters)])}</span></span>
      <button class="small" aria-label=${answers.deleteOne(time)} @click=${() => this.#actions.run(() => this.#delete(id, time))}>${answers.delete}</button>
    `;
  }

  async #read(): Promise<void> {
    const summaries = await STORED_ANSWERS.list();
    const reading = summaries.slice(0, MAX_SHOWN).map(async (summary): Promise<ShownAnswer> => {
      const answer = await STORED_ANSWERS.find(summary.id);
      return { summary, question: answer === undefined ? '' : beginning(answer) };
    });
    this.shown = await Promise.all(reading);
    this.summaries = summaries;
  }

  async #delete(id: string, time: string): Promise<void> {
    if (!(await askConfirmation(privacyStrings.answers.confirmOne(time)))) return;
    await STORED_ANSWERS.delete(id);
    await this.#read();
  }

  async #deleteAll(): Promise<void> {
    if (!(await askConfirmation(privacyStrings.answers.confirm))) return;
    await STORED_ANSWERS.deleteAll();
    await this.#read();
  }
}
customElements.define('stored-answers-list', StoredAnswersList);

function beginning({ request }: StoredAnswer): string {
  const content = request.messages.findLast(({ role }) => role === 'user')?.content ?? '';
  const parts =
    typeof content === 'string' ? [content] : content.map((part) => (part.type === 'text' ? part.text : ''));
  const text = parts.join(' ').trim();
  // Removes half of a surrogate pair, which the cut may leave.
  return text.length > 120 ? `${text.slice(0, 120).replace(/\p{Cs}/gu, '')}…` : text;
}
