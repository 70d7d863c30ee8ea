import { css, html, LitElement, nothing } from 'lit';
import { BUILT_IN_MODEL_ID } from '../../shared/models/built-in-models.ts';
import { withAbort } from '../../shared/timeout.ts';
import { LOCAL_KEY } from '../api/request-endpoint.ts';
import { errorMessage } from '../../shared/error-message.ts';
import { fieldValue } from '../browser/field-value.ts';
import { serviceWorkerInCharge } from '../browser/service-worker-in-charge.ts';
import { UsableModelsController } from '../common/usable-models-controller.ts';
import { separated, separatedStyles } from '../common/separated.ts';
import { developerStrings } from '../strings/developer-strings.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { panelStyles } from '../theme/panel-styles.ts';
import './code-snippet.ts';
import { SNIPPETS, type SnippetName } from './snippets.ts';

/** Maximum characters of a response that are shown; earlier ones are cut off. */
const MAX_SHOWN = 100_000;

/** Examples for popular clients, and a button that sends the same request as they do. */
export class SnippetRunner extends LitElement {
  static override properties = {
    baseUrl: { attribute: false },
    apiKey: { attribute: false },
    model: { state: true },
    question: { state: true },
    snippet: { state: true },
    head: { state: true },
    raw: { state: true },
    end: { state: true },
    running: { state: true },
  };
  declare baseUrl: string;
  declare apiKey: string;
  declare model: string;
  declare question: string;
  declare snippet: SnippetName;
  declare head: readonly string[];
  declare raw: string;
  declare end: string;
  declare running: AbortController | null;
  readonly #models = new UsableModelsController(this);

  constructor() {
    super();
    this.apiKey = LOCAL_KEY;
    this.model = BUILT_IN_MODEL_ID;
    this.question = developerStrings.defaultQuestion;
    this.snippet = 'fetch';
    this.head = [];
    this.raw = '';
    this.end = '';
    this.running = null;
  }

  static override styles = [
    controlStyles,
    separatedStyles,
    panelStyles,
    css`
      .values {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, max(20rem, 40%)), 1fr));
        gap: var(--space-3);
      }
      .wide {
        grid-column: 1 / -1;
      }
      fieldset {
        display: flex;
        flex-wrap: wrap;
        gap: var(--space-2);
        margin: 0;
        padding: 0;
        border: 0;
      }
      fieldset label {
        position: relative;
        display: inline-flex;
        align-items: center;
        min-height: var(--target);
        padding: 0 var(--space-4);
        border: 1px solid var(--color-line-strong);
        border-radius: 2rem;
        cursor: pointer;
      }
      fieldset label:has(:checked) {
        border-color: var(--color-accent);
        background: var(--color-accent-soft);
        color: var(--color-on-accent-soft);
      }
      fieldset label:has(:focus-visible) {
        outline: 2px solid var(--color-focus);
        outline-offset: 2px;
      }
      fieldset input {
        position: absolute;
        opacity: 0;
      }
      .raw {
        min-height: 6rem;
        max-height: 20rem;
        margin: 0;
        padding: var(--space-3) var(--space-4);
        overflow: auto;
        border: 1px solid var(--color-line);
        border-radius: var(--radius-normal);
        background: var(--color-code);
        white-space: pre-wrap;
        overflow-wrap: anywhere;
      }
      .numbers {
        font-size: var(--text-small);
        font-family: var(--font-code);
      }
    `,
  ];

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.running?.abort();
  }

  override render() {
    const { baseUrl, model, apiKey: key, question } = this;
    const usable = this.#models.chatModels.map(({ id }) => id);
    const models = usable.includes(model) ? usable : [model, ...usable];
    return html`
      <div class="values">
        <label>${developerStrings.model}
          <select .value=${model} @change=${(event: Event) => (this.model = fieldValue(event))}>
            ${models.map((id) => html`<option value=${id} ?selected=${id === model}>${id}</option>`)}
          </select>
        </label>
        <label>${developerStrings.key}
          <input autocomplete="off" spellcheck="false" .value=${key} @input=${(event: Event) => (this.apiKey = fieldValue(event))} />
        </label>
        <label class="wide">${developerStrings.question}
          <input .value=${question} @input=${(event: Event) => (this.question = fieldValue(event))} />
        </label>
      </div>
      <fieldset>
        <legend class="hidden">${developerStrings.client}</legend>
        ${Object.entries(developerStrings.clients).map(
          ([name, title]) => html`<label>
            <input type="radio" name="snippet" value=${name} .checked=${name === this.snippet} @change=${() => (this.snippet = name as SnippetName)} />${title}
          </label>`,
        )}
      </fieldset>
      <code-snippet .code=${SNIPPETS[this.snippet]({ baseUrl, model, key, question })}></code-snippet>
      <div class="row">
        <button class=${this.running === null ? 'primary' : ''} @click=${this.#pressed}>
          ${this.running === null ? developerStrings.run : developerStrings.stop}
        </button>
        <p class="grow small quiet">${developerStrings.runNotes[this.snippet]}</p>
      </div>
      ${
        this.head.length === 0 && this.raw === '' && this.running === null && this.end === ''
          ? nothing
          : html`<h3>${developerStrings.answer}</h3>
            <p class="numbers">${separated(this.head)}</p>
            <pre class="raw" tabindex="0" role="region" aria-label=${developerStrings.answer}>${this.raw}</pre>`
      }
      <p class="numbers" role="status">${this.running === null ? this.end : developerStrings.running}</p>
    `;
  }

  /** Runs the request, or stops it; not at the second click of a double click. */
  #pressed({ detail }: MouseEvent): void {
    if (this.running === null) void this.#run();
    else if (detail < 2) this.running.abort();
  }

  async #run(): Promise<void> {
    const run = new AbortController();
    const started = performance.now();
    this.running = run;
    this.head = [];
    this.raw = '';
    this.end = '';
    try {
      await withAbort(serviceWorkerInCharge(), run.signal);
      const response = await fetch(`${this.baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${this.apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: this.model, messages: [{ role: 'user', content: this.question }], stream: true }),
        signal: run.signal,
      });
      const { headers, status } = response;
      this.head = [String(status), headers.get('content-type') ?? '', headers.get('x-request-id') ?? ''];
      await this.#show(response);
      this.end = developerStrings.ended(performance.now() - started);
    } catch (thrown) {
      if (run.signal.aborted) this.end = developerStrings.stopped;
      else this.end = thrown instanceof TypeError ? developerStrings.networkFailed : errorMessage(thrown);
    } finally {
      this.running = null;
    }
  }

  async #show(response: Response): Promise<void> {
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (let step = await reader?.read(); step !== undefined && !step.done; step = await reader?.read()) {
      const { renderRoot } = this;
      const shown = renderRoot.querySelector('.raw');
      const atEnd = shown === null || shown.scrollHeight - shown.scrollTop - shown.clientHeight < 40;
      this.raw = (this.raw + step.value).slice(-MAX_SHOWN);
      await this.updateComplete;
      if (atEnd) renderRoot.querySelector('.raw')?.scrollTo({ top: 1e9 });
    }
  }
}
customElements.define('snippet-runner', SnippetRunner);
