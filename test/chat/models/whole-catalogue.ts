import { prebuiltAppConfig } from '@mlc-ai/web-llm';
import { sampleModel } from '../../gallery/samples/models.ts';
import sizes from '../../../src/engine-worker/models/catalogue-sizes.json' with { type: 'json' };
import { describeModel } from '../../../src/engine-worker/models/describe-model.ts';
import { deviceFit, type GraphicsDevice } from '../../../src/engine-worker/models/device-fit.ts';
import { ggufCatalogue } from '../../../src/engine-worker/models/gguf/gguf-catalogue.ts';
import { ggufFit, ggufMemory } from '../../../src/engine-worker/models/gguf/gguf-fit.ts';
import type { ModelListing } from '../../../src/shared/models/model-management.ts';

export const GIB = 2 ** 30;
export const GPU: GraphicsDevice = {
  features: new Set(['shader-f16']),
  maxBufferSize: GIB,
  maxStorageBufferBindingSize: GIB,
  maxComputeWorkgroupStorageSize: 32 * 1024,
  maxStorageBuffersPerShaderStage: 10,
  maxComputeInvocationsPerWorkgroup: 1024,
  subgroupSizes: null,
};
export const WITHOUT_HALF: GraphicsDevice = { ...GPU, features: new Set() };

/** Lists the packages of the catalogue, with the verdicts for a device with this GPU adapter and memory. */
export function catalogue(device: GraphicsDevice | null, memory: number | null): readonly ModelListing[] {
  return prebuiltAppConfig.model_list.map((record) => {
    const memoryBytes = (record.vram_required_MB ?? 0) * 2 ** 20;
    const needs = {
      requiredFeatures: record.required_features ?? [],
      bufferBytes: record.buffer_size_required_bytes ?? null,
      memoryBytes,
      quantization: record.model_id,
    };
    const { parameters, quantization } = describeModel(record.model_id);
    const downloadBytes = (sizes.estimated as Record<string, number>)[record.model_id] ?? null;
    const fit = deviceFit(needs, device, memory);
    return sampleModel({ id: record.model_id, parameters, quantization, memoryBytes, downloadBytes, fit });
  });
}

/** Lists the GGUF models of the catalogue, with the verdicts for a device with this memory. */
export function ggufModels(deviceMemory: number | null): readonly ModelListing[] {
  return ggufCatalogue(null).map(({ source: { id, gguf, contextWindow }, goodFor }) =>
    sampleModel({
      id,
      format: 'gguf',
      ...(goodFor && { goodFor }),
      parameters: gguf!.parameters,
      quantization: gguf!.quantization,
      memoryBytes: ggufMemory(gguf!, contextWindow!),
      downloadBytes: gguf!.bytes,
      fit: ggufFit(gguf!, contextWindow!, { deviceMemory, isCompat: false }),
    }),
  );
}
