import { html, LitElement } from 'lit';
import { fromContext, storeContext } from '../common/contexts.ts';
import { appStrings } from '../strings/app-strings.ts';
import { controlStyles } from '../theme/control-styles.ts';

/** Reloads the page. Asks before if a chat is in memory only. */
export class ReloadButton extends LitElement {
  static override styles = controlStyles;
  readonly #store = fromContext(this, storeContext);

  override render() {
    return html`<button @click=${this.#reload}>${appStrings.reload}</button>`;
  }

  async #reload(): Promise<void> {
    // If it cannot be loaded, this page has no temporary chat either.
    const session = await import('../temporary/temporary-session.ts').catch(() => null);
    if ((await session?.mayReload(this.#store())) ?? true) location.reload();
  }
}
customElements.define('reload-button', ReloadButton);
