import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { askInAnyCase } from '../common/ask-in-any-case.ts';
import { ActionController } from '../common/action-controller.ts';
import { answersContext, fromContext, provideServices, tabserveContext, updatesContext } from '../common/contexts.ts';
import { temporaryStrings } from '../strings/temporary-strings.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { icon } from '../theme/icons.ts';
import { endTemporarySession, hasContents, openTemporarySession, type TemporarySession } from './temporary-session.ts';

/** The screen of the temporary chat: it explains that nothing is stored and provides an in-memory store. */
export class TemporaryChat extends LitElement {
  static override properties = {
    conversationScreen: { attribute: false },
    session: { state: true },
    conversation: { state: true },
  };
  /** Renders a conversation, which gets the temporary store from this element. */
  declare conversationScreen: (conversation: string | null) => TemplateResult;
  declare session: TemporarySession | undefined;
  /** Id of the conversation in the session; null before the first question. */
  declare conversation: string | null;
  readonly #actions = new ActionController(this);
  readonly #tabserve = fromContext(this, tabserveContext);
  readonly #answers = fromContext(this, answersContext);
  readonly #updates = fromContext(this, updatesContext);

  static override styles = [
    controlStyles,
    css`
      :host {
        display: flex;
        flex-direction: column;
        height: 100%;
        min-height: 0;
      }
      .notice {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: var(--space-2) var(--space-3);
        padding: var(--space-2) var(--space-4);
        border-bottom: 2px dashed var(--color-accent);
        background: var(--color-accent-soft);
        color: var(--color-on-accent-soft);
        font-size: 0.875rem;
      }
      .notice p {
        flex: 1 1 18rem;
        margin: 0;
      }
      .notice svg {
        align-self: start;
        margin-top: 0.1rem;
      }
      .notice button {
        min-height: var(--target-small);
        font-size: 0.875rem;
      }
      @media (min-width: 52rem) {
        .notice {
          padding-inline: var(--space-5);
        }
      }
      .view {
        flex: 1;
        min-height: 0;
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#actions.run(() => this.#open());
  }

  override render() {
    return html`
      <aside class="notice" aria-label=${temporaryStrings.title}>
        ${icon('temporary')}
        <p><strong>${temporaryStrings.title}.</strong> ${temporaryStrings.words}</p>
        <button @click=${this.#end}>${temporaryStrings.end}</button>
      </aside>
      ${this.#actions.notice}
      <div class="view">
        ${this.session === undefined ? nothing : this.conversationScreen(this.conversation)}
      </div>
    `;
  }

  async #open(): Promise<void> {
    const session = openTemporarySession(this.#answers());
    const [conversation] = await session.store.conversations();
    const { store, answers } = session;
    provideServices(this, { tabserve: this.#tabserve(), store, answers, updates: this.#updates() });
    this.conversation = conversation?.id ?? null;
    this.session = session;
  }

  async #end(): Promise<void> {
    if ((await hasContents()) && !(await askInAnyCase(temporaryStrings.endsNow))) return;
    endTemporarySession();
    location.hash = '#/';
  }
}
customElements.define('temporary-chat', TemporaryChat);
