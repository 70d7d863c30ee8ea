import { css, html, LitElement, nothing } from 'lit';
import { endpointAddress, LOCAL_KEY } from '../api/request-endpoint.ts';
import '../common/copy-button.ts';
import { TabserveController } from '../common/tabserve-controller.ts';
import { developerStrings } from '../strings/developer-strings.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { panelStyles } from '../theme/panel-styles.ts';
import { viewStyles } from '../theme/view-styles.ts';
import './key-manager.ts';
import './request-log-list.ts';
import './snippet-runner.ts';

/** Address of the benchmark page. */
const BENCH = 'bench/';
/** The build writes this file into the page's folder. */
const NOTICES = 'third-party-notices.txt';

/** How to call the model from code: address, keys, runnable examples, request log. */
export class DevelopersView extends LitElement {
  static override properties = { apiKey: { state: true } };
  declare apiKey: string;

  readonly #endpoint = new TabserveController(this);

  constructor() {
    super();
    this.apiKey = LOCAL_KEY;
  }

  static override styles = [
    controlStyles,
    panelStyles,
    viewStyles,
    css`
      .address {
        padding-block: var(--space-2);
      }
      .address code {
        font-size: 1rem;
        overflow-wrap: anywhere;
      }
    `,
  ];

  override render() {
    const { status } = this.#endpoint;
    const baseUrl = new URL(endpointAddress(''), document.baseURI).href.replace(/\/$/, '');
    return html`
      <header>
        <h1>${developerStrings.title}</h1>
        <p>${developerStrings.introduction}</p>
      </header>
      <section aria-labelledby="address">
        <h2 id="address">${developerStrings.baseUrl}</h2>
        <div class="card row address">
          <code class="grow">${baseUrl}</code>
          <copy-button .text=${baseUrl} label=${developerStrings.copyBaseUrl}></copy-button>
        </div>
        <p class="small quiet">${developerStrings.routes} ${developerStrings.baseUrlNote}</p>
      </section>
      <section aria-labelledby="try">
        <h2 id="try">${developerStrings.try}</h2>
        <snippet-runner .baseUrl=${baseUrl} .apiKey=${this.apiKey}></snippet-runner>
      </section>
      <section aria-labelledby="keys">
        <h2 id="keys">${developerStrings.keys}</h2>
        <key-manager @key-made=${({ detail }: CustomEvent<string>) => (this.apiKey = detail)}></key-manager>
      </section>
      <section aria-labelledby="log">
        <h2 id="log">${developerStrings.log}</h2>
        ${
          status.state === 'ready'
            ? html`<p class="small quiet">${developerStrings.promptCache(status.promptCache)}</p>
                <p class="small quiet">${developerStrings.extensions(status.extensions)}</p>`
            : nothing
        }
        <request-log-list></request-log-list>
      </section>
      <section>
        <p class="small"><a href=${BENCH}>${developerStrings.bench}</a></p>
        <p class="small"><a href=${NOTICES} target="_blank">${developerStrings.notices}</a></p>
      </section>
    `;
  }
}
customElements.define('developers-view', DevelopersView);
