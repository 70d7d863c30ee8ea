import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { ListedModel } from '../../api/list-models.ts';
import type { RunningAnswer } from '../../answers/running-answer.ts';
import { outcomeOf } from '../../strings/answer-errors.ts';
import { messageStrings } from '../../strings/message-strings.ts';
import { ActionController } from '../../common/action-controller.ts';
import { loadInBackground, loadPart } from '../../browser/load-part.ts';
import { listsDiffer } from '../../storage/lists-differ.ts';
import { keepFocus } from '../../common/keep-focus.ts';
import { modelName } from '../../common/model-name.ts';
import { currentLanguage } from '../../strings/page-language.ts';
import { isMadeElsewhere, madeWhere } from '../../strings/upstream-strings.ts';
import '../../markdown/markdown-text.ts';
import type { Answer, Message } from '../../types/conversation.ts';
import { controlStyles } from '../../theme/control-styles.ts';
import { icon } from '../../theme/icons.ts';
import { laterIcons } from '../../theme/later-icons.ts';
import { answerMessageStyles } from './answer-message-styles.ts';
import type { Refusal } from '../refusals/refusal.ts';
import { hasDeclined, mayDecline, needsRealModel } from './needs-real-model.ts';
import { answerOutcome, type OutcomeEvent } from './answer-outcome.ts';
import { branchSwitcher } from './branch-switcher.ts';
import { actionButton, copyAction, deleteAction, regenerateAction, type MessageAction } from './message-actions.ts';
import '../../common/copy-button.ts';
import { MessageElement } from './message-element.ts';
import { messageStyles } from './message-styles.ts';
import './message-menu.ts';
import { RunningAnswerController } from './running-answer-controller.ts';

const PARTS = {
  rounds: () => import('./tool-rounds.ts'),
  sources: () => import('./answer-sources.ts'),
} as const;

const NO_SOURCES: NonNullable<Answer['sources']> = [];

/**
 * An answer: collapsed thinking, text, outcome, actions and, on request, figures.
 * @fires regenerate - request another answer.
 * @fires continue - continue the answer where it was cut off.
 * @fires continue-elsewhere - continue in a new chat, because this one is full.
 * @fires delete - delete the answer and what follows it.
 * @fires ask-another - see listen-and-compare.
 * @fires ask-again - see `ModelOffer`, whose code is loaded later.
 * @fires branch - see branch-switcher; also fired to continue the chat with this answer instead of the one beside it.
 * @fires block - see markdown-text; only for text that is generated while this element is shown.
 * @fires ended - the answer ended and is fully drawn; `detail` says how, for screen readers.
 */
export class AnswerMessage extends MessageElement {
  static override properties = {
    answer: { attribute: false },
    running: { attribute: false },
    siblings: { attribute: false, hasChanged: listsDiffer },
    models: { attribute: false, hasChanged: listsDiffer },
    compared: {},
    isAwaited: { attribute: false },
    disabled: { type: Boolean },
    question: {},
    refusedBefore: { type: Boolean },
    refusal: { state: true },
    showsFigures: { state: true },
  };
  /** The stored answer. */
  declare answer: Answer;
  /** The growing answer, if this tab generates it. */
  declare running: RunningAnswer | undefined;
  declare siblings: readonly Message[];
  /** The models that can chat. */
  declare models: readonly ListedModel[];
  /**
   * Set if answers of several models are shown side by side: `chosen` if the chat continues with this one, otherwise
   * `beside`.
   */
  declare compared: 'chosen' | 'beside' | undefined;
  /** Whether the end of the answer must be announced even if the answer ended before this element was loaded. */
  declare isAwaited: boolean;
  declare disabled: boolean;
  /** Text of the question. */
  declare question: string;
  /** Whether the built-in model has declined an earlier question of this chat. */
  declare refusedBefore: boolean;
  /** What is shown in place of the words with which the built-in model declines. */
  declare refusal: Refusal | undefined;
  declare showsFigures: boolean;
  readonly #growth = new RunningAnswerController(this);
  readonly #parts = new ActionController(this);
  /** The complete answer, used until the store delivers it: the version in `answer` may lack the last words. */
  #end: Answer | undefined;
  readonly #loaded = new Set<keyof typeof PARTS>();
  /** True from the first words generated while this element is shown until the answer has ended and is drawn. */
  #hasGrown = false;
  /** The text that is completely drawn. If the next answer has the same text, it is not drawn again. */
  #drawnText = '';
  /** Id of the answer whose end was announced. */
  #toldId = '';

  constructor() {
    super();
    // The button that chooses this one of two answers disappears.
    keepFocus(this, () => this.renderRoot.querySelector<HTMLElement>('.actions button')?.focus());
    this.siblings = [];
    this.models = [];
    this.isAwaited = false;
    this.disabled = false;
    this.question = '';
    this.refusedBefore = false;
    this.showsFigures = false;
    loadInBackground(import('./listen-and-compare.ts'));
  }

  static override styles = [controlStyles, messageStyles, answerMessageStyles];

  protected override willUpdate(changes: PropertyValues<this>): void {
    this.#growth.watch(this.running);
    // The element now shows another answer, so the state of the previous one is reset.
    if (changes.has('answer') && changes.get('answer')?.id !== this.answer.id)
      this.#hasGrown = this.showsFigures = false;
    if (changes.has('question') || changes.has('refusedBefore')) this.refusal = undefined;
    if (changes.has('answer')) this.#end = undefined;
    else if (changes.has('running') && this.running === undefined) this.#end = changes.get('running')?.answer;
    this.#hasGrown ||= this.running?.answer.state === 'running' || (this.isAwaited && this.answer.id !== this.#toldId);
    if (hasDeclined(this.#received)) void this.#refuse();
    const { rounds, sources } = this.#newest;
    if (sources !== undefined) this.#loadPart('sources');
    if (rounds !== undefined) this.#loadPart('rounds');
  }

  /** Loads the code of a part that few answers have. */
  #loadPart(part: keyof typeof PARTS): void {
    if (this.#loaded.has(part)) return;
    this.#loaded.add(part);
    void this.#parts.run(() => loadPart<unknown>(PARTS[part]()));
  }

  /** Opens a source whose mark was clicked, which can happen before the code of the sources has arrived. */
  #openSource(index: number): void {
    void this.#parts.run(async () => {
      await loadPart<unknown>(PARTS.sources());
      this.renderRoot.querySelector('answer-sources')?.open(index);
    });
  }

  get #received(): Answer {
    return this.running?.answer ?? this.#end ?? this.answer;
  }

  /** The answer as it is shown: the words with which the built-in model declines are replaced, and are never seen. */
  get #newest(): Answer {
    const answer = this.#received;
    if (mayDecline(answer)) return { ...answer, text: '' };
    if (!hasDeclined(answer)) return answer;
    return this.refusal === undefined
      ? { ...answer, text: '', state: 'running' }
      : { ...answer, text: this.refusal.text };
  }

  /** Whether text and offer of a further refusal are shown in one line. */
  get #isBrief(): boolean {
    return this.refusedBefore && hasDeclined(this.#received);
  }

  async #refuse(): Promise<void> {
    if (this.refusal !== undefined) return;
    try {
      const { refusalOf } = await import('../refusals/refusal.ts');
      this.refusal = refusalOf(this.question, currentLanguage(), this.refusedBefore);
    } catch {
      this.refusal = { text: this.#received.text, language: 'en' };
    }
  }

  /** An update is complete once the text inside this element is rendered. */
  protected override async getUpdateComplete(): Promise<boolean> {
    const isComplete = await super.getUpdateComplete();
    await Promise.all(
      [...this.renderRoot.querySelectorAll('markdown-text')].map(({ updateComplete }) => updateComplete),
    );
    return isComplete;
  }

  protected override updated(): void {
    const answer = this.#newest;
    if (answer.text === '' || answer.text === this.#drawnText) this.#ended(answer);
  }

  #drawn(answer: Answer): void {
    this.#drawnText = answer.text;
    this.#ended(answer);
  }

  #ended(answer: Answer): void {
    if (!this.#hasGrown || answer.state === 'running') return;
    this.#hasGrown = false;
    this.#toldId = answer.id;
    this.requestUpdate();
    this.dispatchEvent(new CustomEvent('ended', { detail: outcomeOf(answer) }));
  }

  override render() {
    const answer = this.#newest;
    const growing = answer.state === 'running';
    return html`<article class=${this.#isBrief ? 'brief' : ''} aria-label=${messageStrings.answer(modelName(answer.model))} aria-busy=${growing}>
      ${this.compared === undefined ? nothing : this.#column(answer, this.compared)}
      ${answer.thinking === '' ? nothing : this.#thinking(answer)}
      ${answer.rounds ? html`<tool-rounds .answer=${answer} .running=${this.running}></tool-rounds>` : nothing}
      ${this.#parts.notice}
      ${
        answer.text === ''
          ? nothing
          : html`<markdown-text
            lang=${hasDeclined(this.#received) && this.refusal ? this.refusal.language : nothing}
            .text=${answer.text}
            ?growing=${growing}
            .sources=${answer.sources ?? NO_SOURCES}
            @citation=${({ detail }: CustomEvent<number>) => this.#openSource(detail)}
            @block=${(event: CustomEvent<string>) => this.#hasGrown && this.dispatchEvent(new CustomEvent('block', { detail: event.detail }))}
            @drawn=${() => this.#drawn(answer)}
          ></markdown-text>`
      }
      ${growing ? this.#growing(answer) : this.#below(answer)}
    </article>`;
  }

  /** Renders the header that distinguishes the models of answers shown side by side. */
  #column(answer: Answer, compared: 'chosen' | 'beside'): TemplateResult {
    const ids = this.siblings.flatMap((sibling) => (sibling.role === 'assistant' ? [sibling.model] : []));
    return html`<header>
      <h2 title=${answer.model}>${modelName(answer.model, ids)}</h2>
      ${compared === 'beside' ? this.#button('branch', messageStrings.chooseAnswer) : html`<span>${messageStrings.chosenAnswer}</span>`}
    </header>`;
  }

  #below(answer: Answer): TemplateResult {
    // Until the end of the text is drawn, the place of the actions is reserved: shown now, they would jump down.
    if (this.#hasGrown && answer.text !== '') return html`<div class="room"></div>`;
    return html`${answer.sources === undefined ? nothing : html`<answer-sources .answer=${answer}></answer-sources>`}
      ${answerOutcome(answer, (event, words) => this.#button(event, words))}
      ${needsRealModel(this.#received) ? html`<model-offer answer=${answer.id} ?brief=${this.#isBrief} ?disabled=${this.disabled}></model-offer>` : nothing}
      ${this.#footer(answer)}`;
  }

  #thinking({ thinking, text, state, thinkingTime }: Answer): TemplateResult {
    const busy = state === 'running' && text === '';
    // Times below a second are not worth showing.
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
    // A tool call waits for the user's consent, so nothing is in progress.
    if (rounds?.at(-1)?.calls.some(({ outcome }) => outcome === 'waiting')) return html``;
    const { catchingUp = false, reading = null } = this.running ?? {};
    const waiting =
      reading === null
        ? messageStrings.waiting
        : messageStrings.reading(reading.tokens, performance.now() - reading.since);
    const words = catchingUp ? messageStrings.catchingUp : text === '' && thinking === '' ? waiting : '';
    // Once there is text, `markdown-text` draws the cursor after the last word.
    const cursor = text === '' ? html`<span class="cursor"></span>` : nothing;
    return html`${text !== '' && words === '' ? nothing : html`<p class="wait">${cursor}${words}</p>`}
      <div class="room"></div>`;
  }

  #button(event: 'branch' | OutcomeEvent, words: string): TemplateResult {
    return html`<button ?disabled=${this.disabled} @click=${() => this.dispatchEvent(new CustomEvent(event, { detail: this.answer }))}>
      ${icon(event === 'regenerate' ? laterIcons.retry : laterIcons.resume)}${words}
    </button>`;
  }

  readonly actions = (): readonly MessageAction[] => [
    ...(this.answer.text === '' ? [] : [copyAction(this, messageStrings.copyAnswer)]),
    ...(this.disabled ? [] : [regenerateAction(this)]),
    this.#figuresAction,
    ...(this.renderRoot.querySelector('listen-and-compare')?.actions ?? []),
    deleteAction(this),
  ];

  #footer(answer: Answer): TemplateResult {
    const { text } = answer;
    const { icon: symbol, words, run } = this.#figuresAction;
    // The buttons that every answer has come first, so that each button is at the same place below all answers.
    return html`<div class="actions">
      <div class="buttons">
      ${text === '' ? nothing : html`<copy-button .text=${text} label=${messageStrings.copyAnswer}></copy-button>`}
      ${actionButton(regenerateAction(this), this.disabled)}
      <button type="button" class="icon" aria-label=${words} title=${words} aria-expanded=${this.showsFigures} @click=${run}>${icon(symbol)}</button>
      <listen-and-compare .answer=${answer} .models=${this.models} ?disabled=${this.disabled}></listen-and-compare>
      </div>
      <message-menu .actions=${this.actions}></message-menu>
      ${branchSwitcher(this.siblings, answer.id)}
      ${isMadeElsewhere(answer.engine) ? html`<span class="elsewhere">${madeWhere(answer.engine)}</span>` : nothing}
    </div>
    ${this.showsFigures ? this.#figures(answer) : nothing}`;
  }

  get #figuresAction(): MessageAction {
    return {
      icon: laterIcons.info,
      words: messageStrings.figures,
      run: () => (this.showsFigures = !this.showsFigures),
    };
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
