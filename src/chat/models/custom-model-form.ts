import { css, html, LitElement, nothing } from 'lit';
import { ApiError } from '../../shared/api-error.ts';
import { MODEL_HOSTS } from '../../shared/security/security-headers.ts';
import type { CustomModel } from '../../shared/models/model-management.ts';
import type { ModelManager } from '../../page/index.ts';
import { errorInPageLanguage } from '../strings/engine-sentences.ts';
import { modelStrings } from '../strings/model-strings.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { panelStyles } from '../theme/panel-styles.ts';
import { policySources } from '../browser/document-policy.ts';

const FIELDS = [
  { name: 'id', label: 'customName', hint: 'customNameHint', type: 'text' },
  { name: 'modelUrl', label: 'customModelUrl', hint: 'customModelUrlHint', type: 'url' },
  { name: 'libraryUrl', label: 'customLibraryUrl', hint: 'customLibraryUrlHint', type: 'url' },
] as const satisfies readonly {
  name: keyof CustomModel;
  label: keyof typeof modelStrings;
  hint: keyof typeof modelStrings;
  type: string;
}[];

interface Problem {
  /** Name of the invalid field; null if no field is invalid. */
  readonly field: string | null;
  readonly message: string;
  /** The engine's message about an address; null for other problems. */
  readonly details: string | null;
}

export class CustomModelForm extends LitElement {
  static override properties = {
    manager: { attribute: false },
    problem: { state: true },
    added: { state: true },
    sources: { state: true },
    isAsking: { state: true },
  };
  declare manager: ModelManager;
  declare problem: Problem | null;
  declare added: string | null;
  declare sources: readonly string[];
  /** Whether the form is checking that the servers have the files. */
  declare isAsking: boolean;

  constructor() {
    super();
    this.problem = null;
    this.added = null;
    this.sources = MODEL_HOSTS;
    this.isAsking = false;
  }

  static override styles = [
    controlStyles,
    panelStyles,
    css`
      :host {
        max-width: var(--measure);
      }
      form {
        display: grid;
        gap: var(--space-3);
      }
      button {
        justify-self: start;
      }
      [aria-invalid='true'] {
        border-color: var(--color-danger);
      }
      .field > span {
        font-weight: 400;
      }
      .problem {
        color: var(--color-danger);
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    void policySources().then((sources) => (this.sources = sources));
  }

  override render() {
    return html`
      <p class="small quiet">${modelStrings.customNote} ${this.sources.join(', ')}</p>
      <form novalidate @submit=${this.#submit}>
        ${FIELDS.map(({ name, label, hint, type }) => {
          const wrong = this.problem?.field === name;
          return html`<div class="field">
            <label for=${name}>${modelStrings[label]}</label>
            <input id=${name} name=${name} type=${type} autocomplete="off" spellcheck="false" aria-invalid=${wrong} aria-describedby="${name}-hint" required />
            <span id="${name}-hint" class=${wrong ? 'problem' : 'quiet'}>${wrong ? this.problem?.message : modelStrings[hint]}</span>
            ${wrong && this.problem?.details ? html`<details class="small"><summary>${modelStrings.details}</summary>${this.problem.details}</details>` : nothing}
          </div>`;
        })}
        <button class="primary" ?disabled=${this.isAsking}>${this.isAsking ? modelStrings.asking : modelStrings.customAdd}</button>
        <p role="status">${this.added === null ? nothing : modelStrings.customAdded(this.added)}</p>
        ${this.problem?.field === null ? html`<p class="error" role="alert">${this.problem.message}</p>` : nothing}
      </form>
    `;
  }

  async #submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const typed = new FormData(form);
    const value = (name: keyof CustomModel) => String(typed.get(name) ?? '').trim();
    const model = { id: value('id'), modelUrl: address(value('modelUrl')), libraryUrl: address(value('libraryUrl')) };
    this.problem = null;
    this.added = null;
    this.isAsking = true;
    try {
      await this.manager.addCustom(model);
      this.added = model.id;
      form.reset();
    } catch (thrown) {
      this.problem = problemOf(thrown);
    } finally {
      this.isAsking = false;
    }
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }
}
customElements.define('custom-model-form', CustomModelForm);

function problemOf(thrown: unknown): Problem {
  const words = errorInPageLanguage(thrown);
  const { code, param } = thrown instanceof ApiError ? thrown : {};
  const field = FIELDS.find(({ name }) => name === param)?.name ?? null;
  const isUnusable = field !== null && code === 'model_load_failed';
  return {
    field,
    message: isUnusable ? modelStrings.customUnusable : words,
    details: isUnusable ? words : null,
  };
}

/** Returns a path on this site as an absolute address. */
function address(text: string): string {
  return text.startsWith('/') ? new URL(text, document.baseURI).href : text;
}
