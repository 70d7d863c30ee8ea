import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { ModelManager } from '../../page/index.ts';
import { ApiError } from '../../shared/api-error.ts';
import type { GgufFacts } from '../../shared/models/model-facts.ts';
import type { GgufOffer } from '../../shared/models/model-management.ts';
import { fact, factStyles } from '../common/facts.ts';
import { rememberModelToChatWith } from '../storage/awaited-model.ts';
import { errorInPageLanguage, inPageLanguage } from '../strings/engine-sentences.ts';
import { ggufStrings as strings } from '../strings/gguf-strings.ts';
import { formatBytes } from '../strings/format.ts';
import { modelStrings } from '../strings/model-strings.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { icon } from '../theme/icons.ts';
import { panelStyles } from '../theme/panel-styles.ts';
import { badgeStyles } from './badge-styles.ts';
import { DeviceController } from './device-controller.ts';
import { judgeModel } from './judge-model.ts';

interface Problem {
  readonly sentence: string;
  /** The engine's own message, which is initially hidden. */
  readonly details: string | null;
}

/**
 * Adds a GGUF model from files or an address. Before anything else is read, it shows the facts in the header, and
 * whether the model runs on this device.
 */
export class AddGguf extends LitElement {
  static override properties = {
    manager: { attribute: false },
    files: { attribute: false },
    from: { state: true },
    offer: { state: true },
    isReading: { state: true },
    problem: { state: true },
    news: { state: true },
  };
  declare manager: ModelManager;
  /** Files that were dropped; their header is read immediately. */
  declare files: readonly File[];
  /** The chosen files, or the typed address. */
  declare from: string | readonly File[];
  declare offer: GgufOffer | null;
  declare isReading: boolean;
  declare problem: Problem | null;
  declare news: string;
  readonly #device = new DeviceController(this, () => this.offer !== null);
  /** Ends the watch over the added model. */
  #unwatch: () => void = () => {};

  constructor() {
    super();
    this.files = [];
    this.from = '';
    this.offer = null;
    this.isReading = false;
    this.problem = null;
    this.news = '';
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#unwatch();
  }

  static override styles = [
    controlStyles,
    panelStyles,
    factStyles,
    badgeStyles,
    css`
      :host {
        max-width: var(--measure);
      }
      form {
        display: grid;
        grid-template-columns: minmax(0, 1fr) auto;
        align-items: end;
        gap: var(--space-2);
      }
      form .quiet {
        grid-column: 1 / -1;
      }
      dl {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(min(9rem, 100%), 1fr));
        gap: var(--space-2) var(--space-3);
      }
      .card {
        display: grid;
        gap: var(--space-3);
      }
      h3 {
        overflow-wrap: anywhere;
      }
      summary {
        width: fit-content;
        padding-block: calc((var(--target-small) - 1lh) / 2);
        cursor: pointer;
      }
      details p {
        margin-top: var(--space-1);
      }
      /* Files cannot be dragged on a touch screen. */
      @media (pointer: coarse) {
        .drop {
          display: none;
        }
      }
      @media (max-width: 30rem) {
        form {
          grid-template-columns: minmax(0, 1fr);
        }
      }
    `,
  ];

  protected override willUpdate(changes: PropertyValues<this>): void {
    if (changes.has('files') && this.files.length > 0) void this.#look(this.files);
  }

  override render() {
    return html`
      ${this.offer === null ? this.#choice() : this.#offered(this.offer)}
      <p role="status">${this.isReading ? strings.reading : this.news}</p>
      ${this.problem === null ? nothing : this.#failure(this.problem)}
    `;
  }

  #choice(): TemplateResult {
    return html`
      <p class="small quiet">${strings.note}</p>
      <div class="row">
        <input type="file" hidden multiple accept=".gguf" @change=${this.#chosen} />
        <button @click=${() => this.renderRoot.querySelector<HTMLInputElement>('[type=file]')?.click()}>${icon('plus')}${strings.choose}</button>
        <span class="small quiet"><span class="drop">${strings.orDrop}</span> ${strings.chooseAll}</span>
      </div>
      <form novalidate @submit=${this.#typed}>
        <label>
          ${strings.address}
          <input name="address" type="text" inputmode="url" autocomplete="off" spellcheck="false" aria-describedby="hint" .value=${typeof this.from === 'string' ? this.from : ''} />
        </label>
        <button ?disabled=${this.isReading}>${strings.look}</button>
        <p id="hint" class="small quiet">${strings.addressHint}</p>
      </form>
    `;
  }

  #offered({ id, facts, contextWindow, memoryBytes, fit, state }: GgufOffer): TemplateResult {
    const isHere = state === 'present';
    const { bytes, parameters, quantization, embedding } = facts;
    const fitness = judgeModel(
      {
        id,
        fit,
        format: 'gguf',
        parameters,
        quantization,
        downloadBytes: bytes,
        memoryBytes,
        embedding: !!embedding,
      },
      this.#device.device,
    );
    const label = typeof this.from === 'string' ? strings.download(facts.bytes) : strings.copy(facts.bytes);
    return html`<div class="card" role="group" aria-labelledby="name">
      <div class="row">
        <h3 class="grow" id="name" tabindex="-1">${facts.name ?? id}</h3>
        <span class="badge ${fitness}">${modelStrings.fitness[fitness]}</span>
      </div>
      <p class="small">${inPageLanguage(fit.reasons.join(' '), fit.sentences)} ${modelStrings.fitnessRemarks[fitness]}</p>
      <dl>
        ${fact(strings.facts.size, facts.bytes === null ? strings.unknown : formatBytes(facts.bytes))}
        ${fact(strings.facts.parameters, facts.parameters === null ? strings.unknown : strings.parameters(facts.parameters))}
        ${fact(strings.facts.window, strings.window(contextWindow, facts.contextLength))}
        ${fact(strings.facts.licence, facts.licence ?? strings.unknown)}
        ${fact(strings.facts.template, strings.template[abilityOf(facts)])}
        ${facts.mmprojBytes === undefined ? nothing : fact(strings.facts.images, strings.seesImages)}
        ${fact(strings.facts.weights, facts.quantization ?? strings.unknown)}
        ${fact(strings.facts.architecture, facts.architecture)}
      </dl>
      ${isHere ? html`<p>${strings.present(id)}</p>` : nothing}
      <div class="row">
        ${
          isHere || fit.verdict === 'no'
            ? nothing
            : html`<button class="primary" @click=${this.#add}>${state === 'download' ? strings.resume : label}</button>`
        }
        <button @click=${this.#reset}>${strings.another}</button>
      </div>
    </div>`;
  }

  #failure({ sentence, details }: Problem): TemplateResult {
    return html`<div class="error" role="alert">
      <p>${sentence}</p>
      ${details === null ? nothing : html`<details><summary>${strings.details}</summary><p class="small">${details}</p></details>`}
    </div>`;
  }

  /**
   * Adds the files of the field. The field must be in the document: Safari on iOS may garbage-collect a detached input
   * together with its files.
   */
  readonly #chosen = ({ currentTarget }: Event): void => {
    const field = currentTarget as HTMLInputElement;
    const files = [...(field.files ?? [])];
    // Clears the field: otherwise choosing the same files again would fire no event.
    field.value = '';
    void this.#look(files);
  };

  #typed(event: SubmitEvent): void {
    event.preventDefault();
    const typed = new FormData(event.currentTarget as HTMLFormElement).get('address');
    void this.#look(String(typed ?? '').trim());
  }

  async #look(from: string | readonly File[]): Promise<void> {
    if (from.length === 0) return;
    this.from = from;
    this.news = '';
    this.problem = null;
    this.offer = null;
    this.isReading = true;
    let offer: GgufOffer | null = null;
    let problem: Problem | null = null;
    try {
      if (typeof from === 'string' && !navigator.onLine) throw new ApiError('invalid_value', strings.offline);
      offer = await this.manager.inspectGguf(from);
    } catch (thrown) {
      problem = problemOf(thrown);
    }
    // The user has dropped other files in the meantime.
    if (this.from !== from) return;
    Object.assign(this, { offer, problem, isReading: false });
    await this.updateComplete;
    const next = this.offer !== null ? '#name' : typeof from === 'string' ? '[name=address]' : 'button';
    this.renderRoot.querySelector<HTMLElement>(next)?.focus();
  }

  readonly #add = async (): Promise<void> => {
    const { id, facts } = this.offer!;
    this.problem = null;
    // Set before the download, which may complete immediately.
    if (!facts.embedding) rememberModelToChatWith(id);
    let hasFailed = false;
    this.#unwatch();
    this.#unwatch = this.manager.watch((event) => {
      if (event.type === 'changed' || event.progress.id !== id || event.progress.phase !== 'failed') return;
      // Its card says so. It is not on its way any more.
      hasFailed = true;
      this.news = '';
    });
    try {
      await this.manager.download(id);
      this.#reset();
      if (hasFailed) return;
      this.news = facts.embedding ? strings.addedForSearch(id, facts.embedding.ranks === true) : strings.added(id);
    } catch (thrown) {
      rememberModelToChatWith(null);
      this.problem = problemOf(thrown);
    }
  };

  readonly #reset = (): void => {
    this.offer = null;
    this.problem = null;
    this.from = '';
  };
}
customElements.define('add-gguf', AddGguf);

function abilityOf({ embedding, hasChatTemplate }: GgufFacts): keyof typeof strings.template {
  if (embedding) return embedding.ranks ? 'ranks' : 'compares';
  return hasChatTemplate ? 'yes' : 'no';
}

/** Returns the problem to show: the message about a faulty file itself, that of a server only in the details. */
function problemOf(thrown: unknown): Problem {
  const message = errorInPageLanguage(thrown);
  const isSaid = thrown instanceof ApiError && thrown.code === 'invalid_value';
  return isSaid ? { sentence: message, details: null } : { sentence: strings.unreachable, details: message };
}

declare global {
  interface HTMLElementTagNameMap {
    'add-gguf': AddGguf;
  }
}
