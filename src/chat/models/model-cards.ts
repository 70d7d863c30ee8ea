import { css, html } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { ModelListing } from '../../shared/models/model-management.ts';
import { modelName } from '../common/model-name.ts';
import './model-card.ts';
import type { Device } from './judge-model.ts';
import type { ModelAction } from './model-card.ts';

/** States of the models on this screen, by id. */
export interface ModelStates {
  readonly answering: readonly string[];
  readonly busy: ReadonlyMap<string, ModelAction>;
  readonly failures: ReadonlyMap<string, string>;
  readonly device: Device;
}

/** Renders a list item with a card for each model. Needs {@link modelCardsStyles}. */
export function modelCards(
  models: readonly ModelListing[],
  { answering, busy, failures, device }: ModelStates,
): unknown {
  const ids = models.map(({ id }) => id);
  return repeat(
    models,
    ({ id }) => id,
    (model) => html`<li>
      <model-card
        .model=${model}
        .name=${modelName(model.id, ids)}
        ?answering=${answering.includes(model.id)}
        .device=${device}
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
