import { css, html, LitElement, nothing } from 'lit';
import { controlStyles } from '../../src/chat/theme/control-styles.ts';
import { findSpecimens, pagesOf, TABLES } from './specimens.ts';

const SWITCHES = {
  scheme: { '': 'as the system', light: 'light', dark: 'dark' },
  direction: { '': 'left to right', rtl: 'right to left' },
  language: { '': 'English', de: 'German' },
  width: { '': 'all there is', '320px': '320 pixels', '390px': '390 pixels', '768px': '768 pixels' },
} as const;

/**
 * Lists all specimens (sample states of elements) and shows the chosen one in a frame. The hash names it:
 * `#answer-message/streaming`.
 */
export class GalleryIndex extends LitElement {
  static override properties = { chosen: { state: true }, switches: { state: true } };
  declare chosen: string;
  declare switches: Readonly<Record<keyof typeof SWITCHES, string>>;

  constructor() {
    super();
    this.chosen = location.hash.slice(1);
    this.switches = { scheme: '', direction: '', language: '', width: '' };
    addEventListener('hashchange', () => (this.chosen = location.hash.slice(1)));
  }

  static override styles = [
    controlStyles,
    css`
      :host {
        display: grid;
        grid-template-columns: var(--sidebar-width) minmax(0, 1fr);
        height: 100dvh;
      }
      nav {
        overflow: auto;
        padding: var(--space-4);
        border-inline-end: 1px solid var(--color-line);
        background: var(--color-sunken);
        font-size: var(--text-small);
      }
      h1,
      h2,
      h3 {
        margin: var(--space-3) 0 0;
        font-size: 1rem;
      }
      ul {
        margin: 0;
        padding: 0;
        list-style: none;
      }
      [aria-current] {
        font-weight: 700;
      }
      main {
        display: flex;
        flex-direction: column;
        min-width: 0;
      }
      form {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: var(--space-2) var(--space-4);
        padding: var(--space-2) var(--space-4);
        border-bottom: 1px solid var(--color-line);
      }
      select {
        width: auto;
      }
      iframe {
        flex: 1;
        width: 100%;
        margin-inline: auto;
        border: 0;
        border-inline: 1px solid var(--color-line);
      }
    `,
  ];

  override render() {
    return html`
      <nav aria-label="Specimens">
        <h1>Gallery</h1>
        ${Object.entries(TABLES).map(
          ([table, elements]) => html`<section aria-labelledby=${table} data-pages=${pagesOf(elements).join(' ')}>
            <h2 id=${table}>${table}</h2>
            ${Object.entries(elements).map(
              ([
                element,
                states,
              ]) => html`<h3>${findSpecimens(element).length === 0 ? element : this.#link(element)}</h3>
                <ul>
                  ${Object.keys(states).map((state) => html`<li>${this.#link(`${element}/${state}`)}</li>`)}
                </ul>`,
            )}
          </section>`,
        )}
      </nav>
      <main>${this.chosen === '' ? nothing : this.#frame()}</main>
    `;
  }

  #link(name: string) {
    return html`<a href="#${name}" aria-current=${name === this.chosen ? 'page' : nothing}>${name.split('/').at(-1)}</a>`;
  }

  #frame() {
    const { width, ...address } = this.switches;
    const chosen = Object.entries(address).filter(([, value]) => value !== '');
    const source = `/specimen.html?${new URLSearchParams([['specimen', this.chosen], ...chosen])}`;
    return html`<form>
        ${Object.entries(SWITCHES).map(
          ([name, values]) => html`<label>${name}
            <select name=${name} @change=${this.#switch}>
              ${Object.entries(values).map(([value, words]) => html`<option value=${value}>${words}</option>`)}
            </select>
          </label>`,
        )}
        <a href=${source} target="_blank">alone on its page</a>
      </form>
      <iframe title=${this.chosen} src=${source} style="width:${width === '' ? '100%' : width}"></iframe>`;
  }

  #switch({ target }: Event): void {
    if (target instanceof HTMLSelectElement) this.switches = { ...this.switches, [target.name]: target.value };
  }
}
customElements.define('gallery-index', GalleryIndex);
