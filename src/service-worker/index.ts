export { install, type InstallOptions } from './lifecycle/install.ts';
export type { ConfiguredKey, KeyGrant } from '../shared/find-key-by-hash.ts';
export type { ModelOptions, SiteModel } from '../shared/site-models.ts';
export type { Upstream, UpstreamRoute } from '../shared/upstream.ts';
