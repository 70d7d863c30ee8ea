export { register } from './register.ts';
export type { RegisterOptions } from './register-options.ts';
export type { Tabserve, TabserveEventMap } from './tabserve.ts';
export type { EngineCallName, EngineCalls } from '../shared/engine-calls.ts';
export type { PromptCacheUse } from '../shared/engine.ts';
export type { PageStatus, UnsupportedReason } from './page-status.ts';
export { ModelManager } from './model-manager.ts';
export type {
  CustomModel,
  DownloadFailure,
  DownloadProgress,
  ModelEvent,
  ModelListing,
  ModelState,
  StorageReport,
} from '../shared/model-management.ts';
export { createApiKeys, type ApiKeys, type NewKey } from '../shared/api-keys.ts';
export type { ConfiguredKey, KeyGrant } from '../shared/find-key-by-hash.ts';
export type { StoredKey } from '../shared/stored-key.ts';
export { ApiError, type ApiErrorCode, type ApiErrorData } from '../shared/api-error.ts';
export {
  allowUpstream,
  listUpstreams,
  revokeUpstream,
  watchUpstreams,
  type UpstreamState,
} from './upstream-permissions.ts';
export { contentSecurityPolicyDirectives, securityHeaders, type PolicyOptions } from '../shared/security-headers.ts';
