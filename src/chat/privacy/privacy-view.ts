import { html, LitElement } from 'lit';
import type { Tabserve } from '../../page/index.ts';

export class PrivacyView extends LitElement {
  static override properties = { tabserve: { attribute: false } };
  declare tabserve: Tabserve;

  override render() {
    return html`<h1>privacy</h1>`;
  }
}
customElements.define('privacy-view', PrivacyView);
