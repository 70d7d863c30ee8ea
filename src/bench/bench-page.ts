import { css, html, LitElement, nothing } from 'lit';
import type { Tabserve } from '../page/index.ts';
import { canChat, listModels, type ListedModel } from '../chat/api/list-models.ts';
import '../chat/common/copy-button.ts';
import { benchStrings as strings } from '../chat/strings/bench-strings.ts';
import { choiceStyles } from '../chat/theme/choice-styles.ts';
import { controlStyles } from '../chat/theme/control-styles.ts';
import { panelStyles } from '../chat/theme/panel-styles.ts';
import { viewStyles } from '../chat/theme/view-styles.ts';
import './bench-conditions.ts';
import type { BenchReport } from './bench-report.ts';
import { ROUNDS, type BenchRequest, type RunLength } from './bench-request.ts';
import { ROW_NAMES, type RowName, SIDE_NAMES, type SideName } from '../chat/types/bench-rows.ts';
import './bench-table.ts';
import { contestantsFor } from './contestants.ts';
import { runBench, type Step } from './run-bench.ts';
import { BUILT_IN_MODEL_ID } from '../shared/models/built-in-models.ts';

/** States of a run. Scripts read the state from the attribute `data-state` of the element with the JSON. */
type RunState =
  | { readonly name: 'waiting' | 'idle' | 'running' | 'stopped' | 'done' }
  | { readonly name: 'failed'; readonly reason: string };

/** Engines without the endpoint, with which the endpoint is compared. */
const OTHERS = SIDE_NAMES.filter((name) => name !== 'endpoint');

/** The page `/bench/`, which runs the benchmark. After each round it writes the results as JSON into `output`. */
export class BenchPage extends LitElement {
  static override properties = {
    models: { state: true },
    model: { state: true },
    length: { state: true },
    rows: { state: true },
    sides: { state: true },
    state: { state: true },
    step: { state: true },
    report: { state: true },
    wasHidden: { state: true },
  };
  declare models: readonly ListedModel[];
  declare model: string;
  declare length: RunLength;
  declare rows: ReadonlySet<RowName>;
  declare sides: ReadonlySet<SideName>;
  declare state: RunState;
  declare step: Step | null;
  declare report: BenchReport | null;
  declare wasHidden: boolean;

  #tabserve: Tabserve | null = null;
  #output: HTMLElement | null = null;
  #run = new AbortController();
  #rounds = 0;

  constructor() {
    super();
    this.models = [];
    this.model = '';
    this.length = 'short';
    this.rows = new Set(ROW_NAMES);
    this.sides = new Set(OTHERS);
    this.#show({ name: 'waiting' });
    this.step = null;
    this.report = null;
    this.wasHidden = false;
  }

  static override styles = [
    controlStyles,
    panelStyles,
    viewStyles,
    css`
      header > :first-child {
        margin-block-end: var(--space-3);
      }
      form {
        display: grid;
        gap: var(--space-4);
      }
      fieldset {
        min-width: 0;
        margin: 0;
        padding: 0;
        border: 0;
      }
      legend {
        padding: 0;
        font-size: var(--text-small);
        font-weight: 500;
      }
      .choices {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr));
        column-gap: var(--space-4);
      }
      .field {
        max-width: 30rem;
      }
    `,
    choiceStyles,
  ];

  /**
   * Starts the page with its endpoint.
   * @param output Element that gets the results as JSON and, in `data-state`, the state of the run.
   * @param request A run to start immediately; null waits for the user.
   */
  async start(tabserve: Tabserve, output: HTMLElement, request: BenchRequest | null): Promise<void> {
    this.#tabserve = tabserve;
    this.#output = output;
    this.#show(this.state);
    try {
      await tabserve.ready;
      this.models = (await listModels(this.#run.signal)).filter(isMeasurable);
      // Preselects another model than the built-in one, which is too small for a meaningful comparison.
      const real = this.models.find(({ id }) => id !== BUILT_IN_MODEL_ID) ?? this.models[0];
      this.model = request?.model ?? real?.id ?? '';
      this.#show({ name: 'idle' });
    } catch (thrown) {
      this.#show({ name: 'failed', reason: messageOf(thrown) });
      return;
    }
    if (request === null) return;
    this.rows = new Set(request.rows);
    this.sides = new Set(request.sides);
    await this.#measure({ ...request, model: this.model });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#run.abort();
  }

  override render() {
    return html`
      <header>
        <p><a href="../chat/#/developers">${strings.back}</a></p>
        <h1>${strings.title}</h1>
        <p>${strings.introduction}</p>
      </header>
      <section aria-label=${strings.measure}>${this.#form()}</section>
      ${this.#outcome()}
    `;
  }

  #form() {
    const isRunning = this.state.name === 'running';
    const length = (name: RunLength) => html`
      <label class="check">
        <input type="radio" name="length" .checked=${this.length === name} @change=${() => (this.length = name)} />
        ${strings.lengths[name]}
      </label>
    `;
    return html`
      <form @submit=${this.#onSubmit}>
        <label class="field">
          ${strings.model}
          <select ?disabled=${isRunning} @change=${({ target }: Event) => (this.model = (target as HTMLSelectElement).value)}>
            ${this.models.map(({ id }) => html`<option value=${id} .selected=${id === this.model}>${id}</option>`)}
          </select>
        </label>
        <fieldset ?disabled=${isRunning}>
          <legend>${strings.length}</legend>
          <div class="choices">${(Object.keys(ROUNDS) as RunLength[]).map(length)}</div>
        </fieldset>
        <fieldset ?disabled=${isRunning}>
          <legend>${strings.compare}</legend>
          <div class="choices">
            ${OTHERS.map((name) => this.#check(strings.sides[name], this.sides, name, (chosen) => (this.sides = chosen)))}
          </div>
        </fieldset>
        <fieldset ?disabled=${isRunning}>
          <legend>${strings.measure}</legend>
          <div class="choices">
            ${ROW_NAMES.map((name) => this.#check(strings.rows[name], this.rows, name, (chosen) => (this.rows = chosen)))}
          </div>
        </fieldset>
        <p class="small quiet">${strings.advice}</p>
        <div class="row">
          ${
            isRunning
              ? html`<button type="button" @click=${() => this.#run.abort()}>${strings.stop}</button>`
              : html`<button class="primary" ?disabled=${this.state.name === 'waiting' || this.model === ''}>
                  ${strings.start}
                </button>`
          }
          <span class="grow small" role="status">${this.#progressText()}</span>
        </div>
        ${
          isRunning
            ? html`<progress
                aria-label=${strings.preparing}
                max="1"
                .value=${this.step?.progress ?? 0}
              ></progress>`
            : nothing
        }
      </form>
    `;
  }

  #check<Name extends string>(
    label: string,
    chosen: ReadonlySet<Name>,
    name: Name,
    choose: (chosen: ReadonlySet<Name>) => void,
  ) {
    const onChange = ({ target }: Event) => {
      const isChosen = (target as HTMLInputElement).checked;
      choose(new Set([...chosen].filter((other) => other !== name).concat(isChosen ? [name] : [])));
    };
    return html`<label class="check">
      <input type="checkbox" .checked=${chosen.has(name)} @change=${onChange} />
      ${label}
    </label>`;
  }

  #outcome() {
    const { state, report } = this;
    return html`
      ${this.wasHidden ? html`<p class="error" role="alert">${strings.hiddenNow}</p>` : nothing}
      ${state.name === 'failed' ? html`<p class="error" role="alert">${strings.failed(state.reason)}</p>` : nothing}
      ${
        report === null
          ? nothing
          : html`<section aria-labelledby="results">
                <h2 id="results">${strings.results}</h2>
                <bench-table class="card" .report=${report}></bench-table>
              </section>
              <section aria-labelledby="conditions">
                <div class="row">
                  <h2 id="conditions" class="grow">${strings.conditions}</h2>
                  <span class="small">${strings.json}</span>
                  <copy-button .text=${jsonOf(report)} label=${strings.copyJson}></copy-button>
                </div>
                <bench-conditions class="card" .report=${report}></bench-conditions>
              </section>`
      }
    `;
  }

  #progressText(): string {
    const { state, step } = this;
    switch (state.name) {
      case 'waiting':
        return strings.waiting;
      case 'idle':
        return this.models.length === 0 ? strings.noModels : '';
      case 'stopped':
        return strings.stopped;
      case 'done':
        return strings.done;
      case 'failed':
        return '';
      case 'running': {
        if (step === null) return strings.preparing;
        const side = strings.sides[step.side];
        return step.row === null
          ? strings.loading(side)
          : strings.step(side, strings.rows[step.row], step.round, this.#rounds);
      }
    }
  }

  readonly #onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    void this.#measure({
      model: this.model,
      rounds: ROUNDS[this.length],
      rows: ROW_NAMES.filter((row) => this.rows.has(row)),
      sides: OTHERS.filter((side) => this.sides.has(side)),
    });
  };

  async #measure({ model, rounds, rows, sides }: BenchRequest): Promise<void> {
    const tabserve = this.#tabserve;
    if (tabserve === null || model === null) return;
    if (rows.length === 0) return this.#show({ name: 'failed', reason: strings.nothingChosen });
    const run = (this.#run = new AbortController());
    this.#rounds = rounds;
    this.report = null;
    this.step = null;
    this.wasHidden = document.hidden;
    this.#show({ name: 'running' });
    const listener = {
      onStep: (step: Step) => (this.step = step),
      onReport: (report: BenchReport) => this.#showReport(report),
      onHidden: () => (this.wasHidden = true),
      reason: (name: keyof typeof strings.reasons) => strings.reasons[name],
    };
    try {
      const contestants = await contestantsFor(tabserve, model, sides, run.signal);
      await runBench(contestants, { rounds, rows }, listener, run.signal);
      this.#show({ name: 'done' });
    } catch (thrown) {
      this.#show(run.signal.aborted ? { name: 'stopped' } : { name: 'failed', reason: messageOf(thrown) });
    }
  }

  #showReport(report: BenchReport): void {
    this.report = report;
    if (this.#output) this.#output.textContent = jsonOf(report);
  }

  #show(state: RunState): void {
    this.state = state;
    if (this.#output) this.#output.dataset['state'] = state.name;
    if (this.#output && state.name === 'failed') this.#output.dataset['reason'] = state.reason;
  }
}
customElements.define('bench-page', BenchPage);

declare global {
  interface HTMLElementTagNameMap {
    'bench-page': BenchPage;
  }
}

/** Chat models that run on this device. */
function isMeasurable(model: ListedModel): boolean {
  return canChat(model) && model.tabserve?.state !== 'upstream';
}

function jsonOf(report: BenchReport): string {
  return JSON.stringify(report, null, 2);
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
