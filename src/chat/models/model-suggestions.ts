import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import type { ModelListing } from '../../shared/models/model-management.ts';
import { keepFocus } from '../common/keep-focus.ts';
import { modelName } from '../common/model-name.ts';
import { separated, separatedStyles } from '../common/separated.ts';
import { formatBytes } from '../strings/format.ts';
import { modelStrings } from '../strings/model-strings.ts';
import { controlStyles } from '../theme/control-styles.ts';
import { icon } from '../theme/icons.ts';
import { panelStyles } from '../theme/panel-styles.ts';
import { requestModelAction } from './model-card.ts';
import type { ModelStates } from './model-cards.ts';
import { sizeOf } from './model-facts.ts';
import { downloadTime } from './measuring/download-time.ts';
import { progressFacts } from './progress-facts.ts';
import { isProcessorFaster, speedOn } from './judge-model.ts';
import { suggestModels, type Suggestion } from './suggest-models.ts';

/**
 * Up to three models that suit this device, each with a button that starts a chat with it.
 * @fires model-action - see `ModelActionDetail`.
 */
export class ModelSuggestions extends LitElement {
  static override properties = {
    models: { attribute: false },
    states: { attribute: false },
  };
  declare models: readonly ModelListing[];
  declare states: ModelStates;

  constructor() {
    super();
    keepFocus(this, () => this.renderRoot.querySelector<HTMLElement>('p')?.focus());
    this.models = [];
  }

  static override styles = [
    controlStyles,
    separatedStyles,
    panelStyles,
    css`
      ul {
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 11.5rem), 1fr));
        gap: var(--space-3);
      }
      li {
        display: grid;
        grid-template-rows: auto auto 1fr auto;
        align-content: start;
        gap: var(--space-2);
        min-width: 0;
      }
      .role {
        color: var(--color-accent);
        font-size: var(--text-small);
        font-weight: 650;
      }
      h3 {
        overflow-wrap: anywhere;
      }
      .small {
        font-size: var(--text-small);
        text-wrap: pretty;
      }
      button {
        width: 100%;
        margin-top: var(--space-2);
        /* Keeps the label on one line when three suggestions are side by side. */
        padding-inline: 0;
        font-size: var(--text-small);
      }
      button svg {
        width: 1rem;
      }
    `,
  ];

  override render() {
    const { device } = this.states;
    const { memory, gpu, speed = null } = device;
    const suggestions = suggestModels(this.models, device);
    const chosen = isProcessorFaster(gpu)
      ? modelStrings.chosenForProcessor
      : modelStrings.chosenFor(memory === null ? null : memory / 2 ** 30);
    return html`
      <p class="small quiet" tabindex="-1">
        ${suggestions.length === 0 ? modelStrings.nothingSuits : chosen} ${speed === null || suggestions.length === 0 ? nothing : modelStrings.speedsAreEstimates}
      </p>
      ${suggestions.length === 0 ? nothing : html`<ul>${suggestions.map((suggestion) => this.#suggestion(suggestion))}</ul>`}
    `;
  }

  #suggestion({ role, model, strength }: Suggestion): TemplateResult {
    const name = modelName(model.id);
    const failure = this.states.failures.get(model.id);
    return html`<li class="card" aria-label=${modelStrings.suggestion(modelStrings.roles[role], name)}>
      <p class="role">${modelStrings.roles[role]}</p>
      <h3>${name}</h3>
      <p class="small">${modelStrings.strengths[strength]} ${this.#expectation(model)}</p>
      <p class="small quiet">${separated(this.#standing(model))}</p>
      ${failure === undefined ? nothing : html`<p class="error small" role="alert">${failure}</p>`}
      ${this.#button(model, name)}
    </li>`;
  }

  #expectation(model: ModelListing): string | typeof nothing {
    const tokensPerSecond = speedOn(model, this.states.device);
    return tokensPerSecond === null ? nothing : modelStrings.writes(tokensPerSecond);
  }

  #standing(model: ModelListing): readonly string[] {
    const { state } = model;
    if (state.kind === 'download') return progressFacts(state.progress);
    if (state.kind === 'present') return [modelStrings.isHere];
    const memory = model.memoryBytes === null ? null : formatBytes(model.memoryBytes);
    const time = downloadTime(model.downloadBytes);
    return modelStrings.takes(sizeOf(model), time, memory, model.format === 'gguf');
  }

  #button(model: ModelListing, name: string): TemplateResult | typeof nothing {
    const { state, id } = model;
    // No button while the model is being downloaded: its card below has the buttons.
    if (state.kind === 'download') return nothing;
    const isAsking = this.states.busy.has(id);
    const isHere = state.kind === 'present';
    return html`<button
      class="primary"
      ?disabled=${isAsking}
      aria-label=${isAsking ? nothing : isHere ? modelStrings.chatWith(name) : modelStrings.downloadAndChatOf(name)}
      @click=${() => requestModelAction(this, { action: 'chat', model })}
    >
      ${icon(isHere ? 'send' : 'download')}${isAsking ? modelStrings.asking : isHere ? modelStrings.chat : modelStrings.downloadAndChat}
    </button>`;
  }
}
customElements.define('model-suggestions', ModelSuggestions);
