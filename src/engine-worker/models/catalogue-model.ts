import type { ModelOrigin, ModelSource, ModelStrength } from '../../shared/models/model-management.ts';
import { describeModel, type ModelDescription } from './describe-model.ts';
import type { DeviceNeeds, GraphicsDevice } from './device-fit.ts';
import sizes from './catalogue-sizes.json' with { type: 'json' };
import { isCopyOf, mirrored, packageBase } from './package/package-address.ts';
import { plainLibrary, subgroupLibrary } from './subgroup-library.ts';

/** The used fields of a WebLLM catalogue record. */
export interface CatalogueRecord {
  readonly model: string;
  readonly model_id: string;
  readonly model_lib: string;
  readonly overrides?: { readonly context_window_size?: number };
  readonly vram_required_MB?: number;
  readonly buffer_size_required_bytes?: number;
  readonly required_features?: readonly string[];
  /** 0 is a language model, 1 an embedding model, 2 a vision-language model. */
  readonly model_type?: number;
  readonly model_manifest?: string;
}

const EMBEDDING = 1;
const VISION = 2;

export interface CatalogueModel {
  readonly source: ModelSource;
  readonly origin: ModelOrigin;
  readonly description: ModelDescription;
  readonly needs: DeviceNeeds;
  readonly page: string | null;
  /** What the model is suited for. Default: not known. */
  readonly goodFor?: ModelStrength;
}

/**
 * Converts a record of WebLLM's catalogue.
 * @param mirror Base address of a mirror of the catalogue, with a trailing slash. Default: no mirror.
 * @param own The model's addresses if it is on this device or being downloaded. They are kept if they lead to copies of
 * the same files. Default: it is neither.
 * @param device Decides which variant of the model library is used. Default: the one that runs on every device.
 */
export function catalogueModel(
  record: CatalogueRecord,
  mirror: string | null = null,
  own?: Pick<ModelSource, 'modelUrl' | 'libraryUrl'>,
  device: GraphicsDevice | null = null,
): CatalogueModel {
  const [model, library] = [packageBase(record.model), record.model_lib];
  const ownLibrary = own && (plainLibrary(own.libraryUrl) ?? own.libraryUrl);
  const isSame = ownLibrary !== undefined && isCopyOf(own!.modelUrl, model) && isCopyOf(ownLibrary, library);
  const wanted = subgroupLibrary(library, device) ?? library;
  const description = describeModel(record.model_id);
  return {
    source: {
      id: record.model_id,
      modelUrl: isSame ? own!.modelUrl : mirrored(model, mirror),
      libraryUrl: isSame ? own!.libraryUrl : mirrored(wanted, mirror),
      manifest: record.model_manifest ?? null,
      contextWindow: record.overrides?.context_window_size ?? null,
      images: record.model_type === VISION || record.model_manifest !== undefined,
      ...(record.model_type === EMBEDDING ? { embedding: true } : {}),
    },
    origin: 'catalogue',
    description,
    needs: {
      requiredFeatures: record.required_features ?? [],
      bufferBytes: record.buffer_size_required_bytes ?? null,
      memoryBytes: record.vram_required_MB === undefined ? null : Math.round(record.vram_required_MB * 2 ** 20),
      quantization: description.quantization,
    },
    page: record.model,
  };
}

/**
 * Returns the size of a model's download, as recorded by `npm run catalogue-sizes`. It is an estimate if the server
 * could not be reached then. Null for a model outside the catalogue.
 */
export function catalogueSize(id: string): { readonly bytes: number; readonly isEstimated: boolean } | null {
  const measured = (sizes.measured as Readonly<Record<string, number>>)[id];
  const bytes = measured ?? (sizes.estimated as Readonly<Record<string, number>>)[id];
  return bytes === undefined ? null : { bytes, isEstimated: measured === undefined };
}

/** Describes a model that has no record in WebLLM's catalogue. */
export function unlistedModel(source: ModelSource, origin: ModelOrigin): CatalogueModel {
  const named = describeModel(source.id);
  const { parameters = null, quantization = null, licence = null } = source.gguf ?? {};
  const description = {
    ...named,
    parameters: parameters ?? named.parameters,
    quantization: quantization ?? named.quantization,
    licence: licence ?? named.licence,
  };
  return {
    source,
    origin,
    description,
    needs: { requiredFeatures: [], bufferBytes: null, memoryBytes: null, quantization: description.quantization },
    page: null,
  };
}
