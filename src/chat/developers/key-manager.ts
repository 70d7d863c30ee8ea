import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { createApiKeys, type NewKey } from '../../shared/keys/api-keys.ts';
import type { StoredKey } from '../../shared/storage/stored-key.ts';
import { keepFocus } from '../common/keep-focus.ts';
import '../common/copy-button.ts';
import { ActionController } from '../common/action-controller.ts';
import { askConfirmation } from '../common/ask-in-dialog.ts';
import { UsableModelsController } from '../common/usable-models-controller.ts';
import { separated, separatedStyles } from '../common/separated.ts';
import { developerStrings } from '../strings/developer-strings.ts';
import { choiceStyles } from '../theme/choice-styles.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { panelStyles } from '../theme/panel-styles.ts';

const KEYS = createApiKeys();

/**
 * Creates, scopes and revokes the user's API keys. A new key is shown once.
 * @fires key-made - `detail` is the new key, for use in an example.
 */
export class KeyManager extends LitElement {
  static override properties = {
    keys: { state: true },
    fresh: { state: true },
    everyModel: { state: true },
    news: { state: true },
  };
  declare keys: readonly StoredKey[];
  declare fresh: NewKey | null;
  declare everyModel: boolean;
  declare news: string;
  readonly #actions = new ActionController(this);
  readonly #models = new UsableModelsController(this);
  #isMaking = false;

  constructor() {
    super();
    keepFocus(this, () => this.renderRoot.querySelector<HTMLElement>('#name')?.focus());
    this.keys = [];
    this.fresh = null;
    this.everyModel = true;
    this.news = '';
  }

  static override styles = [
    controlStyles,
    separatedStyles,
    choiceStyles,
    panelStyles,
    css`
      form {
        display: grid;
        gap: var(--space-3);
      }
      form > button {
        justify-self: start;
      }
      fieldset {
        display: grid;
        gap: var(--space-1);
        margin: 0;
        padding: 0;
        border: 0;
        font-size: var(--text-small);
      }
      legend {
        padding: 0;
        font-weight: 500;
      }
      .models {
        padding-inline-start: var(--space-5);
      }
      .fresh {
        display: grid;
        gap: var(--space-3);
        border-color: var(--color-accent);
      }
      output {
        word-break: break-all;
        font-family: var(--font-code);
      }
      .problem {
        color: var(--color-danger);
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#actions.run(() => this.#refresh());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    // Hides the new key when the screen is left: it is shown only once.
    this.fresh = null;
  }

  override render() {
    return html`
      <p class="small quiet">${developerStrings.keysNote}</p>
      ${
        this.keys.length === 0
          ? html`<p class="small">${developerStrings.noKeys}</p>`
          : html`<ul>${this.keys.map((key) => html`<li class="card">${this.#key(key)}</li>`)}</ul>`
      }
      <p class="hidden" role="status">${this.news}</p>
      ${this.fresh === null ? nothing : this.#fresh(this.fresh)} ${this.#form()}
    `;
  }

  #key(stored: StoredKey): TemplateResult {
    const { name, prefix, models, created } = stored;
    return html`<div class="row">
      <div class="grow"><strong>${name}</strong><p class="small quiet">${separated([`${prefix}…`, models?.join(', ') ?? developerStrings.allModels, developerStrings.made(created)])}</p></div>
      <button class="danger" aria-label=${developerStrings.revokeOf(name)} @click=${() => this.#actions.run(() => this.#revoke(stored))}>${developerStrings.revoke}</button>
    </div>`;
  }

  #fresh({ key, stored }: NewKey): TemplateResult {
    return html`<div class="card fresh" role="group" aria-label=${developerStrings.newKeyLabel}>
      <div class="row">
        <div class="grow"><p>${stored.name}</p><output aria-label=${developerStrings.newKeyLabel}>${key}</output></div>
        <copy-button .text=${key} label=${developerStrings.copyKey}></copy-button>
        <button @click=${() => (this.fresh = null)}>${developerStrings.done}</button>
      </div>
      <p class="small">${developerStrings.newKey} ${developerStrings.usedAbove}</p>
    </div>`;
  }

  #form(): TemplateResult {
    return html`<form novalidate @submit=${(event: SubmitEvent) => this.#actions.run(() => this.#make(event))}>
      <div class="field">
        <label for="name">${developerStrings.keyName}</label>
        <input id="name" name="name" maxlength="80" autocomplete="off" placeholder=${developerStrings.keyNameHint} aria-describedby="problem" />
      </div>
      <fieldset>
        <legend>${developerStrings.scope}</legend>
        <label class="check">
          <input type="radio" name="scope" .checked=${live(this.everyModel)} @change=${() => (this.everyModel = true)} />${developerStrings.everyModel}
        </label>
        <label class="check">
          <input type="radio" name="scope" .checked=${live(!this.everyModel)} @change=${() => (this.everyModel = false)} />${developerStrings.someModels}
        </label>
        ${
          this.everyModel
            ? nothing
            : html`<div class="models">
              ${this.#models.models.map(({ id }) => html`<label class="check"><input type="checkbox" name="models" value=${id} />${id}</label>`)}
            </div>`
        }
      </fieldset>
      <p id="problem" class="small problem" role="alert">${this.#actions.problem}</p>
      <button @click=${onlyFirst}>${developerStrings.makeKey}</button>
    </form>`;
  }

  async #make(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const typed = new FormData(form);
    const name = String(typed.get('name') ?? '').trim();
    const models = this.everyModel ? null : typed.getAll('models').map(String);
    if (name === '') return this.#actions.show(developerStrings.nameNeeded);
    if (models?.length === 0) return this.#actions.show(developerStrings.modelNeeded);
    // Two quick presses make one key: of a second one only the last would be shown.
    if (this.#isMaking) return;
    this.#isMaking = true;
    this.fresh = await KEYS.create(name, models).finally(() => (this.#isMaking = false));
    this.dispatchEvent(new CustomEvent('key-made', { detail: this.fresh.key }));
    form.reset();
    this.everyModel = true;
    await this.#refresh();
    this.renderRoot.querySelector<HTMLElement>('copy-button')?.shadowRoot?.querySelector('button')?.focus();
  }

  async #revoke({ hash, name }: StoredKey): Promise<void> {
    if (!(await askConfirmation(developerStrings.confirmRevoke(name)))) return;
    await KEYS.revoke(hash);
    if (this.fresh?.stored.hash === hash) this.fresh = null;
    this.news = developerStrings.revoked(name);
    await this.#refresh();
  }

  async #refresh(): Promise<void> {
    this.keys = await KEYS.list();
    await this.updateComplete;
  }
}
customElements.define('key-manager', KeyManager);

/** Ignores the second click of a double click, for which the name is gone already. */
function onlyFirst(click: MouseEvent): void {
  if (click.detail > 1) click.preventDefault();
}
