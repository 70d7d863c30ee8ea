import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { unsentFiles } from '../../attachments/unsent-files.ts';
import { untilKept } from '../../attachments/until-kept.ts';
import { loadPart } from '../../browser/load-part.ts';
import { ActionController } from '../../common/action-controller.ts';
import { adoptTab, closedTabs, forgetTab, type ClosedTab } from '../../storage/drafts/closed-tabs.ts';
import { thisTab } from '../../storage/drafts/store-drafts.ts';
import type { AskedQuestion } from '../../types/conversation.ts';
import { queueStrings } from '../../strings/queue-strings.ts';
import { controlStyles } from '../../theme/control-styles.ts';
import { iconButton } from '../../theme/icons.ts';
import { keepFocusNear } from './keep-focus-near.ts';
import { questionListStyles } from './question-list-styles.ts';

/**
 * What closed tabs left in the fields of new chats, except what this tab has taken over. Each text can be put into the
 * field or deleted.
 */
export class ClosedTabDrafts extends LitElement {
  static override properties = { putBack: { attribute: false }, tabs: { state: true } };
  /** Puts a text into the field. Resolves when it is stored there or cannot be. */
  declare putBack: (asked: AskedQuestion) => Promise<void>;
  /** Null until it is known; the element then finds out. */
  declare tabs: readonly ClosedTab[] | null;
  readonly #actions = new ActionController(this);

  constructor() {
    super();
    keepFocusNear(this);
    this.tabs = null;
  }

  static override styles = [controlStyles, questionListStyles];

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.tabs === null) void this.#find();
  }

  override render(): TemplateResult | typeof nothing {
    if (!this.tabs?.length) return this.#actions.notice;
    return html`<ul aria-label=${queueStrings.closedTabs} title=${queueStrings.closedTabs}>
      ${this.tabs.map(
        (tab) => html`<li>
          <span class="text" dir="auto" title=${tab.text}>${tab.text}</span>
          ${tab.files === 0 ? nothing : html`<span class="files">${queueStrings.files(tab.files)}</span>`}
          ${iconButton('pencil', queueStrings.edit, ({ detail }) => detail < 2 && this.#actions.run(() => this.#use(tab)))}
          ${iconButton('close', queueStrings.delete, ({ detail }) => detail < 2 && this.#actions.run(() => this.#forget(tab)))}
        </li>`,
      )}
    </ul>
    ${this.#actions.notice}`;
  }

  async #find(): Promise<void> {
    try {
      // A new tab first takes over the draft of a closed one.
      await thisTab();
      this.tabs = await closedTabs();
    } catch (error) {
      console.info('The drafts of closed tabs cannot be read.', error);
    }
  }

  async #use({ tab, text, files }: ClosedTab): Promise<void> {
    this.#leaveOut(tab);
    // The text leaves the closed tab only when it is stored here.
    await this.putBack({ text });
    await untilKept(null);
    await adoptTab(tab, await thisTab());
    if (files === 0) return;
    await loadPart(import('../../attachments/attachment-tray.ts'));
    await unsentFiles.open(null);
  }

  async #forget({ tab }: ClosedTab): Promise<void> {
    this.#leaveOut(tab);
    await forgetTab(tab);
  }

  #leaveOut(tab: string): void {
    this.tabs = this.tabs?.filter((other) => other.tab !== tab) ?? null;
  }
}
customElements.define('closed-tab-drafts', ClosedTabDrafts);

declare global {
  interface HTMLElementTagNameMap {
    'closed-tab-drafts': ClosedTabDrafts;
  }
}
