import { html, LitElement } from 'lit';
import type { Tabserve } from '../../page/index.ts';

export class DevelopersView extends LitElement {
  static override properties = { tabserve: { attribute: false } };
  declare tabserve: Tabserve;

  override render() {
    return html`<h1>developers</h1>`;
  }
}
customElements.define('developers-view', DevelopersView);
