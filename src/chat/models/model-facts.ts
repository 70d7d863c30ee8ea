import { css, html, nothing, type TemplateResult } from 'lit';
import { isBuiltIn } from '../../shared/models/built-in-models.ts';
import type { ModelListing } from '../../shared/models/model-management.ts';
import { fact, factStyles } from '../common/facts.ts';
import { formatBytes } from '../strings/format.ts';
import { modelStrings } from '../strings/model-strings.ts';

/**
 * Renders the known facts of a model: size, memory, abilities and licence as a list, the others initially hidden.
 * @param name The model's display name.
 * @param tokensPerSecond An estimate for this device, rounded; null if there is none.
 */
export function modelFacts(model: ModelListing, name: string, tokensPerSecond: number | null): TemplateResult {
  const { family, parameters, quantization, memoryBytes, downloadBytes, contextWindow, licence, page, id } = model;
  const { facts } = modelStrings;
  const abilities = (['thinking', 'images', 'embedding', 'continues'] as const).flatMap((ability) =>
    model[ability] ? [ability === 'embedding' && model.ranks ? modelStrings.ranks : modelStrings[ability]] : [],
  );
  const isOnProcessor = model.format === 'gguf';
  const sha256 = model.state.kind === 'present' ? model.state.sha256 : undefined;
  return html`<dl>
      ${
        // A built-in model is part of the site, so it has no download of its own.
        model.state.kind !== 'present' && downloadBytes === null && isBuiltIn(id)
          ? nothing
          : fact(model.state.kind === 'present' ? facts.size : facts.download, sizeOf(model))
      }
      ${memoryBytes === null ? nothing : fact(isOnProcessor ? facts.mainMemory : facts.memory, formatBytes(memoryBytes))}
      ${tokensPerSecond === null ? nothing : fact(facts.speed, modelStrings.expectedSpeed(tokensPerSecond))}
      ${abilities.length > 0 ? fact(facts.ability, abilities.join(', ')) : nothing}
      ${fact(
        facts.licence,
        html`${licence ?? (page === null ? modelStrings.unknown : modelStrings.unknownLicence)}
        ${page === null ? nothing : html`<a href=${page} target="_blank" rel="noopener" aria-label=${modelStrings.pageOf(name)}>${modelStrings.page}</a>`}`,
      )}
    </dl>
    <details class="small">
      <summary>${modelStrings.details}</summary>
      <dl>
        ${fact(modelStrings.family, family)}
        ${parameters === null ? nothing : fact(facts.parameters, modelStrings.parameters(parameters))}
        ${quantization === null ? nothing : fact(facts.quantization, quantization)}
        ${contextWindow === null ? nothing : fact(facts.context, modelStrings.tokens(contextWindow))}
        ${model.subgroups ? fact(facts.library, modelStrings.subgroups) : nothing}
        ${id === name ? nothing : fact(facts.id, html`<code>${id}</code>`)}
        ${sha256 === undefined ? nothing : fact(facts.checksum, html`<code>${sha256}</code>`)}
      </dl>
    </details>`;
}

/** Returns the size of a model as text: that of its files on this device, or that of its download. */
export function sizeOf({ state, downloadBytes, downloadIsEstimated }: ModelListing): string {
  if (state.kind === 'present') return formatBytes(state.bytes);
  if (downloadBytes === null) return modelStrings.unknown;
  const bytes = formatBytes(downloadBytes);
  return downloadIsEstimated ? modelStrings.about(bytes) : bytes;
}

export const modelFactsStyles = [
  factStyles,
  css`
    dl {
      gap: var(--space-2) var(--space-3);
    }
    /* Aligns short facts with those of neighbouring cards. */
    dl > div {
      min-width: min(7.2rem, 100%);
    }
    details dl {
      margin-top: var(--space-2);
    }
    summary {
      width: fit-content;
      padding-block: calc((var(--target-small) - 1lh) / 2);
      color: var(--color-text-quiet);
      cursor: pointer;
    }
    div:has(code) {
      display: flex;
      flex-basis: 100%;
      gap: var(--space-2);
    }
  `,
];
