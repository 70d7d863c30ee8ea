import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { ModelListing } from '../../shared/models/model-management.ts';
import { modelStrings } from '../strings/model-strings.ts';

/** Smallest context window that is offered, in tokens. A smaller one would hardly hold a chat. */
const FEWEST = 2048;

/**
 * Renders the choice of a model's context window, with the memory that each size takes; nothing if the window is fixed.
 * @param choose Called with the chosen number of tokens.
 */
export function contextWindowChoice(
  model: ModelListing,
  choose: (tokens: number) => void,
): TemplateResult | typeof nothing {
  const { contextWindow, windowLimits, memoryBytes } = model;
  if (!windowLimits || contextWindow === null) return nothing;
  const memory = (tokens: number) =>
    memoryBytes === null || windowLimits.bytesPerToken === null
      ? null
      : memoryBytes + (tokens - contextWindow) * windowLimits.bytesPerToken;
  // `live`, because a choice may be refused, or leave fewer sizes: the one that holds is shown.
  return html`<label class="window small">
      <span>${modelStrings.window}</span>
      <select
        aria-describedby="window-note"
        @change=${({ target }: Event) => choose(Number((target as HTMLSelectElement).value))}
      >
        ${windowSizes(windowLimits.most, contextWindow).map(
          (tokens) =>
            html`<option value=${tokens} .selected=${live(tokens === contextWindow)}>${modelStrings.windowSize(tokens, memory(tokens))}</option>`,
        )}
      </select>
    </label>
    <p class="small quiet" id="window-note">${modelStrings.windowNote}</p>`;
}

/** Returns the powers of two below the largest window, the largest window and the present one, in ascending order. */
function windowSizes(most: number, now: number): readonly number[] {
  const sizes = new Set([now, most]);
  for (let tokens = FEWEST; tokens < most; tokens *= 2) sizes.add(tokens);
  return [...sizes].toSorted((one, other) => one - other);
}
