export { install, type InstallOptions } from './lifecycle/install.ts';
export type { ConfiguredKey, KeyGrant } from '../shared/keys/find-key-grant.ts';
export type { ModelOptions, SiteModel } from '../shared/models/site-models.ts';
export type { Upstream, UpstreamRoute } from '../shared/upstreams/upstream.ts';
