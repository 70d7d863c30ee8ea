/** Something that a fault caused and that may make requests fail. */
export type Cause =
  | 'engine ended'
  | 'service worker ended'
  | 'tab stopped'
  | 'outage'
  | 'data cleared'
  | 'GPU crashed'
  | 'new build'
  | 'model removed'
  | 'no room'
  | 'crowd';

/** The causes that may leave a request without an engine, or its engine without a model. */
const WORKERS: readonly Cause[] = ['engine ended', 'tab stopped', 'outage', 'data cleared', 'GPU crashed'];

/** The causes of each error that a fault may bring; other errors are never explained. */
const CAUSES: Readonly<Record<string, readonly Cause[]>> = {
  rate_limit_exceeded: ['crowd'],
  engine_unavailable: [...WORKERS, 'service worker ended', 'new build'],
  engine_timeout: ['tab stopped', 'GPU crashed'],
  model_loading: [...WORKERS, 'model removed'],
  model_not_loaded: ['model removed'],
  model_load_failed: [...WORKERS, 'model removed', 'no room'],
  gpu_unavailable: ['GPU crashed'],
  gpu_device_lost: ['GPU crashed'],
  reload_required: ['data cleared', 'new build'],
  storage_unavailable: ['data cleared', 'no room'],
  // Other APIs than chat completions name the kind of an error only: these types stand for 429, 503 and 504.
  rate_limit_error: ['crowd'],
  overloaded_error: [...WORKERS, 'service worker ended', 'new build'],
  server_error: [...WORKERS, 'service worker ended', 'new build'],
  timeout_error: ['tab stopped', 'GPU crashed'],
};

/**
 * Whether one of the causes explains an error with this code.
 * @param causes What happened during the request, and before it since the tab's last right answer.
 */
export function isExplained(code: string, causes: ReadonlySet<Cause>): boolean {
  return Object.hasOwn(CAUSES, code) && CAUSES[code]!.some((cause) => causes.has(cause));
}
