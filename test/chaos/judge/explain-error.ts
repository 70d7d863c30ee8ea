import { API_ERROR_CODES, type ApiErrorCode } from '../../../src/shared/api-error.ts';

/** Something that a fault caused and that may make requests fail. */
export type Cause =
  | 'engine ended'
  | 'service worker ended'
  | 'tab stopped'
  | 'outage'
  | 'upstream away'
  | 'data cleared'
  | 'GPU crashed'
  | 'new build'
  | 'model removed'
  | 'permission revoked'
  | 'no room'
  | 'crowd';

/** The causes that may leave a request without an engine, or its engine without a model. */
const WORKERS: readonly Cause[] = [
  'engine ended',
  'tab stopped',
  'outage',
  'data cleared',
  'GPU crashed',
  'permission revoked',
];

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
  upstream_failed: ['upstream away'],
  upstream_timeout: ['upstream away'],
  // The permission is in the site's database.
  upstream_not_allowed: ['data cleared', 'no room', 'service worker ended', 'tab stopped'],
  // A stored answer.
  answer_not_found: ['data cleared', 'no room'],
  answer_lost: [...WORKERS, 'no room'],
};

/** The codes for errors of APIs that name only the type of an error. */
const CODES_OF_TYPES: Readonly<Record<string, ApiErrorCode>> = {
  rate_limit_error: 'rate_limit_exceeded',
  overloaded_error: 'engine_unavailable',
  server_error: 'engine_unavailable',
  timeout_error: 'engine_timeout',
};

function codeOf(codeOrType: string): string {
  return Object.hasOwn(CODES_OF_TYPES, codeOrType) ? CODES_OF_TYPES[codeOrType]! : codeOrType;
}

/** Returns the HTTP status of an error with this code or type; 500 if neither is known. */
export function statusOf(codeOrType: string): number {
  const code = codeOf(codeOrType);
  return Object.hasOwn(API_ERROR_CODES, code) ? API_ERROR_CODES[code as ApiErrorCode] : 500;
}

/** Whether a fault may explain an error with this code or type. */
export function isExplainable(codeOrType: string): boolean {
  return Object.hasOwn(CAUSES, codeOf(codeOrType));
}

/**
 * Whether one of the causes explains an error with this code or type.
 * @param causes What happened during the request, and before it since the tab's last right answer.
 */
export function isExplained(codeOrType: string, causes: ReadonlySet<Cause>): boolean {
  return isExplainable(codeOrType) && CAUSES[codeOf(codeOrType)]!.some((cause) => causes.has(cause));
}
