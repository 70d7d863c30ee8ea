import '../../theme/web-awesome.ts';
import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { ApiError } from '../../../shared/api-error.ts';
import { readFileBytes, readFileText } from '../../api/collections.ts';
import { showDialog } from '../../common/show-dialog.ts';
import { sourceStrings } from '../../strings/source-strings.ts';
import { errorInPageLanguage } from '../../strings/engine-sentences.ts';
import type { Source } from '../../types/conversation.ts';
import { controlStyles } from '../../theme/control-styles.ts';
import { icon } from '../../theme/icons.ts';
import { saveFile } from '../../transfer/save-file.ts';
import { locatePassage, type LocatedPassage } from './locate-passage.ts';

/**
 * Shows a passage in the text of its file, highlighted, and saves the file. If it is gone or has changed, shows the passage alone.
 * @fires close - the dialog was closed.
 */
export class PassageDialog extends LitElement {
  static override properties = {
    source: { attribute: false },
    collection: {},
    place: { state: true },
    note: { state: true },
    isThere: { state: true },
  };
  declare source: Source;
  /** Id of the collection. */
  declare collection: string;
  /** Where the passage is; null until it is known, and if it is nowhere. */
  declare place: LocatedPassage | null;
  /** What is done or has failed; empty if the passage is shown in its place. */
  declare note: string;
  /** Whether the collection has the file. */
  declare isThere: boolean;
  readonly #life = new AbortController();

  constructor() {
    super();
    this.collection = '';
    this.place = null;
    this.note = sourceStrings.opening;
    this.isThere = false;
  }

  static override styles = [
    controlStyles,
    css`
      wa-dialog {
        --width: min(44rem, calc(100vw - 2 * var(--space-3)));
      }
      wa-dialog::part(title) {
        overflow-wrap: anywhere;
      }
      .note,
      .heading {
        margin: 0 0 var(--space-3);
        color: var(--color-text-quiet);
        font-size: var(--text-small);
        white-space: pre-line;
      }
      .text {
        max-height: 60dvh;
        margin: 0;
        padding: var(--space-3);
        overflow: auto;
        border: 1px solid var(--color-line);
        border-radius: var(--radius-normal);
        background: var(--color-sunken);
        white-space: pre-wrap;
        overflow-wrap: anywhere;
      }
      .page {
        display: block;
        color: var(--color-text-quiet);
        font-size: var(--text-small);
      }
      .page:not(:first-child) {
        margin-top: var(--space-3);
        padding-top: var(--space-2);
        border-top: 1px solid var(--color-line);
      }
      mark {
        padding-block: 0.1em;
        border-radius: 2px;
        background: var(--color-accent-soft);
        color: var(--color-on-accent-soft);
        box-decoration-break: clone;
      }
      @media (forced-colors: active) {
        mark {
          background: Mark;
          color: MarkText;
        }
      }
    `,
  ];

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#life.abort();
  }

  protected override firstUpdated(): void {
    void this.#open();
  }

  /** Scrolls to the passage once it is shown in its place. */
  protected override updated(changes: PropertyValues<this>): void {
    if (!changes.has('place') || this.place === null) return;
    const mark = this.renderRoot.querySelector('mark');
    const frame = this.renderRoot.querySelector<HTMLElement>('.text');
    if (mark !== null && frame !== null) frame.scrollTop = mark.offsetTop - frame.offsetTop - frame.clientHeight / 4;
  }

  override render() {
    const { name, text } = this.source;
    const { place, note } = this;
    const page = place === null ? null : pageOf(place);
    const above = [
      ...(page === null ? [] : [sourceStrings.page(page)]),
      ...(place === null || place.heading === '' ? [] : [place.heading]),
    ];
    return html`<wa-dialog
      label=${name}
      light-dismiss
      open
      @wa-after-hide=${() => this.dispatchEvent(new CustomEvent('close'))}
    >
      ${note === '' ? nothing : html`<p class="note" role="status">${note}</p>`}
      ${above.length === 0 ? nothing : html`<p class="heading" dir="auto">${above.join('\n')}</p>`}
      <div class="text" dir="auto" tabindex="0" role="region" aria-label=${sourceStrings.passage}>${place === null ? text : passageInPlace(place)}</div>
      ${this.isThere ? html`<button slot="footer" @click=${this.#save}>${icon('download')}${sourceStrings.save}</button>` : nothing}
    </wa-dialog>`;
  }

  async #open(): Promise<void> {
    const { signal } = this.#life;
    try {
      const text = await readFileText(this.collection, this.source.file, signal);
      this.isThere = true;
      this.place = locatePassage(text, this.source.text);
      this.note = this.place === null ? sourceStrings.moved : '';
    } catch (error) {
      if (signal.aborted) return;
      const isGone = error instanceof ApiError && error.status === 404;
      this.note = isGone ? sourceStrings.gone : errorInPageLanguage(error);
    }
  }

  /** Saves the file, or its text if only that is kept. Never opens it: as a page of this site it could do all that this page can. */
  readonly #save = async (): Promise<void> => {
    const { signal } = this.#life;
    try {
      const { filename, content } = await readFileBytes(this.source.file, signal);
      saveFile(filename, 'application/octet-stream', content);
    } catch (error) {
      if (!signal.aborted) this.note = errorInPageLanguage(error);
    }
  };
}
customElements.define('passage-dialog', PassageDialog);

function passageInPlace({
  before,
  passage,
  after,
  isCutBefore,
  isCutAfter,
  firstPage,
}: LocatedPassage): TemplateResult {
  let page = firstPage;
  const withPages = (text: string): unknown => {
    if (page === null) return text;
    const [first, ...pages] = text.split('\f');
    return [first, ...pages.map((own) => [pageLine((page = page! + 1)), own])];
  };
  // On one line, because white space is shown as it is.
  return html`${page === null ? nothing : pageLine(page)}${isCutBefore ? `${sourceStrings.leftOut}\n` : nothing}${withPages(before)}<mark>${withPages(passage)}</mark>${withPages(after)}${isCutAfter ? `\n${sourceStrings.leftOut}` : nothing}`;
}

/** Renders where a page begins. */
function pageLine(page: number): TemplateResult {
  return html`<span class="page">${sourceStrings.page(page)}</span>`;
}

/** The number of the page on which a passage begins; null if the text has no pages. */
function pageOf({ before, firstPage }: LocatedPassage): number | null {
  return firstPage === null ? null : firstPage + before.split('\f').length - 1;
}

/** Opens the dialog. Closing it restores the focus. */
export function showPassage(source: Source, collection: string): void {
  showDialog(Object.assign(new PassageDialog(), { source, collection }));
}

declare global {
  interface HTMLElementTagNameMap {
    'passage-dialog': PassageDialog;
  }
}
