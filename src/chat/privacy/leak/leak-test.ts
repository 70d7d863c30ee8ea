import { css, html, LitElement, nothing } from 'lit';
import { ActionController } from '../../common/action-controller.ts';
import { leakStrings } from '../../strings/leak-strings.ts';
import { controlStyles } from '../../theme/control-styles.ts';
import { panelStyles } from '../../theme/panel-styles.ts';
import './leak-table.ts';
import type { LeakVerdict } from './leak-verdict.ts';
import { tryToLeak } from './try-to-leak.ts';

/** The button that tries to send something out of the page, and a table of what the browser stopped. */
export class LeakTest extends LitElement {
  static override properties = { verdicts: { state: true }, trying: { state: true } };
  /** Undefined before the first run. */
  declare verdicts: readonly LeakVerdict[] | undefined;
  declare trying: boolean;
  readonly #action = new ActionController(this);

  constructor() {
    super();
    this.trying = false;
  }

  static override styles = [
    controlStyles,
    panelStyles,
    css`
      p.summary {
        font-weight: 550;
      }
    `,
  ];

  override render() {
    return html`
      <div><button aria-disabled=${this.trying ? 'true' : 'false'} @click=${this.#try}>${leakStrings.action}</button></div>
      ${this.#action.notice}
      <p class="summary" role="status">${this.trying ? leakStrings.trying : this.#summary}</p>
      ${this.verdicts === undefined ? nothing : html`<leak-table .verdicts=${this.verdicts}></leak-table>`}
    `;
  }

  get #summary(): string {
    const { verdicts } = this;
    if (verdicts === undefined) return '';
    const count = (wanted: LeakVerdict['result']) => verdicts.filter(({ result }) => result === wanted).length;
    return leakStrings.summary(count('stopped'), count('absent'), count('open'), count('unseen'));
  }

  readonly #try = (): void => {
    if (this.trying) return;
    this.trying = true;
    void this.#action.run(async () => (this.verdicts = await tryToLeak())).finally(() => (this.trying = false));
  };
}
customElements.define('leak-test', LeakTest);
