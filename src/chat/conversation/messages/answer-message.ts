import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { ListedModel } from '../../api/list-models.ts';
import type { RunningAnswer } from '../../answers/running-answer.ts';
import { conversationStrings } from '../../strings/conversation.ts';
import { messageStrings } from '../../strings/messages.ts';
import { ActionController } from '../../common/action-controller.ts';
import { loadInBackground, loadPart } from '../../browser/load-part.ts';
import { listsDiffer } from '../../storage/lists-differ.ts';
import { modelName } from '../../common/model-name.ts';
import { madeWhere } from '../../strings/upstreams.ts';
import '../../markdown/markdown-text.ts';
import type { Answer, Message } from '../../types/conversation.ts';
import { controlStyles } from '../../theme/control-styles.ts';
import { icon } from '../../theme/icons.ts';
import { answerMessageStyles } from './answer-message-styles.ts';
import { answerOutcome, type OutcomeEvent } from './answer-outcome.ts';
import { branchSwitcher } from './branch-switcher.ts';
import { actionButton, copyAction, deleteAction, regenerateAction, type MessageAction } from './message-actions.ts';
import '../../common/copy-button.ts';
import { MessageElement } from './message-element.ts';
import { messageStyles } from './message-styles.ts';
import './message-menu.ts';
import { RunningAnswerController } from './running-answer-controller.ts';

/**
 * An answer: its thinking folded away, its text, what became of it, and its figures.
 * @fires regenerate - ask again.
 * @fires continue - go on where it was cut.
 * @fires continue-elsewhere - the chat is full, and to be gone on with in a new one.
 * @fires delete - it and what follows is to be deleted.
 * @fires ask-another - see answer-tools.
 * @fires branch - see branch-switcher; for one that stands beside another also that the chat is to go on with it.
 * @fires block - see markdown-text; only for what has been written before one's eyes.
 * @fires ended - it has ended, and all of it has been drawn; `detail` is the answer.
 */
export class AnswerMessage extends MessageElement {
  static override properties = {
    answer: { attribute: false },
    running: { attribute: false },
    siblings: { attribute: false, hasChanged: listsDiffer },
    models: { attribute: false, hasChanged: listsDiffer },
    isBeside: { attribute: false },
    isAwaited: { attribute: false },
    disabled: { type: Boolean },
  };
  /** The answer as it is stored. */
  declare answer: Answer;
  /** The answer as it grows, if this tab writes it. */
  declare running: RunningAnswer | undefined;
  declare siblings: readonly Message[];
  /** The models that can answer questions. */
  declare models: readonly ListedModel[];
  /** Whether it stands beside the answer that the chat goes on with. */
  declare isBeside: boolean;
  /** Whether somebody listens for it: it may be complete before this element's code has come. */
  declare isAwaited: boolean;
  declare disabled: boolean;
  readonly #growth = new RunningAnswerController(this);
  readonly #tools = new ActionController(this);
  /** The end of one that is written no more, until that has been read: what was read before it has less text, or none. */
  #end: Answer | undefined;
  #showsTools = false;
  #hasGrown = false;

  constructor() {
    super();
    this.siblings = [];
    this.models = [];
    this.isBeside = false;
    this.isAwaited = false;
    this.disabled = false;
    // Nobody waits for them.
    loadInBackground(import('./answer-tools.ts'));
  }

  static override styles = [controlStyles, messageStyles, answerMessageStyles];

  protected override willUpdate(changes: PropertyValues<this>): void {
    this.#growth.watch(this.running);
    // Another version of the answer has taken its place.
    if (changes.has('answer') && changes.get('answer')?.id !== this.answer.id) this.#hasGrown = false;
    if (changes.has('answer')) this.#end = undefined;
    else if (changes.has('running') && this.running === undefined) this.#end = changes.get('running')?.answer;
    this.#hasGrown ||= this.isAwaited || this.running?.answer.state === 'running';
    const { rounds } = this.#newest;
    if (rounds === undefined || this.#showsTools) return;
    this.#showsTools = true;
    void this.#tools.run(() => loadPart(import('./tool-rounds.ts')));
  }

  get #newest(): Answer {
    return this.running?.answer ?? this.#end ?? this.answer;
  }

  /** An update is complete when its texts are drawn. */
  protected override async getUpdateComplete(): Promise<boolean> {
    const isComplete = await super.getUpdateComplete();
    await Promise.all(
      [...this.renderRoot.querySelectorAll('markdown-text')].map(({ updateComplete }) => updateComplete),
    );
    return isComplete;
  }

  protected override updated(): void {
    const answer = this.#newest;
    if (answer.text === '') this.#ended(answer);
  }

  #ended(answer: Answer): void {
    if (!this.#hasGrown || answer.state === 'running') return;
    this.#hasGrown = false;
    this.dispatchEvent(new CustomEvent('ended', { detail: answer }));
  }

  override render() {
    const answer = this.#newest;
    const growing = answer.state === 'running';
    return html`<article aria-label=${conversationStrings.answer(modelName(answer.model))} aria-busy=${growing}>
      ${answer.thinking === '' ? nothing : this.#thinking(answer)}
      ${answer.rounds ? html`<tool-rounds .answer=${answer} .running=${this.running}></tool-rounds>` : nothing}
      ${this.#tools.notice}
      ${
        answer.text === ''
          ? nothing
          : html`<markdown-text
            .text=${answer.text}
            ?growing=${growing}
            @block=${(event: CustomEvent<string>) => this.#hasGrown && this.dispatchEvent(new CustomEvent('block', { detail: event.detail }))}
            @drawn=${() => this.#ended(answer)}
          ></markdown-text>`
      }
      ${growing ? this.#growing(answer) : html`${answerOutcome(answer, (event, words) => this.#button(event, words))}${this.#footer(answer)}`}
    </article>`;
  }

  #thinking({ thinking, text, state, thinkingTime }: Answer): TemplateResult {
    const busy = state === 'running' && text === '';
    // Less than that is no time worth telling.
    const time = (thinkingTime ?? 0) < 1000 ? null : thinkingTime!;
    const words = busy
      ? time === null
        ? messageStrings.thinking
        : messageStrings.thinkingFor(time)
      : time === null
        ? messageStrings.thought
        : messageStrings.thoughtFor(time);
    return html`<details>
      <summary>${words}</summary>
      <markdown-text .text=${thinking} ?growing=${busy}></markdown-text>
    </details>`;
  }

  #growing(answer: Answer): TemplateResult {
    const { text, thinking, rounds } = answer;
    // It is the person who is waited for.
    if (rounds?.at(-1)?.calls.some(({ outcome }) => outcome === 'waiting')) return html``;
    const words =
      this.running?.catchingUp === true
        ? messageStrings.catchingUp
        : text === '' && thinking === ''
          ? messageStrings.waiting
          : '';
    // Where there is a text it has a cursor behind its last word.
    const cursor = text === '' ? html`<span class="cursor"></span>` : nothing;
    return html`${text !== '' && words === '' ? nothing : html`<p class="wait">${cursor}${words}</p>`}
      ${
        answer.tokensPerSecond === null
          ? nothing
          : html`<div class="room">${this.#figures(answer)}</div>
      <div class="live">${this.#figures(answer)}</div>`
      }`;
  }

  #button(event: 'branch' | OutcomeEvent, words: string): TemplateResult {
    return html`<button ?disabled=${this.disabled} @click=${() => this.dispatchEvent(new CustomEvent(event, { detail: this.answer }))}>
      ${icon(event === 'regenerate' ? 'retry' : 'resume')}${words}
    </button>`;
  }

  /** What can be done with it now. */
  readonly actions = (): readonly MessageAction[] => [
    ...(this.answer.text === '' ? [] : [copyAction(this, messageStrings.copyAnswer)]),
    ...(this.disabled ? [] : [regenerateAction(this)]),
    ...(this.renderRoot.querySelector('answer-tools')?.actions ?? []),
    deleteAction(this),
  ];

  #footer(answer: Answer): TemplateResult {
    const { text } = answer;
    return html`${this.isBeside ? html`<div class="choice">${this.#button('branch', messageStrings.chooseAnswer)}</div>` : nothing}
    <div class="actions">
      ${this.#figures(answer)}
      <div class="buttons">${branchSwitcher(this.siblings, answer.id)}
      ${text === '' ? nothing : html`<copy-button .text=${text} label=${messageStrings.copyAnswer}></copy-button>`}
      ${actionButton(regenerateAction(this), this.disabled)}
      <answer-tools .answer=${answer} .models=${this.models} ?disabled=${this.disabled}></answer-tools>
      <span class="apart">${actionButton(deleteAction(this))}</span></div>
      <message-menu .actions=${this.actions}></message-menu>
    </div>`;
  }

  #figures({ model, engine, completionTokens, tokensPerSecond, timeToFirstToken }: Answer): TemplateResult {
    const where = madeWhere(engine);
    return html`<p class="figures" aria-label=${messageStrings.figures} role="group">
      <span title=${model}>${modelName(model)}</span>
      ${where === null ? nothing : html`<span>${where}</span>`}
      ${completionTokens === null ? nothing : html`<span>${messageStrings.tokens(completionTokens)}</span>`}
      ${tokensPerSecond === null ? nothing : html`<span>${messageStrings.speed(tokensPerSecond)}</span>`}
      ${timeToFirstToken === null ? nothing : html`<span>${messageStrings.firstToken(timeToFirstToken)}</span>`}
    </p>`;
  }
}
customElements.define('answer-message', AnswerMessage);

declare global {
  interface HTMLElementTagNameMap {
    'answer-message': AnswerMessage;
  }
}
