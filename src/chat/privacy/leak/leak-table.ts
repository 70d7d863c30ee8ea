import { css, html, LitElement } from 'lit';
import { leakStrings } from '../../strings/leak-strings.ts';
import { controlStyles } from '../../theme/control-styles.ts';
import { panelStyles } from '../../theme/panel-styles.ts';
import type { LeakVerdict } from './leak-verdict.ts';

/** Open ways come first, because they matter most. */
const ORDER = ['open', 'unseen', 'stopped', 'absent'] as const;

/** The verdicts about all ways out of the page. */
export class LeakTable extends LitElement {
  static override properties = { verdicts: { attribute: false } };
  declare verdicts: readonly LeakVerdict[];

  constructor() {
    super();
    this.verdicts = [];
  }

  static override styles = [
    controlStyles,
    panelStyles,
    css`
      .scrolled {
        overflow-x: auto;
      }
      table {
        width: 100%;
        border-collapse: collapse;
        font-size: var(--text-small);
        text-align: start;
      }
      :is(th, td) {
        padding: var(--space-2) var(--space-4) var(--space-2) 0;
        border-top: 1px solid var(--color-line);
        font-weight: 400;
        text-align: start;
        vertical-align: top;
        overflow-wrap: anywhere;
      }
      thead th,
      .open {
        font-weight: 550;
      }
      :is(th, td):not(:last-child) {
        min-width: 7rem;
      }
      td:last-child {
        min-width: 14rem;
      }
    `,
  ];

  override render() {
    const { columns, ways, results, bases } = leakStrings;
    return html`<div class="scrolled" tabindex="0" role="group" aria-label=${leakStrings.title}>
      <table>
        <thead>
          <tr>
            ${[columns.way, columns.result, columns.basis].map((column) => html`<th scope="col">${column}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${ORDER.flatMap((result) => this.verdicts.filter((verdict) => verdict.result === result)).map(
            ({ way, result, basis, detail }) => html`<tr>
              <th scope="row">${ways[way]}</th>
              <td class=${result}>${results[result]}</td>
              <td>${bases[basis](detail)}</td>
            </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }
}
customElements.define('leak-table', LeakTable);
