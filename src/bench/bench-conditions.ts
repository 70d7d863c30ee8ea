import { css, html, LitElement, nothing } from 'lit';
import { factStyles } from '../chat/common/facts.ts';
import { processorName } from '../chat/common/processor-name.ts';
import { benchStrings as strings } from '../chat/strings/bench-strings.ts';
import { formatDateTime, formatMilliseconds } from '../chat/strings/format.ts';
import { controlStyles } from '../chat/theme/control-styles.ts';
import type { BenchReport } from './bench-report.ts';
import type { SideName } from '../chat/types/bench-rows.ts';

/** Renders where and how a run was measured. */
export class BenchConditions extends LitElement {
  static override properties = { report: { attribute: false } };
  declare report: BenchReport | null;

  constructor() {
    super();
    this.report = null;
  }

  static override styles = [
    controlStyles,
    factStyles,
    css`
      :host {
        display: block;
      }
      dl {
        display: grid;
        grid-template-columns: max-content minmax(0, 1fr);
        gap: var(--space-1) var(--space-4);
      }
      @container (max-width: 34rem) {
        dl {
          grid-template-columns: minmax(0, 1fr);
        }
        dd {
          margin-bottom: var(--space-2);
        }
      }
    `,
  ];

  override render() {
    const { report } = this;
    if (report === null) return nothing;
    return html`<dl>
      ${factsOf(report).map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}
    </dl>`;
  }
}
customElements.define('bench-conditions', BenchConditions);

function factsOf({ model, machine, conditions, ...run }: BenchReport): [name: string, value: string][] {
  const { facts } = strings;
  const warmUp = Object.entries(run.warmUp) as [SideName, number][];
  return [
    [facts.model, strings.modelFacts(model.id, model.bytes)],
    [
      facts.machine,
      strings.machineFacts(
        machine.processors,
        machine.gpu === null ? null : processorName(machine.gpu),
        machine.shaderF16,
      ),
    ],
    [facts.browser, machine.browser],
    [facts.place, run.place],
    [facts.read, formatMilliseconds(model.readTime)],
    [facts.warmUp, warmUp.map(([side, time]) => `${strings.sides[side]} ${formatMilliseconds(time)}`).join('; ')],
    ...run.leftOut.map(({ side, reason }): [string, string] => [facts.leftOut, `${strings.sides[side]}: ${reason}`]),
    [facts.visible, conditions.hidden < 1 ? strings.alwaysVisible : strings.hiddenFor(conditions.hidden)],
    [facts.power, [...new Set(conditions.charging.map(powerOf))].join(', ')],
    [facts.rounds, strings.roundsRun(run.rounds, run.complete)],
    [facts.date, formatDateTime(Date.parse(run.date))],
  ];
}

function powerOf(charging: boolean | null): string {
  return charging === null ? strings.powerUnknown : charging ? strings.charging : strings.onBattery;
}
