export { install, type InstallOptions } from './install.ts';
export type { ConfiguredKey, KeyGrant } from '../shared/find-key-by-hash.ts';
