import '../theme/web-awesome.ts';
import { html, LitElement } from 'lit';
import type { Tabserve } from '../../page/index.ts';
import { ModelManager } from '../../page/model-manager.ts';
import { showDialog } from '../common/show-dialog.ts';
import { ggufStrings } from '../strings/gguf-strings.ts';
import { controlStyles } from '../theme/control-styles.ts';
import './add-gguf.ts';

/**
 * Adds a GGUF model on any screen.
 * @fires close - the dialog was closed.
 */
class GgufDialog extends LitElement {
  static override properties = { manager: { attribute: false }, files: { attribute: false }, open: { state: true } };
  declare manager: ModelManager;
  declare files: readonly File[];
  declare open: boolean;

  constructor() {
    super();
    this.open = true;
  }

  static override styles = [controlStyles];

  override render() {
    return html`<wa-dialog
      label=${ggufStrings.title}
      ?open=${this.open}
      @wa-after-hide=${({ target, currentTarget }: Event) => target === currentTarget && this.dispatchEvent(new CustomEvent('close'))}
    >
      <add-gguf .manager=${this.manager} .files=${this.files}></add-gguf>
    </wa-dialog>`;
  }
}
customElements.define('gguf-dialog', GgufDialog);

/** @param files Dropped or attached GGUF files; if empty, the user chooses. */
export function openGgufDialog(tabserve: Tabserve, files: readonly File[]): void {
  showDialog(Object.assign(new GgufDialog(), { manager: new ModelManager(tabserve), files }));
}
