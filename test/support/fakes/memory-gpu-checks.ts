import type { GpuCheckRecords } from '../../../src/engine-worker/llama-cpp/check-gpu-once.ts';
import type { GpuCheck } from '../../../src/shared/storage/site-database.ts';

/** Records of checks in memory, in place of the site's database. */
export function memoryGpuChecks(): GpuCheckRecords {
  const checks = new Map<string, GpuCheck>();
  return {
    get: async (model) => checks.get(model),
    put: async (model, check) => void checks.set(model, check),
    delete: async (model) => void checks.delete(model),
  };
}
