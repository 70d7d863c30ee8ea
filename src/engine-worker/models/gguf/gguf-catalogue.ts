import type { GgufFacts } from '../../../shared/models/model-facts.ts';
import type { ModelSource, ModelStrength } from '../../../shared/models/model-management.ts';
import { unlistedModel, type CatalogueModel } from '../catalogue-model.ts';
import { HUGGING_FACE, mirrored } from '../package/package-address.ts';
import catalogue from './gguf-catalogue.json' with { type: 'json' };
import { ggufWindow } from './inspect-gguf.ts';

/**
 * Returns the GGUF models that Tabserve offers, mainly for devices without WebGPU. The facts date from `date` in the JSON
 * file. The files are those of the models' publishers, except that of the smallest model: its publisher has no small GGUF
 * file, and QuantFactory converted it.
 * @param mirror Base address of a mirror of the model hosts, with a trailing slash; null for none.
 */
export function ggufCatalogue(mirror: string | null): readonly CatalogueModel[] {
  return catalogue.models.map(({ id, repository, revision, file, goodFor, ...said }) => {
    const facts: GgufFacts = {
      ...said,
      name: null,
      quantization: /[^-]+$/.exec(id)?.[0] ?? null,
      hasChatTemplate: true,
    };
    const source: ModelSource = {
      id,
      format: 'gguf',
      modelUrl: mirrored(`${HUGGING_FACE}${repository}/resolve/${revision}/${file}`, mirror),
      libraryUrl: '',
      manifest: null,
      contextWindow: ggufWindow(facts),
      images: false,
      gguf: facts,
    };
    return {
      ...unlistedModel(source, 'catalogue'),
      page: `${HUGGING_FACE}${repository}`,
      goodFor: goodFor as ModelStrength,
    };
  });
}
