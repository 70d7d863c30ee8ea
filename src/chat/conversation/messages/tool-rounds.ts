import { html, LitElement, nothing, type TemplateResult } from 'lit';
import type { RunningAnswer } from '../../answers/running-answer.ts';
import { ActionController } from '../../common/action-controller.ts';
import { fromContext, storeContext } from '../../common/contexts.ts';
import { keepFocus } from '../../common/keep-focus.ts';
import { engineOf, type Answer, type ToolCall, type ToolRound } from '../../types/conversation.ts';
import { toolStrings } from '../../strings/tool-strings.ts';
import { visibleText } from '../../strings/visible-text.ts';
import { controlStyles } from '../../theme/control-styles.ts';
import { argumentsText, outcomeOf, toolName } from '../../tools/tool-call-text.ts';
import type { ToolDecision } from '../../tools/tool-loop.ts';
import { allowAlways, toolConsent } from './tool-consent.ts';
import { toolRoundsStyles } from './tool-rounds-styles.ts';

/** The tool calls before an answer: arguments and result, or the question for the user's consent. */
export class ToolRounds extends LitElement {
  static override properties = { answer: { attribute: false }, running: { attribute: false } };
  declare answer: Answer;
  /** The growing answer if this tab generates it. Only then can the user decide on a call here. */
  declare running: RunningAnswer | undefined;
  readonly #actions = new ActionController(this);
  readonly #store = fromContext(this, storeContext);

  constructor() {
    super();
    keepFocus(this, () => this.renderRoot.querySelector<HTMLElement>('button, summary')?.focus());
  }

  static override styles = [controlStyles, toolRoundsStyles];

  override render() {
    const { rounds = [] } = this.answer;
    return html`<ul aria-label=${toolStrings.calls}>
        ${rounds.map((round) => this.#round(round))}
      </ul>
      ${this.#actions.notice}`;
  }

  #round({ text, calls }: ToolRound): TemplateResult {
    return html`${text.trim() === '' ? nothing : html`<li class="said" dir="auto">${text.trim()}</li>`}
    ${calls.map((call) => html`<li class=${this.#waits(call) ? 'call waiting' : 'call'}>${this.#call(call)}</li>`)}`;
  }

  #call(call: ToolCall): TemplateResult {
    if (this.#waits(call)) {
      return toolConsent(call, this.#engine, this.#details(call), (decision) => {
        void this.#actions.run(() => this.#decide(call, decision));
      });
    }
    return html`<details>
      <summary><strong>${toolName(call)}</strong>&nbsp;·&nbsp;${toolStrings.states[this.#stateOf(call)]}</summary>
      ${this.#details(call)}
    </details>`;
  }

  #details(call: ToolCall): TemplateResult {
    const given = argumentsText(call);
    const { result } = call;
    // The arguments may be a program, in which each character counts; a result may be prose with emoji.
    const shownGiven = visibleText(given, false);
    const shownResult = visibleText(result);
    const isCode = call.name === 'run_javascript' || call.name === 'calculate';
    return html`<dl>
      <dt>${toolStrings.given}</dt>
      <dd>${preformatted(toolStrings.given, shownGiven, isCode ? 'code' : 'prose')}</dd>
      ${
        result === ''
          ? nothing
          : html`<dt>${toolStrings.result}</dt>
            <dd>${preformatted(toolStrings.result, shownResult, 'prose')}</dd>`
      }
    </dl>
    ${shownGiven !== given || shownResult !== result ? html`<p class="hidden-note">${toolStrings.hidden}</p>` : nothing}`;
  }

  get #engine(): string {
    return engineOf(this.running?.answer ?? this.answer);
  }

  /**
   * Returns the state of a call as shown. A call that waits in another tab is `elsewhere`, because only that tab can
   * run it.
   */
  #stateOf(call: ToolCall): keyof typeof toolStrings.states {
    const state = outcomeOf(call, this.answer);
    return state === 'waiting' && this.running === undefined ? 'elsewhere' : state;
  }

  #waits({ outcome }: ToolCall): boolean {
    return outcome === 'waiting' && this.running?.answer.state === 'running' && this.running.tools !== null;
  }

  async #decide(call: ToolCall, decision: ToolDecision): Promise<void> {
    if (decision === 'always') await allowAlways(this.#store(), this.answer.conversation, call.name, this.#engine);
    this.running?.tools?.decide(call, decision);
  }
}
customElements.define('tool-rounds', ToolRounds);

function preformatted(label: string, text: string, kind: 'code' | 'prose'): TemplateResult {
  const direction = kind === 'code' ? 'ltr' : 'auto';
  return html`<pre class=${kind} dir=${direction} tabindex="0" role="group" aria-label=${label}>${text}</pre>`;
}
