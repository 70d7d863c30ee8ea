import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { ActionController, messageOf } from '../common/action-controller.ts';
import { answersContext, fromContext, storeContext } from '../common/contexts.ts';
import { fieldValue } from '../common/field-value.ts';
import { keepFocus } from '../common/keep-focus.ts';
import { loadPart } from '../common/load-part.ts';
import { RouteController } from '../common/route.ts';
import { askConfirmation, askText } from '../common/ask.ts';
import type { Conversation } from '../storage/conversation.ts';
import { listStrings } from '../strings/list.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { icon } from '../theme/icons.ts';
import { ConversationListController } from './conversation-list-controller.ts';
import './conversation-item.ts';
import type { ConversationAction } from './conversation-item.ts';

/** Every conversation on this device: search, rename, pin, export, import, delete. */
export class ConversationList extends LitElement {
  static override properties = { notice: { state: true } };
  /** Outcome of the last import. */
  declare notice: string;
  readonly #actions = new ActionController(this);
  readonly #store = fromContext(this, storeContext);
  readonly #answers = fromContext(this, answersContext);
  readonly #list = new ConversationListController(this);
  readonly #route = new RouteController(this);

  constructor() {
    super();
    keepFocus(this, () => this.focus());
    this.notice = '';
  }

  static override styles = [
    controlStyles,
    css`
      :host {
        display: flex;
        flex-direction: column;
        gap: var(--space-2);
        min-height: 0;
      }
      .search {
        position: relative;
        display: flex;
        gap: var(--space-1);
      }
      .search svg {
        position: absolute;
        inset-block: 0;
        inset-inline-start: 0.65rem;
        margin-block: auto;
        color: var(--color-text-quiet);
        pointer-events: none;
      }
      input[type='search'] {
        padding-inline-start: 2.3rem;
      }
      .scroll {
        flex: 1;
        min-height: 0;
        margin-inline: -4px;
        padding: 4px;
        overflow-y: auto;
      }
      h2 {
        padding: var(--space-3) var(--space-3) var(--space-1);
        color: var(--color-text-quiet);
        font-size: 0.75rem;
        font-weight: 600;
        letter-spacing: 0.02em;
      }
      ul {
        display: grid;
        gap: 2px;
        margin: 0;
        padding: 0;
        list-style: none;
      }
      li {
        min-width: 0;
        content-visibility: auto;
        contain-intrinsic-size: auto 2.4rem;
      }
      p {
        margin: var(--space-2) var(--space-3);
        color: var(--color-text-quiet);
        font-size: var(--text-small);
      }
      .transfer {
        display: flex;
        gap: var(--space-1);
      }
      .transfer button {
        flex: 1;
        min-height: 2.1rem;
        padding: 0 var(--space-2);
        border-color: transparent;
        background: transparent;
        color: var(--color-text-quiet);
        font-size: var(--text-small);
      }
      .transfer svg {
        width: 1rem;
      }
    `,
  ];

  /** Puts the cursor into the search field. */
  override focus(): void {
    this.renderRoot.querySelector('input')?.focus();
  }

  override render() {
    const { conversations, close, state, words } = this.#list;
    const pinned = conversations.filter((conversation) => conversation.pinned);
    const recent = conversations.filter((conversation) => !conversation.pinned);
    const isEmpty = state === 'open' && conversations.length === 0;
    return html`
      <div class="search" role="search">
        ${icon('search')}
        <input
          type="search"
          placeholder=${listStrings.search}
          aria-label=${listStrings.search}
          dir="auto"
          @input=${(event: Event) => this.#list.search(fieldValue(event))}
        />
      </div>
      <nav class="scroll" aria-label=${listStrings.title}>
        ${state === 'unreadable' ? html`<p role="alert">${listStrings.unreadable}</p>` : nothing}
        ${isEmpty ? html`<p role="status">${words === '' ? listStrings.empty : listStrings.nothingFound}</p>` : nothing}
        ${this.#section(listStrings.pinned, pinned)} ${this.#section(pinned.length === 0 ? '' : listStrings.recent, recent)} ${this.#section(listStrings.close, close)}
      </nav>
      ${this.notice === '' ? nothing : html`<p role="status">${this.notice}</p>`}
      ${this.#actions.notice}
      <div class="transfer">
        <button @click=${this.#pickFile}>${icon('upload')}${listStrings.import}</button>
        <button ?disabled=${conversations.length === 0} @click=${() => this.#actions.run(() => this.#exportAll())}>${icon('download')}${listStrings.exportAll}</button>
        <input type="file" hidden accept="application/json,.json" @change=${this.#import} />
      </div>
    `;
  }

  #section(title: string, conversations: readonly Conversation[]): TemplateResult | typeof nothing {
    if (conversations.length === 0) return nothing;
    const { route } = this.#route;
    const current = route.view === 'chat' ? route.conversation : null;
    return html`
      ${title === '' ? nothing : html`<h2>${title}</h2>`}
      <ul>
        ${repeat(
          conversations,
          ({ id }) => id,
          (conversation) => html`<li>
            <conversation-item
              .conversation=${conversation}
              ?current=${conversation.id === current}
              ?answering=${this.#answers().runningIn(conversation.id) !== undefined}
              @action=${(event: CustomEvent<ConversationAction>) => this.#actions.run(() => this.#act(conversation, event.detail))}
              @menu-failed=${(event: CustomEvent<string>) => this.#actions.show(event.detail)}
            ></conversation-item>
          </li>`,
        )}
      </ul>
    `;
  }

  async #act(conversation: Conversation, action: ConversationAction): Promise<void> {
    switch (action) {
      case 'rename':
        return this.#rename(conversation);
      case 'pin':
        return this.#store().update(conversation.id, { pinned: !conversation.pinned });
      case 'exportJson':
        return (await exporting()).exportJson(conversation, this.#store());
      case 'exportMarkdown':
        return (await exporting()).exportMarkdown(conversation, this.#store());
      case 'delete':
        return this.#delete(conversation);
    }
  }

  async #rename({ id, title }: Conversation): Promise<void> {
    const chosen = await askText({
      heading: listStrings.rename,
      label: listStrings.renameLabel,
      value: title,
      action: listStrings.rename,
    });
    if (chosen !== null && chosen.trim() !== '') await this.#store().update(id, { title: chosen.trim() });
  }

  async #delete({ id, title }: Conversation): Promise<void> {
    const agreed = await askConfirmation({
      heading: listStrings.deleteTitle,
      words: listStrings.deleteWords(title),
      action: listStrings.delete,
    });
    if (!agreed) return;
    this.#answers().stopConversation(id);
    await this.#store().delete(id);
    const { route } = this.#route;
    if (route.view === 'chat' && route.conversation === id) location.hash = '#/';
  }

  async #exportAll(): Promise<void> {
    await (await exporting()).exportAll(this.#store());
  }

  #pickFile(): void {
    this.renderRoot.querySelector<HTMLInputElement>('[type=file]')?.click();
  }

  async #import(event: Event): Promise<void> {
    const field = event.target as HTMLInputElement;
    const file = field.files?.[0];
    if (file === undefined) return;
    try {
      const { importConversations } = await loadPart(import('../transfer/import-conversations.ts'));
      const { added, skipped } = await importConversations(await file.text(), this.#store());
      this.notice = listStrings.imported(added, skipped);
    } catch (error) {
      this.notice = listStrings.importFailed(messageOf(error));
    }
    // The same file may be chosen once more.
    field.value = '';
  }
}
customElements.define('conversation-list', ConversationList);

function exporting() {
  return loadPart(import('../transfer/export-conversations.ts'));
}
