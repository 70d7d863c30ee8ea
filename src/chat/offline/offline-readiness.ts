import type { ModelManager } from '../../page/index.ts';
import { ApiError } from '../../shared/api-error.ts';
import type { ModelListing } from '../../shared/models/model-management.ts';
import { askSite } from '../browser/site-report.ts';

/** The page's own files take about this many bytes; the service worker stores all of them or none. */
const SITE_BYTES = 10e6;

/** The evidence for, or against, working without a network. */
export interface OfflineReadiness {
  readonly ready: boolean;
  /** False while requests of this page go past the service worker. */
  readonly controlled: boolean;
  /** Files that make up the page. */
  readonly files: number;
  readonly missing: readonly string[];
  /** Whether the browser grants this site enough storage for the page's own files. */
  readonly hasRoom: boolean;
  /** Models with every file on this device. */
  readonly models: readonly string[];
  /** When this was found; milliseconds since 1970. */
  readonly time: number;
}

/** Looks at every file that a start without a network needs. Nothing is assumed from earlier successes. */
export async function offlineReadiness(manager: ModelManager): Promise<OfflineReadiness> {
  const [site, listings, { quota = Infinity, usage = 0 }] = await Promise.all([
    askSite(),
    manager.list().catch(noModels),
    navigator.storage.estimate(),
  ]);
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
    hasRoom: quota - usage > SITE_BYTES,
    models,
    time: Date.now(),
  };
}

/** Where no model can run none makes the page ready; any other failure is no evidence of anything. */
function noModels(thrown: unknown): readonly ModelListing[] {
  if (thrown instanceof ApiError && thrown.code === 'gpu_unavailable') return [];
  throw thrown;
}
