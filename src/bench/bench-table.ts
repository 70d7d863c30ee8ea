import { css, html, LitElement, nothing } from 'lit';
import { benchStrings as strings } from '../chat/strings/bench-strings.ts';
import { controlStyles } from '../chat/theme/control-styles.ts';
import type { BenchReport, Result } from './bench-report.ts';
import { ROW_NAMES, type RowName, type SideName } from '../chat/types/bench-rows.ts';
import type { Summary } from './statistics.ts';

/** Renders the results of a run as a table: a row for each measurement, with a bar and a number for each side. */
export class BenchTable extends LitElement {
  static override properties = { report: { attribute: false } };
  declare report: BenchReport | null;

  constructor() {
    super();
    this.report = null;
  }

  static override styles = [
    controlStyles,
    css`
      :host {
        display: block;
      }
      table {
        width: 100%;
        border-collapse: collapse;
        font-variant-numeric: tabular-nums;
      }
      caption {
        margin-bottom: var(--space-3);
        color: var(--color-text-quiet);
        font-size: var(--text-small);
        text-align: start;
      }
      tbody {
        border-top: 1px solid var(--color-line);
      }
      tbody > tr:first-child > * {
        padding-top: var(--space-3);
      }
      tbody > tr:last-child > * {
        padding-bottom: var(--space-3);
      }
      th {
        font-weight: 600;
        text-align: start;
      }
      th[scope='row'] {
        width: 11rem;
        padding-inline-end: var(--space-3);
        font-size: var(--text-small);
        font-weight: 400;
        vertical-align: top;
      }
      td {
        padding-block: var(--space-1);
      }
      .bar {
        height: 0.6rem;
        min-width: 2px;
        margin-bottom: 0.2rem;
        border-radius: var(--radius-small);
        background: var(--color-line-strong);
      }
      .endpoint .bar {
        background: var(--color-accent);
      }
      .figure {
        display: flex;
        flex-wrap: wrap;
        gap: 0 var(--space-3);
        align-items: baseline;
      }
      tr:not(:has(.bar)) > * {
        vertical-align: baseline;
      }
      @container (max-width: 34rem) {
        th[scope='row'],
        td {
          display: block;
          width: auto;
        }
        tbody > tr > th[scope='row'] {
          padding-block: 0;
        }
        td {
          padding-top: 0;
        }
      }
      @media (forced-colors: active) {
        .bar {
          background: CanvasText;
        }
      }
    `,
  ];

  override render() {
    const { report } = this;
    if (report === null) return nothing;
    const rows = ROW_NAMES.filter((row) => [...report.results, ...report.missing].some((entry) => entry.row === row));
    return html`<table>
      <caption>
        ${strings.legend}
      </caption>
      ${rows.map(
        (row) =>
          html`<tbody>
            <tr>
              <th colspan="2" scope="rowgroup">${strings.rows[row]}</th>
            </tr>
            ${report.sides.map((side) => this.#side(report, row, side))}
          </tbody>`,
      )}
    </table>`;
  }

  #side({ results, missing }: BenchReport, row: RowName, side: SideName) {
    const ofRow = results.filter((result) => result.row === row);
    const result = ofRow.find((result) => result.side === side);
    const reason = missing.find((entry) => entry.row === row && entry.side === side)?.reason;
    if (result === undefined && reason === undefined) return nothing;
    const longest = Math.max(...ofRow.map(({ median }) => median));
    return html`<tr class=${side === 'endpoint' ? 'endpoint' : ''}>
      <th scope="row">${strings.sides[side]}</th>
      <td>${result === undefined ? html`<span class="quiet small">${reason}</span>` : figure(result, longest)}</td>
    </tr>`;
  }
}
customElements.define('bench-table', BenchTable);

function figure(result: Result, longest: number) {
  const { median, count, unit, endpointBeside } = result;
  const width = Math.max(0, Math.min(100, (100 * median) / longest));
  return html`<div class="bar" style="width: ${width}%"></div>
    <div class="figure">
      <b>${strings.figures[unit](median)}</b>
      ${count > 1 ? html`<span class="quiet small">${middleHalf(result, strings.figures[unit])}</span>` : nothing}
      ${
        endpointBeside === null
          ? nothing
          : html`<span class="quiet small"
              >${strings.beside(strings.ratio(endpointBeside.median))}
              ${count > 1 ? `(${middleHalf(endpointBeside, strings.ratio)})` : nothing}</span
            >`
      }
    </div>`;
}

function middleHalf({ lowerQuartile, upperQuartile }: Summary, format: (value: number) => string): string {
  return strings.middleHalf(format(lowerQuartile), format(upperQuartile));
}
