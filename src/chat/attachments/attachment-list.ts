import { css, html, LitElement, type TemplateResult } from 'lit';
import { ActionController } from '../common/action-controller.ts';
import { separated, separatedStyles } from '../common/separated.ts';
import { loadPart } from '../browser/load-part.ts';
import type { Attachment } from '../types/conversation.ts';
import { attachmentStrings } from '../strings/attachment-strings.ts';
import { formatBytes } from '../strings/format.ts';
import { controlStyles } from '../theme/control-styles.ts';

/** The attachments of a question. A text expands to what the model received; an image opens in a dialog. */
export class AttachmentList extends LitElement {
  static override properties = { attachments: { attribute: false } };
  declare attachments: readonly Attachment[];
  readonly #actions = new ActionController(this);

  constructor() {
    super();
    this.attachments = [];
  }

  static override styles = [
    controlStyles,
    separatedStyles,
    css`
      ul {
        display: flex;
        flex-wrap: wrap;
        align-items: flex-end;
        gap: var(--space-2);
        margin: 0 0 var(--space-2);
        padding: 0;
        list-style: none;
      }
      li {
        max-width: 100%;
      }
      details {
        border: 1px solid var(--color-line);
        border-radius: var(--radius-normal);
        background: var(--color-sunken);
        font-size: var(--text-small);
      }
      summary {
        padding: var(--space-2) var(--space-3);
        overflow-wrap: anywhere;
        cursor: pointer;
      }
      .name {
        font-weight: 550;
      }
      pre {
        max-height: 20rem;
        margin: 0;
        padding: var(--space-3);
        overflow: auto;
        border-top: 1px solid var(--color-line);
        white-space: pre-wrap;
        overflow-wrap: anywhere;
      }
      .image {
        display: grid;
        grid-template-columns: minmax(0, auto);
        justify-items: start;
        gap: var(--space-2);
        max-width: 100%;
        padding: var(--space-2);
        border-color: var(--color-line);
        background: var(--color-sunken);
        font-size: var(--text-small);
        font-weight: inherit;
        text-align: start;
        cursor: zoom-in;
      }
      .image span {
        max-width: 100%;
        overflow-wrap: anywhere;
      }
      img {
        display: block;
        min-width: 3rem;
        max-width: min(16rem, 100%);
        max-height: 10rem;
        border-radius: var(--radius-small);
        object-fit: contain;
      }
    `,
  ];

  override render() {
    return html`<ul aria-label=${attachmentStrings.attached}>
      ${this.attachments.map((attachment) => html`<li>${this.#attachment(attachment)}</li>`)}
    </ul>
    ${this.#actions.notice}`;
  }

  #attachment(attachment: Attachment): TemplateResult {
    const { name, size } = attachment;
    if (attachment.kind === 'image') {
      const facts = [formatBytes(size), attachmentStrings.image];
      return html`<button
        class="image"
        aria-haspopup="dialog"
        aria-label=${[attachmentStrings.enlarge(name), ...facts].join(' · ')}
        title=${attachmentStrings.enlarge(name)}
        @click=${() => this.#enlarge(attachment)}
      >
        <img src=${attachment.url} alt="" />
        <span><span class="name" dir="auto">${name}</span> <span class="quiet">${separated(facts)}</span></span>
      </button>`;
    }
    return html`<details>
      <summary>
        <span class="name" dir="auto">${name}</span>
        <span class="quiet">${separated([formatBytes(size), attachmentStrings.shown[attachment.part]].filter(Boolean))}</span>
      </summary>
      <pre dir="auto" tabindex="0" role="region" aria-label=${name}>${attachment.text}</pre>
    </details>`;
  }

  #enlarge(image: { readonly name: string; readonly url: string }): void {
    void this.#actions.run(async () => {
      const { showImage } = await loadPart(import('./image-dialog.ts'));
      showImage(image);
    });
  }
}
customElements.define('attachment-list', AttachmentList);
