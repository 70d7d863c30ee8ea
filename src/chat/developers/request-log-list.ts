import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { RequestRecord } from '../../shared/storage/request-record.ts';
import {
  clearRequestRecords,
  listRequestRecords,
  isContentLogged,
  setContentLogged,
  watchRequestRecords,
} from '../../shared/storage/request-records.ts';
import { ActionController } from '../common/action-controller.ts';
import { fact, factStyles } from '../common/facts.ts';
import { keepFocus } from '../common/keep-focus.ts';
import { developerStrings } from '../strings/developer-strings.ts';
import { formatDateTime } from '../strings/format.ts';
import { wordFor } from '../strings/page-language.ts';
import { choiceStyles } from '../theme/choice-styles.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { panelStyles } from '../theme/panel-styles.ts';

/** The latest requests to the endpoint, newest first. */
export class RequestLogList extends LitElement {
  static override properties = { records: { state: true }, keepsContent: { state: true } };
  declare records: readonly RequestRecord[];
  declare keepsContent: boolean;
  readonly #actions = new ActionController(this);
  #end: () => void = () => {};

  constructor() {
    super();
    keepFocus(this, () => this.renderRoot.querySelector<HTMLElement>('input')?.focus());
    this.records = [];
    this.keepsContent = false;
  }

  static override styles = [
    controlStyles,
    choiceStyles,
    panelStyles,
    factStyles,
    css`
      li {
        display: grid;
        gap: var(--space-2);
        padding: var(--space-3) var(--space-4);
        content-visibility: auto;
        contain-intrinsic-size: auto 5rem;
      }
      .line {
        display: flex;
        flex-wrap: wrap;
        align-items: baseline;
        gap: var(--space-1) var(--space-3);
        overflow-wrap: anywhere;
      }
      .line code {
        flex: 1 1 12rem;
      }
      .status {
        padding: 0 0.5rem;
        border-radius: 1rem;
        background: var(--color-accent-soft);
        color: var(--color-on-accent-soft);
        font-size: var(--text-small);
        font-weight: 500;
        font-variant-numeric: tabular-nums;
      }
      .status.bad {
        background: var(--color-danger-soft);
        color: var(--color-danger);
      }
      dl {
        gap: var(--space-1) var(--space-5);
        font-variant-numeric: tabular-nums;
      }
      dl div {
        display: flex;
        gap: var(--space-2);
        min-width: 0;
      }
      pre {
        max-height: 16rem;
        margin: 0;
        overflow: auto;
        white-space: pre-wrap;
        overflow-wrap: anywhere;
      }
      summary {
        padding-block: calc((var(--target-small) - 1lh) / 2);
        color: var(--color-accent);
        font-size: var(--text-small);
        cursor: pointer;
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    this.#end = watchRequestRecords(this.#read);
    this.#read();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#end();
  }

  override render() {
    return html`
      <p class="small quiet">${developerStrings.logNote}</p>
      <div class="row">
        <label class="check grow">
          <input type="checkbox" .checked=${this.keepsContent} aria-describedby="note" @change=${this.#switch} />
          ${developerStrings.keepContent}
        </label>
        <button ?disabled=${this.records.length === 0} @click=${() => this.#actions.run(clearRequestRecords)}>${developerStrings.clear}</button>
      </div>
      <p class="small quiet" id="note">${developerStrings.keepContentNote}</p>
      ${this.#actions.notice}
      ${
        this.records.length === 0
          ? html`<p class="small">${developerStrings.logEmpty}</p>`
          : html`<ol>${repeat(
              this.records,
              ({ requestId }) => requestId,
              (record) => html`<li class="card">${this.#record(record)}</li>`,
            )}</ol>`
      }
    `;
  }

  #record(record: RequestRecord): TemplateResult {
    const { requestFacts } = developerStrings;
    const { promptTokens, completionTokens, tokensPerSecond, outcome, status } = record;
    return html`
      <div class="line">
        <span class="status ${status >= 400 ? 'bad' : ''}">${status}</span>
        <code>${record.method} ${record.path}</code>
        <span class="small quiet">${wordFor(outcome, developerStrings.outcomes) ?? outcome}${record.streamed ? `, ${developerStrings.streamed}` : ''}</span>
      </div>
      <dl>
        ${fact(requestFacts.time, formatDateTime(record.time))} ${fact(requestFacts.key, record.key ?? developerStrings.noKey)}
        ${record.model === null ? nothing : fact(requestFacts.model, record.model)}
        ${record.upstream ? fact(requestFacts.server, record.upstream) : nothing}
        ${promptTokens === null || completionTokens === null ? nothing : fact(requestFacts.tokens, developerStrings.tokens(promptTokens, completionTokens))}
        ${tokensPerSecond === null ? nothing : fact(requestFacts.speed, developerStrings.speed(tokensPerSecond))}
        ${fact(requestFacts.duration, developerStrings.duration(record.duration))} ${fact(requestFacts.id, record.requestId)}
      </dl>
      ${record.content === null ? nothing : this.#content(record.content)}
    `;
  }

  #content({ request, response }: NonNullable<RequestRecord['content']>): TemplateResult {
    return html`<details>
        <summary>${developerStrings.request}</summary>
        <pre tabindex="0" role="group" aria-label=${developerStrings.request}>${request}</pre>
      </details>
      <details>
        <summary>${developerStrings.response}</summary>
        <pre tabindex="0" role="group" aria-label=${developerStrings.response}>${response}</pre>
      </details>`;
  }

  readonly #read = (): void => {
    void this.#actions.run(async () => {
      [this.records, this.keepsContent] = await Promise.all([listRequestRecords(), isContentLogged()]);
    });
  };

  async #switch(event: Event): Promise<void> {
    const { checked } = event.target as HTMLInputElement;
    if (await this.#actions.run(() => setContentLogged(checked))) this.#read();
  }
}
customElements.define('request-log-list', RequestLogList);
