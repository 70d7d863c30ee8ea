import { css, html } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { ModelListing } from '../../shared/models/model-management.ts';
import { modelName } from '../common/model-name.ts';
import './model-card.ts';
import type { ModelAction } from './model-card.ts';

/** What becomes of the models on this screen, by id. */
export interface ModelStates {
  /** Those that are loaded. */
  readonly answering: readonly string[];
  /** Actions under way. */
  readonly busy: ReadonlyMap<string, ModelAction>;
  /** Why the last action failed. */
  readonly failures: ReadonlyMap<string, string>;
}

/** Items of a list: a card for each model. Goes with {@link modelCardsStyles}. */
export function modelCards(models: readonly ModelListing[], { answering, busy, failures }: ModelStates): unknown {
  const ids = models.map(({ id }) => id);
  return repeat(
    models,
    ({ id }) => id,
    (model) => html`<li>
      <model-card
        .model=${model}
        .name=${modelName(model.id, ids)}
        ?answering=${answering.includes(model.id)}
        .busy=${busy.get(model.id) ?? null}
        .failure=${failures.get(model.id) ?? null}
      ></model-card>
    </li>`,
  );
}

export const modelCardsStyles = css`
  .cards {
    gap: var(--space-3);
  }
  .cards li {
    min-width: 0;
  }
`;
