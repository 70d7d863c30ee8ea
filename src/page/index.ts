export { register, type RegisterOptions } from './register.ts';
export type { Tabserve, TabserveEventMap } from './tabserve.ts';
export type { PageStatus, UnsupportedReason } from './page-status.ts';
