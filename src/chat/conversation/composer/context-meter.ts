import { css, html, LitElement, svg } from 'lit';
import { withNamesOfImages } from '../../api/message-content.ts';
import { countedAttachments } from '../../attachments/tray-item.ts';
import { unsentFiles } from '../../attachments/unsent-files.ts';
import { seesImages, type ListedModel } from '../../api/list-models.ts';
import { ActionController } from '../../common/action-controller.ts';
import { fromContext, storeContext } from '../../common/contexts.ts';
import { loadPart } from '../../browser/load-part.ts';
import { listenToWindow } from '../../common/listen-to-window.ts';
import { TabserveController } from '../../common/tabserve-controller.ts';
import {
  DEFAULT_SETTINGS,
  newQuestion,
  sentMessages,
  type Attachment,
  type Message,
} from '../../types/conversation.ts';
import { drafts } from '../../storage/drafts/drafts.ts';
import { contextStrings } from '../../strings/context-window-strings.ts';
import { messageStrings } from '../../strings/message-strings.ts';
import { controlStyles } from '../../theme/control-styles.ts';
import type { ConversationController } from '../conversation-controller.ts';
import { ApiError } from '../../../shared/api-error.ts';
import { usedTokens } from './used-tokens.ts';
import { countContext, countWithDraft } from '../../common/count-tokens.ts';
import { NEARLY_FULL, type ChatMeasured } from './nearly-full-notice.ts';

/** Milliseconds after the last key press before the draft's tokens are counted. */
const TYPING_PAUSE = 400;
/** Context window in tokens that is assumed if a model does not state its own. */
const SMALL_WINDOW = 4096;

/** Ids of the models that show no tokens, such as those of llama.cpp. They are not asked again. */
const uncounted = new Set<string>();

type MeasuredChat = Pick<ConversationController, 'conversation' | 'path' | 'settings' | 'answering' | 'isTemporary'>;

/**
 * Shows how much of the context window the conversation, the draft and its files take; empty until that is known.
 * Tokens are counted while the model is loaded and idle; before the first count the usage of the last answer is shown.
 * A click offers to continue with fewer messages.
 * @fires chat-measured - see {@link ChatMeasured}. Bubbles out of the chat.
 */
export class ContextMeter extends LitElement {
  static override properties = {
    // The parent passes the same object on every render, and its content changes.
    chat: { attribute: false, hasChanged: () => true },
    model: { attribute: false },
    counted: { state: true },
  };
  declare chat: MeasuredChat;
  declare model: ListedModel | undefined;
  /** The last count of tokens and the model that counted them; null before the first count. */
  declare counted: { readonly model: string; readonly tokens: number } | null;
  readonly #actions = new ActionController(this);
  readonly #endpoint = new TabserveController(this);
  readonly #store = fromContext(this, storeContext);
  #withNames: { readonly path: readonly Message[]; readonly told: readonly Message[] } | undefined;
  #key = '';
  /** Id of the chat on the screen; null for a new one. */
  #shown: string | null = null;
  /** The share that was last reported by `chat-measured`. */
  #toldShare = 0;
  #sentOf: { readonly key: readonly unknown[]; readonly sent: readonly Message[] } | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.chat = { conversation: null, path: [], settings: DEFAULT_SETTINGS, answering: false, isTemporary: false };
    this.counted = null;
    listenToWindow(this, 'input', this.#typed);
  }

  static override styles = [
    controlStyles,
    css`
      button {
        gap: var(--space-1);
        padding-inline: var(--space-2);
        border-color: transparent;
        background: none;
        color: var(--color-text-quiet);
        font-size: var(--text-small);
        font-variant-numeric: tabular-nums;
        white-space: nowrap;
      }
      svg {
        flex: none;
        rotate: -90deg;
        fill: none;
        stroke: currentColor;
        stroke-width: 3.5;
      }
      .all {
        opacity: 0.3;
      }
      .high {
        color: var(--color-warning);
        font-weight: 650;
      }
      /* On a phone there is no room for it, and the composer would get a second row when the meter appears. */
      @media (max-width: 30rem) {
        button:not(.high) .share {
          display: none;
        }
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    unsentFiles.addEventListener('change', this.#questionChanged);
    drafts.addEventListener('change', this.#questionChanged);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    unsentFiles.removeEventListener('change', this.#questionChanged);
    drafts.removeEventListener('change', this.#questionChanged);
    clearTimeout(this.#timer);
  }

  /** Forgets the count of a chat that is left. A new chat keeps it when its first question gives it an id. */
  protected override willUpdate(): void {
    const id = this.chat.conversation?.id ?? null;
    if (id !== this.#shown && this.#shown !== null) this.counted = null;
    this.#shown = id;
  }

  protected override updated(): void {
    const { model, chat } = this;
    const { settings, answering } = chat;
    const path = this.#sent;
    const { status } = this.#endpoint;
    this.#tell();
    const canCount =
      !answering && !uncounted.has(model?.id ?? '') && status.state === 'ready' && status.model === model?.id;
    const key = canCount
      ? JSON.stringify([
          model.id,
          settings.systemPrompt,
          settings.tools,
          path.map(({ id }) => id),
          this.#draft,
          this.#files.map(({ id }) => id),
        ])
      : '';
    if (key === this.#key) return;
    this.#key = key;
    clearTimeout(this.#timer);
    if (canCount) this.#timer = setTimeout(() => void this.#count(model.id, key), TYPING_PAUSE);
  }

  /**
   * The messages that are sent to the model. The same array is returned as long as nothing changes, so that it is
   * counted only once.
   */
  get #sent(): readonly Message[] {
    const { path, conversation } = this.chat;
    const key = [path, conversation?.sentFrom];
    if (this.#sentOf === undefined || key.some((part, index) => part !== this.#sentOf?.key[index]))
      this.#sentOf = { key, sent: sentMessages(path, conversation?.sentFrom) };
    return this.#sentOf.sent;
  }

  #tell(): void {
    const share = (this.#used ?? 0) / (this.model?.context_window ?? Infinity);
    if (share === this.#toldShare) return;
    this.#toldShare = share;
    const detail: ChatMeasured = { chat: this.chat.conversation?.id ?? null, share };
    this.dispatchEvent(new CustomEvent('chat-measured', { detail, bubbles: true, composed: true }));
  }

  /** Number of tokens in use; null if unknown. */
  get #used(): number | null {
    if (this.counted !== null && this.counted.model === this.model?.id) return this.counted.tokens;
    return this.model === undefined ? null : usedTokens(this.#sent, this.model.id);
  }

  override render() {
    const used = this.#used;
    const window = this.model?.context_window;
    if (!used || window === undefined) return this.#actions.notice;
    const words = contextStrings.use(used, window);
    const share = Math.min(used / window, 1);
    return html`<button
      type="button"
      class=${share < NEARLY_FULL ? '' : 'high'}
      aria-label="${contextStrings.share(used, window)}: ${words}. ${messageStrings.makeRoom}"
      title=${words}
      @click=${() => this.makeRoom()}
    >
      <svg aria-hidden="true" viewBox="0 0 20 20" width="18" height="18">
        <circle class="all" cx="10" cy="10" r="8" />
        ${svg`<circle cx="10" cy="10" r="8" pathLength="100" stroke-dasharray="${100 * share} 100" />`}
      </svg>
      <span class="share">${contextStrings.share(used, window)}</span>
    </button>
    ${this.#actions.notice}`;
  }

  /** Asks how to continue with fewer messages. */
  makeRoom(): void {
    void this.#actions.run(async () => {
      const { conversation, path } = this.chat;
      if (conversation === null || this.model === undefined) return;
      const { id: model, context_window: window = SMALL_WINDOW } = this.model;
      const { askHowToContinue } = await loadPart(import('./continue-dialog.ts'));
      askHowToContinue({ conversation, path, model, window, tabserve: this.#endpoint.tabserve, store: this.#store() });
    });
  }

  async #count(model: string, key: string): Promise<void> {
    const { settings } = this.chat;
    const said = this.#sent;
    const attachments = this.#files;
    const draft = newQuestion({ text: this.#draft, attachments, conversation: '', parent: null, created: 0 });
    const isEmpty = this.#draft === '' && attachments.length === 0;
    const path = this.model && seesImages(this.model) ? said : this.#told(said);
    try {
      const { tabserve } = this.#endpoint;
      const tokens = isEmpty
        ? await countContext(tabserve, model, path, settings)
        : await countWithDraft(tabserve, model, path, draft, settings);
      if (key === this.#key) this.counted = { model, tokens };
    } catch (error) {
      // The meter then shows the previous count or, without one, the usage of the last answer.
      if (ApiError.from(error).code === 'unsupported_value') uncounted.add(model);
      else console.info('The tokens of this chat could not be counted.', error);
    }
  }

  /** Returns the messages as a model without images receives them; the same array for the same path. */
  #told(path: readonly Message[]): readonly Message[] {
    if (this.#withNames?.path !== path) this.#withNames = { path, told: withNamesOfImages(path) };
    return this.#withNames.told;
  }

  get #draft(): string {
    return drafts.read(this.#place);
  }

  /** Key of the draft and its files: the id of the chat; null for a new chat, undefined for the temporary chat. */
  get #place(): string | null | undefined {
    const { conversation, isTemporary } = this.chat;
    return isTemporary ? undefined : (conversation?.id ?? null);
  }

  /** Files of the draft; images only if the model accepts them. */
  get #files(): readonly Attachment[] {
    const items = unsentFiles.of(this.#place);
    const files = countedAttachments(items, this.model?.context_window ?? SMALL_WINDOW);
    return this.model && seesImages(this.model) ? files : files.filter(({ kind }) => kind === 'text');
  }

  readonly #questionChanged = (): void => this.requestUpdate();

  readonly #typed = (event: Event): void => {
    const path = event.composedPath();
    if (path.some((target) => target instanceof Element && target.localName === 'message-composer'))
      this.requestUpdate();
  };
}
customElements.define('context-meter', ContextMeter);

declare global {
  interface HTMLElementTagNameMap {
    'context-meter': ContextMeter;
  }
}
