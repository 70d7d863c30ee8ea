import type { HubSite } from '../../../src/shared/hub/hub-site.ts';
import type { HubSiteRecords } from '../../../src/engine-worker/hub/hub-database.ts';

/** What the person decided about sites, in memory. It outlives workers, as the database does. */
export class MemoryHubRecords implements HubSiteRecords {
  readonly sites = new Map<string, HubSite>();

  async get(origin: string): Promise<HubSite | undefined> {
    return this.sites.get(origin);
  }

  async list(): Promise<readonly HubSite[]> {
    return [...this.sites.values()];
  }

  async put(site: HubSite): Promise<void> {
    this.sites.set(site.origin, structuredClone(site));
  }

  async delete(origin: string): Promise<void> {
    this.sites.delete(origin);
  }
}
