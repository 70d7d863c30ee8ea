import { html, LitElement, nothing, unsafeCSS, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { ActionController } from '../common/action-controller.ts';
import { answersContext, fromContext, storeContext } from '../common/contexts.ts';
import { offerCommands, type Command } from '../common/commands.ts';
import { fieldValue } from '../browser/field-value.ts';
import { keepFocus } from '../common/keep-focus.ts';
import { listenToWindow } from '../common/listen-to-window.ts';
import { loadPart } from '../browser/load-part.ts';
import { RouteController } from '../common/route.ts';
import type { Conversation } from '../types/conversation.ts';
import { listStrings } from '../strings/list-strings.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { icon } from '../theme/icons.ts';
import styles from './conversation-list.css?inline';
import { ConversationListController } from './conversation-list-controller.ts';
import { itemActions, type ConversationAction } from './conversation-item.ts';
import type { FoundConversation } from './conversation-search.ts';
import { groupByDate } from './date-groups.ts';
import type { ListActions } from './list-actions.ts';

type ListedConversation = Pick<FoundConversation, 'conversation'> & Partial<FoundConversation>;

/** Every conversation on this device: search, rename, pin, export, import, delete. */
export class ConversationList extends LitElement {
  /** Null before the first action. */
  #loaded: ListActions | null = null;
  readonly #actions = new ActionController(this);
  readonly #store = fromContext(this, storeContext);
  readonly #answers = fromContext(this, answersContext);
  readonly #list = new ConversationListController(this, this.#actions);
  readonly #route = new RouteController(this);

  constructor() {
    super();
    offerCommands(this, () => this.#commands());
    // Updates the date groups, in case the day has changed.
    listenToWindow(this, 'focus', () => this.requestUpdate());
    keepFocus(this, () => (this.renderRoot.querySelector<HTMLElement>('timed-notice') ?? this).focus());
  }

  static override styles = [controlStyles, unsafeCSS(styles)];

  override focus(): void {
    this.renderRoot.querySelector('input')?.focus();
  }

  import(): void {
    this.renderRoot.querySelector<HTMLInputElement>('[type=file]')?.click();
  }

  exportAll(): void {
    this.#run((actions) => actions.exportAll());
  }

  /** Searches as if the user had typed `words` here. */
  search(words: string): void {
    const field = this.renderRoot.querySelector('input');
    if (field !== null) field.value = words;
    this.#list.search(words);
    this.focus();
  }

  override render() {
    const { conversations, found, state, words } = this.#list;
    const isEmpty = state === 'open' && (found ?? conversations).length === 0;
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
        ${found === null ? this.#all(conversations) : this.#found(found)}
      </nav>
      <div role="status">${this.#loaded?.render()}</div>
      ${this.#actions.notice}
      <input type="file" hidden multiple accept="application/json,application/zip,.json,.jsonl,.ndjson,.md,.zip" @change=${({ target }: Event) => this.#run((actions) => actions.import(target as HTMLInputElement))} />
    `;
  }

  #all(conversations: readonly Conversation[]): unknown {
    const pinned = conversations.filter((conversation) => conversation.pinned);
    const rest = conversations.filter((conversation) => !conversation.pinned);
    const groups = groupByDate(rest, Date.now(), document.documentElement.lang, listStrings.lastDays);
    return [{ title: listStrings.pinned, conversations: pinned }, ...groups].map(({ title, conversations }) =>
      this.#section(
        title,
        conversations.map((conversation) => ({ conversation })),
      ),
    );
  }

  #found(found: readonly FoundConversation[]): unknown {
    const [first, close] = [false, true].map((isClose) => found.filter((one) => one.isClose === isClose));
    return [this.#section('', first!), this.#section(listStrings.close, close!)];
  }

  #section(title: string, entries: readonly ListedConversation[]): TemplateResult | typeof nothing {
    if (entries.length === 0) return nothing;
    const { route } = this.#route;
    const current = route.view === 'chat' ? route.conversation : null;
    return html`
      ${title === '' ? nothing : html`<h2>${title}</h2>`}
      <ul>
        ${repeat(
          entries,
          ({ conversation }) => conversation.id,
          ({ conversation, place, snippet }) => html`<li class=${snippet === undefined ? '' : 'found'}>
            <conversation-item
              .conversation=${conversation}
              .place=${place ?? null}
              .snippet=${snippet ?? []}
              ?current=${conversation.id === current}
              ?answering=${this.#answers().runningIn(conversation.id) !== undefined}
              @action=${(event: CustomEvent<ConversationAction>) => this.#act(conversation, event.detail)}
              @menu-failed=${(event: CustomEvent<string>) => this.#actions.show(event.detail)}
            ></conversation-item>
          </li>`,
        )}
      </ul>
    `;
  }

  #commands(): readonly Command[] {
    const { route } = this.#route;
    const current = this.#list.conversations.find(({ id }) => route.view === 'chat' && route.conversation === id);
    const actions = current === undefined ? [] : itemActions(current, true);
    return [
      ...actions.map(({ action, icon, words }) => ({
        icon,
        words: listStrings.thisChat(words),
        run: () => this.#act(current!, action),
      })),
      { icon: 'upload', words: listStrings.import, run: () => this.import() },
      { icon: 'download', words: listStrings.exportAll, run: () => this.exportAll() },
    ];
  }

  /** Runs an action with the code of all actions, which few visits need. */
  #run(action: (actions: ListActions) => unknown): void {
    void this.#actions.run(async () => {
      const { ListActions } = await loadPart(import('./list-actions.ts'));
      await action((this.#loaded ??= new ListActions(this, this.#actions, this.#store(), this.#answers())));
    });
  }

  #act(conversation: Conversation, action: ConversationAction): void {
    this.#run((actions) => actions.act(conversation, action));
  }
}
customElements.define('conversation-list', ConversationList);

declare global {
  interface HTMLElementTagNameMap {
    'conversation-list': ConversationList;
  }
}
