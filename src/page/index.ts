export { register, type RegisterOptions } from './register.ts';
export type { Tabserve, TabserveEventMap } from './tabserve.ts';
export type { PageStatus, UnsupportedReason } from './page-status.ts';
export { createApiKeys, type ApiKeys, type ConfiguredKey, type KeyGrant, type NewKey } from '../shared/api-keys.ts';
export { ApiError, type ApiErrorCode, type ApiErrorData } from '../shared/api-error.ts';
export type { StoredKey } from '../shared/store.ts';
