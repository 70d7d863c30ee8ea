/** The hub's options for its models, beside its scripts. */
export const OPTIONS_FILE = 'tabserve-hub.json';

/** A site that has asked to use the models of this hub. */
export interface HubSite {
  /** Origin of the site, as the browser reported it. */
  readonly origin: string;
  /** Whether the person allows the site to use the models. */
  readonly isAllowed: boolean;
  /** Whether the person has ever revoked that. Such a site is not forgotten, as it could then ask as a new one. */
  readonly isRevoked?: boolean;
  /** Ids of the models that the site may use; null means all. */
  readonly models: readonly string[] | null;
  /** Limit of tokens (prompts and answers) in each minute; null means none. */
  readonly tokensPerMinute: number | null;
  /** When the site asked first and last, in milliseconds since 1970. */
  readonly firstAsked: number;
  readonly lastAsked: number;
  /** Requests that were answered, and their tokens. */
  readonly requests: number;
  readonly tokens: number;
}

/** What the person may change about a {@link HubSite}. */
export type HubSiteChanges = Partial<Pick<HubSite, 'isAllowed' | 'models' | 'tokensPerMinute'>>;
