import { css, html, LitElement, nothing } from 'lit';
import { ApiError } from '../../shared/api-error.ts';
import { MODEL_HOSTS } from '../../shared/security/security-headers.ts';
import type { CustomModel } from '../../shared/models/model-management.ts';
import type { ModelManager } from '../../page/index.ts';
import { errorMessage } from '../../shared/error-message.ts';
import { modelStrings } from '../strings/models.ts';
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

export class CustomModelForm extends LitElement {
  static override properties = {
    manager: { attribute: false },
    problem: { state: true },
    added: { state: true },
    sources: { state: true },
  };
  declare manager: ModelManager;
  declare problem: { readonly field: string | null; readonly message: string } | null;
  declare added: string | null;
  declare sources: readonly string[];

  constructor() {
    super();
    this.problem = null;
    this.added = null;
    this.sources = MODEL_HOSTS;
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
          </div>`;
        })}
        <button class="primary">${modelStrings.customAdd}</button>
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
    try {
      await this.manager.addCustom(model);
      this.added = model.id;
      form.reset();
    } catch (thrown) {
      const known = thrown instanceof ApiError && FIELDS.some(({ name }) => name === thrown.param);
      this.problem = {
        field: known ? thrown.param : null,
        message: errorMessage(thrown),
      };
      await this.updateComplete;
      this.renderRoot.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    }
  }
}
/** Makes a path on this site absolute. */
function address(text: string): string {
  return text.startsWith('/') ? new URL(text, document.baseURI).href : text;
}
customElements.define('custom-model-form', CustomModelForm);
