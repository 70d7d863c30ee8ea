import type { ModelManager } from '../../page/index.ts';
import { ApiError } from '../../shared/api-error.ts';
import type { ModelListing } from '../../shared/models/model-management.ts';
import { requestSiteReport } from '../browser/request-site-report.ts';

export interface OfflineReadiness {
  readonly ready: boolean;
  /** False while requests of this page bypass the service worker. */
  readonly controlled: boolean;
  readonly files: number;
  readonly missing: readonly string[];
  /** Models with all files on this device. */
  readonly models: readonly string[];
  /** Milliseconds since 1970 of this check. */
  readonly time: number;
}

/** Checks every file that an offline start needs. */
export async function offlineReadiness(manager: ModelManager): Promise<OfflineReadiness> {
  const [site, listings] = await Promise.all([requestSiteReport(), manager.list().catch(noModels)]);
  const models = listings
    .filter(({ state, embedding }) => !embedding && state.kind === 'present' && state.missing.length === 0)
    .map(({ id }) => id);
  const files = site?.files ?? 0;
  const missing = site?.missing ?? [];
  const controlled = site !== null;
  return {
    ready: files > 0 && missing.length === 0 && models.length > 0,
    controlled,
    files,
    missing,
    models,
    time: Date.now(),
  };
}

/** Returns no models if the device cannot run any; throws other errors. */
function noModels(thrown: unknown): readonly ModelListing[] {
  if (thrown instanceof ApiError && thrown.code === 'gpu_unavailable') return [];
  throw thrown;
}
