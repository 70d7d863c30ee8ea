import { css, html, LitElement, type TemplateResult } from 'lit';
import type { Attachment } from '../storage/conversation.ts';
import { attachmentStrings } from '../strings/attachments.ts';
import { formatBytes } from '../strings/format.ts';
import { controlStyles } from '../theme/control-styles.ts';

/** The files that went with a question; each opens to what the model was given of it. */
export class AttachmentList extends LitElement {
  static override properties = { attachments: { attribute: false } };
  declare attachments: readonly Attachment[];

  constructor() {
    super();
    this.attachments = [];
  }

  static override styles = [
    controlStyles,
    css`
      ul {
        display: flex;
        flex-wrap: wrap;
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
      img {
        display: block;
        max-width: 100%;
        max-height: 20rem;
        padding: var(--space-3);
      }
    `,
  ];

  override render() {
    return html`<ul aria-label=${attachmentStrings.attached}>
      ${this.attachments.map((attachment) => html`<li>${this.#attachment(attachment)}</li>`)}
    </ul>`;
  }

  #attachment(attachment: Attachment): TemplateResult {
    const { name, size } = attachment;
    const shown = attachment.kind === 'image' ? attachmentStrings.image : attachmentStrings.shown[attachment.part];
    return html`<details>
      <summary>
        <span class="name" dir="auto">${name}</span>
        <span class="quiet">${[formatBytes(size), shown].filter(Boolean).join(' · ')}</span>
      </summary>
      ${
        attachment.kind === 'image'
          ? html`<img src=${attachment.url} alt=${name} />`
          : html`<pre dir="auto" tabindex="0" role="region" aria-label=${name}>${attachment.text}</pre>`
      }
    </details>`;
  }
}
customElements.define('attachment-list', AttachmentList);
