import { css, html, nothing, type TemplateResult } from 'lit';
import type { ModelListing } from '../../shared/model-management.ts';
import { fact, factStyles } from '../common/facts.ts';
import { formatBytes } from '../strings/format.ts';
import { modelStrings } from '../strings/models.ts';

/**
 * What is known of a model, as a list of facts.
 * @param size How large it is, in words or as something that asks for it.
 */
export function modelFacts(model: ModelListing, size: unknown): TemplateResult {
  const { family, parameters, quantization, memoryBytes, contextWindow, licence, page, id } = model;
  const { facts } = modelStrings;
  const abilities = (['thinking', 'images', 'embedding'] as const).flatMap((ability) =>
    model[ability] ? [modelStrings[ability]] : [],
  );
  return html`<dl>
    ${fact(modelStrings.family, family)}
    ${parameters === null ? nothing : fact(facts.parameters, modelStrings.parameters(parameters))}
    ${quantization === null ? nothing : fact(facts.quantization, quantization)}
    ${memoryBytes === null ? nothing : fact(facts.memory, formatBytes(memoryBytes))}
    ${fact(model.state.kind === 'present' ? facts.size : facts.download, size)}
    ${contextWindow === null ? nothing : fact(facts.context, modelStrings.tokens(contextWindow))}
    ${abilities.length > 0 ? fact(facts.ability, abilities.join(', ')) : nothing}
    ${fact(facts.licence, licence ?? (page === null ? modelStrings.unknown : modelStrings.unknownLicence))}
    ${
      page === null
        ? nothing
        : html`<div><dt class="hidden">${modelStrings.page}</dt><dd><a href=${page} target="_blank" rel="noopener" aria-label=${modelStrings.pageOf(id)}>${modelStrings.page}</a></dd></div>`
    }
  </dl>`;
}

/** Goes with {@link modelFacts}. */
export const modelFactsStyles = [
  factStyles,
  css`
    dl {
      align-items: end;
      gap: var(--space-2) var(--space-5);
    }
    dd {
      font-weight: 550;
    }
  `,
];
