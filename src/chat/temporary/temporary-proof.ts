import { css, html, LitElement, type TemplateResult } from 'lit';
import { ActionController } from '../common/action-controller.ts';
import { temporaryStrings } from '../strings/temporary-strings.ts';
import { countStorage, differences, type StorageCount } from './count-storage.ts';
import { temporarySession } from './temporary-session.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { panelStyles } from '../theme/panel-styles.ts';

/**
 * The evidence that this tab's temporary chat stored nothing: the number of entries in every storage, before it and
 * now.
 */
export class TemporaryProof extends LitElement {
  static override properties = { counts: { state: true } };
  /** Null without a temporary chat, undefined until everything is counted. */
  declare counts:
    | { readonly before: readonly StorageCount[]; readonly now: readonly StorageCount[] }
    | null
    | undefined;
  readonly #actions = new ActionController(this);

  static override styles = [
    controlStyles,
    panelStyles,
    css`
      table {
        width: 100%;
        border-collapse: collapse;
        font-size: var(--text-small);
      }
      th,
      td {
        padding: var(--space-1) var(--space-2);
        border-top: 1px solid var(--color-line);
        text-align: start;
        overflow-wrap: anywhere;
      }
      th[scope='row'] {
        font-weight: 400;
      }
      td {
        font-variant-numeric: tabular-nums;
      }
      .differs {
        font-weight: 650;
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#actions.run(() => this.#count());
  }

  override render() {
    const { counts } = this;
    return html`<p class="small quiet">${temporaryStrings.proofNote}</p>
      <p role="status">${this.#verdict()}</p>
      ${this.#actions.notice} ${counts ? this.#table(counts.before, counts.now) : ''}`;
  }

  #verdict(): string {
    if (this.counts === undefined) return this.#actions.problem === '' ? temporaryStrings.counting : '';
    if (this.counts === null) return temporaryStrings.proofNone;
    const { before, now } = this.counts;
    const changed = differences(before, now).length;
    if (changed > 0) return temporaryStrings.changed(changed);
    return temporaryStrings.same(now.reduce((sum, { entries }) => sum + entries, 0));
  }

  #table(before: readonly StorageCount[], now: readonly StorageCount[]): TemplateResult {
    const changed = differences(before, now);
    const places = [...new Set([...before, ...now].map(({ place }) => place))];
    return html`<table>
      <thead>
        <tr>
          <th scope="col">${temporaryStrings.place}</th>
          <th scope="col">${temporaryStrings.before}</th>
          <th scope="col">${temporaryStrings.now}</th>
        </tr>
      </thead>
      <tbody>
        ${places.map(
          (place) => html`<tr class=${changed.includes(place) ? 'differs' : ''}>
            <th scope="row"><code>${place}</code></th>
            <td>${entriesOf(before, place)}</td>
            <td>${entriesOf(now, place)}</td>
          </tr>`,
        )}
      </tbody>
    </table>`;
  }

  async #count(): Promise<void> {
    const session = temporarySession();
    this.counts = session === null ? null : { before: await session.before, now: await countStorage() };
  }
}
customElements.define('temporary-proof', TemporaryProof);

function entriesOf(counts: readonly StorageCount[], place: string): number {
  return counts.find((count) => count.place === place)?.entries ?? 0;
}
