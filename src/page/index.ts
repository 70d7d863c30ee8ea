export { register } from './register.ts';
export type { RegisterOptions, RegisterServiceWorker } from './register-options.ts';
export type { Tabserve, TabserveEventMap } from './tabserve.ts';
export type { EngineCallName, EngineCalls } from '../shared/engine/engine-calls.ts';
export type { ExtensionStatus, PromptCacheUse } from '../shared/engine/engine.ts';
export type { HubState, PageStatus, UnsupportedReason } from './status/page-status.ts';
export { ModelManager } from './model-manager.ts';
export type {
  CustomModel,
  DownloadFailure,
  DownloadProgress,
  ModelEvent,
  ModelListing,
  ModelState,
  StorageReport,
} from '../shared/models/model-management.ts';
export { createApiKeys, type ApiKeys, type NewKey } from '../shared/keys/api-keys.ts';
export type { ConfiguredKey, KeyGrant } from '../shared/keys/find-key-grant.ts';
export type { StoredKey } from '../shared/storage/stored-key.ts';
export { ApiError, type ApiErrorCode, type ApiErrorData } from '../shared/api-error.ts';
export type { CodedSentence } from '../shared/coded-sentence.ts';
export { allowUpstream, listUpstreams, revokeUpstream, type UpstreamState } from './upstream-permissions.ts';
export { watchUpstreams } from '../shared/upstreams/watch-upstreams.ts';
export {
  contentSecurityPolicyDirectives,
  hubHeaders,
  securityHeaders,
  type PolicyOptions,
} from '../shared/security/security-headers.ts';
