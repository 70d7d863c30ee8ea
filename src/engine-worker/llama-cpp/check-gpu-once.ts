import { openSiteDatabase, type GpuCheck } from '../../shared/storage/site-database.ts';
import { VERSION } from '../../shared/messaging/messages.ts';

/** Stores for each model, by its id, that a graphics device computed it correctly. */
export interface GpuCheckRecords {
  get(model: string): Promise<GpuCheck | undefined>;
  put(model: string, check: GpuCheck): Promise<void>;
  delete(model: string): Promise<void>;
}

/** What a check depends on. Each model's types of numbers have shaders of their own. */
export interface CheckedModel {
  readonly id: string;
  /** Bytes of the model's files. */
  readonly bytes: number;
  /** Name of the graphics device. */
  readonly gpu: string;
  /** Address of llama.cpp's files, which contains the hash of their contents on a built site. */
  readonly llamaCpp: string;
}

/** Milliseconds after which a model is checked again: pages cannot read the version of the driver. */
const VALID = 7 * 24 * 3_600_000;

/** Stores the records in the site's database. */
export const STORED_GPU_CHECKS: GpuCheckRecords = {
  async get(model) {
    const check = await (await openSiteDatabase()).get('settings', `gpu-check ${model}`);
    return typeof check === 'object' && 'subject' in check ? check : undefined;
  },
  async put(model, check) {
    await (await openSiteDatabase()).put('settings', check, `gpu-check ${model}`);
  },
  async delete(model) {
    await (await openSiteDatabase()).delete('settings', `gpu-check ${model}`);
  },
};

/**
 * Runs a check of a model unless it has succeeded in the last week with the same graphics device, browser, llama.cpp and
 * file. Only success is remembered, so a check that fails or is interrupted runs again at the next load. Without a database,
 * it runs at each load.
 * @throws any error of `check`.
 */
export async function checkGpuOnce(
  model: CheckedModel,
  records: GpuCheckRecords,
  check: () => Promise<boolean>,
): Promise<boolean> {
  const subject = [model.bytes, model.gpu, model.llamaCpp, VERSION, navigator.userAgent].join(' ');
  const known = await records.get(model.id).catch(() => undefined);
  const age = Date.now() - (known?.time ?? 0);
  // The clock may have been set back since.
  if (known?.subject === subject && age >= 0 && age < VALID) return true;
  const isCorrect = await check();
  if (isCorrect) await records.put(model.id, { subject, time: Date.now() }).catch(() => {});
  return isCorrect;
}
