import '../theme/web-awesome.ts';
import { css, html, LitElement } from 'lit';
import { showDialog } from '../common/show-dialog.ts';
import { attachmentStrings } from '../strings/attachment-strings.ts';

/**
 * Shows an image as large as the window.
 * @fires close - the dialog was closed.
 */
export class ImageDialog extends LitElement {
  static override properties = { name: {}, url: {} };
  declare name: string;
  /** A `data:` URL. */
  declare url: string;

  constructor() {
    super();
    this.name = '';
    this.url = '';
  }

  static override styles = css`
    wa-dialog {
      --width: fit-content;
    }
    wa-dialog::part(title) {
      overflow-wrap: anywhere;
    }
    img {
      display: block;
      min-width: min(16rem, 100%);
      max-width: 100%;
      max-height: 75dvh;
      margin-inline: auto;
      object-fit: contain;
    }
  `;

  override render() {
    return html`<wa-dialog
      label=${this.name}
      light-dismiss
      open
      @wa-after-hide=${() => this.dispatchEvent(new CustomEvent('close'))}
    >
      <img src=${this.url} alt=${attachmentStrings.described(this.name)} />
    </wa-dialog>`;
  }
}
customElements.define('image-dialog', ImageDialog);

/** Opens the dialog. Closing it restores the focus. */
export function showImage(image: { readonly name: string; readonly url: string }): void {
  showDialog(Object.assign(new ImageDialog(), { name: image.name, url: image.url }));
}

declare global {
  interface HTMLElementTagNameMap {
    'image-dialog': ImageDialog;
  }
}
