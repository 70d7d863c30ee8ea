import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { ActionController } from '../common/action-controller.ts';
import { answersContext, fromContext, storeContext } from '../common/contexts.ts';
import { loadPart } from '../browser/load-part.ts';
import { modelName } from '../common/model-name.ts';
import { renameConversation } from '../common/rename-conversation.ts';
import type { Destination } from '../types/destination.ts';
import type { Conversation } from '../types/conversation.ts';
import { hasNeutralTitles } from '../storage/local-storage-values.ts';
import { appStrings } from '../strings/app-strings.ts';
import { destinationStrings } from '../strings/conversation-strings.ts';
import { chatPartStrings } from '../strings/message-strings.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { icon, iconButton } from '../theme/icons.ts';

/**
 * The bar above a conversation: title, which can be changed, model, slotted content and export. It sets the title of
 * the page. On a phone the page's own bar shows the conversation's title.
 * @fires titled - `detail` is the title; empty for a new conversation. Bubbles out of the conversation.
 */
export class ConversationHeader extends LitElement {
  static override properties = { conversation: { attribute: false }, destination: { attribute: false }, model: {} };
  /** Null before the first question. */
  declare conversation: Conversation | null;
  /** The server to which the next question goes; null for this device. */
  declare destination: Destination | null;
  /** Id of the model that answers. */
  declare model: string;
  readonly #store = fromContext(this, storeContext);
  readonly #answers = fromContext(this, answersContext);
  readonly #actions = new ActionController(this);

  constructor() {
    super();
    this.conversation = null;
    this.destination = null;
    this.model = '';
  }

  static override styles = [
    controlStyles,
    css`
      /* Reserves the height until the title is loaded, so that no message moves. */
      :host {
        display: block;
        min-height: calc(3.25rem + 1px);
      }
      header {
        display: flex;
        align-items: center;
        gap: var(--space-3);
        min-height: 3.25rem;
        padding-inline: var(--space-5) var(--space-3);
        border-bottom: 1px solid var(--color-line);
        --target: var(--target-medium);
      }
      h1 {
        flex: 1;
        min-width: 0;
        overflow: hidden;
        font-size: 0.95rem;
        font-weight: 600;
        letter-spacing: 0;
        text-align: -webkit-match-parent;
        text-align: match-parent;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      h1 button {
        display: flex;
        justify-content: flex-start;
        gap: var(--space-2);
        max-width: 100%;
        /* Aligns the title, not the button around it, with the messages below. */
        margin-inline-start: calc(-1 * var(--space-2));
        padding-inline: var(--space-2);
        border-color: transparent;
        background: none;
        font: inherit;
      }
      h1 span {
        overflow: hidden;
        text-overflow: ellipsis;
      }
      h1 svg {
        display: none;
        width: 1rem;
      }
      h1 button:is(:hover, :focus-visible) svg {
        display: block;
      }
      .model {
        flex: none;
        max-width: 14rem;
        overflow: hidden;
        color: var(--color-text-quiet);
        font-size: var(--text-small);
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      @media screen and (max-width: 52rem) {
        :host {
          min-height: 0;
        }
        header {
          position: absolute;
          clip-path: inset(50%);
        }
        button {
          display: none;
        }
        /* Removes the title's button but not the title, which remains a heading for screen readers. */
        h1 button {
          display: contents;
        }
      }
      @media print {
        :host {
          min-height: 0;
        }
        header {
          padding: 0;
          border: 0;
        }
        h1 {
          font-size: 1.4rem;
          white-space: normal;
        }
        .model,
        ::slotted(*),
        button,
        h1 svg {
          display: none;
        }
        h1 button {
          display: contents;
        }
      }
    `,
  ];

  protected override updated(changes: PropertyValues<this>): void {
    if (!changes.has('conversation')) return;
    const title = this.conversation?.title;
    document.title = title === undefined || hasNeutralTitles() ? appStrings.name : `${title} · ${appStrings.name}`;
    this.dispatchEvent(new CustomEvent('titled', { detail: title ?? '', bubbles: true, composed: true }));
  }

  override render() {
    const { conversation, destination } = this;
    if (conversation === null) return nothing;
    return html`<header>
        <h1 dir="auto">${this.#title(conversation)}</h1>
        <span class="model" title=${this.model}>${modelName(this.model)}</span>
        ${destination === null ? nothing : html`<span class="model">${destinationStrings.goesTo(destination)}</span>`}
        <slot></slot>
        ${iconButton('download', chatPartStrings.export, () => void this.#actions.run(() => this.#export(conversation)))}
      </header>
      ${this.#actions.notice}`;
  }

  #title(conversation: Conversation): TemplateResult {
    const { title } = conversation;
    if (this.#store().isTemporary) return html`${title}`;
    return html`<button title=${chatPartStrings.rename} @click=${() => void this.#actions.run(() => renameConversation(conversation, this.#store()))}>
      <span>${title}</span>${icon('pencil')}
    </button>`;
  }

  async #export(conversation: Conversation): Promise<void> {
    const { exportMarkdown } = await loadPart(import('../transfer/export-conversations.ts'));
    await exportMarkdown(conversation, this.#store(), this.#answers());
  }
}
customElements.define('conversation-header', ConversationHeader);
