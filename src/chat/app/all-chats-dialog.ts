import '../theme/web-awesome.ts';
import { css, html, LitElement } from 'lit';
import { canChat, listModels, type ListedModel } from '../api/list-models.ts';
import { ActionController } from '../common/action-controller.ts';
import { modelName } from '../common/model-name.ts';
import { showDialog } from '../common/show-dialog.ts';
import { defaultModel, instructionsForAllChats, writeAllChats } from '../storage/all-chats-settings.ts';
import { allChatsStrings, dialogStrings } from '../strings/dialog-strings.ts';
import { choiceStyles } from '../theme/choice-styles.ts';
import { hasTemporaryChat } from '../storage/has-temporary-chat.ts';
import { controlStyles } from '../theme/control-styles.ts';

/**
 * The dialog for the instructions of all chats and the model of new ones.
 * @fires close - the dialog was closed.
 */
export class AllChatsDialog extends LitElement {
  static override properties = { open: { state: true }, models: { state: true } };
  declare open: boolean;
  /** The models that can be used without a download; empty until they are listed. */
  declare models: readonly ListedModel[];
  readonly #actions = new ActionController(this);
  readonly #life = new AbortController();
  /** What the fields show at first. */
  readonly #before = { instructions: instructionsForAllChats(), model: defaultModel() };

  constructor() {
    super();
    this.open = true;
    this.models = [];
    void this.#actions.run(
      async () => (this.models = (await listModels(this.#life.signal, hasTemporaryChat())).filter(canChat)),
    );
  }

  static override styles = [
    controlStyles,
    choiceStyles,
    css`
      wa-dialog {
        --width: min(36rem, 94vw);
      }
      form {
        display: grid;
        gap: var(--space-5);
      }
      label {
        display: grid;
        gap: var(--space-1);
        font-weight: 500;
      }
      textarea {
        field-sizing: content;
        min-height: 6rem;
        max-height: 16rem;
        resize: vertical;
      }
      small {
        color: var(--color-text-quiet);
        font-size: var(--text-small);
        font-weight: 400;
      }
      footer {
        display: flex;
        justify-content: flex-end;
        gap: var(--space-2);
      }
    `,
  ];

  override render() {
    const { model: chosen } = this.#before;
    const here = this.models.filter(({ tabserve }) => tabserve?.state !== 'upstream').map(({ id }) => id);
    const ids = chosen === null || here.includes(chosen) ? here : [chosen, ...here];
    return html`<wa-dialog label=${allChatsStrings.title} ?open=${this.open} @wa-after-hide=${this.#hidden}>
      <form @submit=${this.#submit}>
        <label>
          ${allChatsStrings.instructions}
          <textarea autofocus name="instructions" dir="auto" .defaultValue=${this.#before.instructions}></textarea>
          <small>${allChatsStrings.instructionsHelp}</small>
        </label>
        <label>
          ${allChatsStrings.model}
          <select name="model">
            <option value="">${allChatsStrings.lastModel}</option>
            ${ids.map((id) => html`<option value=${id} ?selected=${id === chosen}>${modelName(id, ids)}</option>`)}
          </select>
          <small>${allChatsStrings.modelHelp}</small>
        </label>
        ${this.#actions.notice}
        <footer>
          <button type="button" @click=${() => (this.open = false)}>${dialogStrings.cancel}</button>
          <button class="primary">${dialogStrings.save}</button>
        </footer>
      </form>
    </wa-dialog>`;
  }

  async #submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement);
    const instructions = String(form.get('instructions')).replaceAll('\r\n', '\n');
    const model = String(form.get('model')) || null;
    const { instructions: shown, model: chosen } = this.#before;
    // What was not changed here may have been changed by another tab.
    const store = () =>
      writeAllChats(
        instructions === shown ? instructionsForAllChats() : instructions,
        model === chosen ? defaultModel() : model,
      );
    const isStored = await this.#actions.run(store, allChatsStrings.notStored);
    if (isStored) this.open = false;
  }

  #hidden({ target, currentTarget }: Event): void {
    if (target !== currentTarget) return;
    this.#life.abort();
    this.dispatchEvent(new CustomEvent('close'));
  }
}
customElements.define('all-chats-dialog', AllChatsDialog);

export function openAllChats(): void {
  showDialog(new AllChatsDialog());
}
