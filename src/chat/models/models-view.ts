import { html, LitElement } from 'lit';
import type { Tabserve } from '../../page/index.ts';

export class ModelsView extends LitElement {
  static override properties = { tabserve: { attribute: false } };
  declare tabserve: Tabserve;

  override render() {
    return html`<h1>models</h1>`;
  }
}
customElements.define('models-view', ModelsView);
