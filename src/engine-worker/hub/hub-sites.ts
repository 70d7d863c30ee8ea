import { ApiError } from '../../shared/api-error.ts';
import type { CompletionRequest } from '../../shared/engine/completion-request.ts';
import type { HubConsent } from '../../shared/hub/hub-calls.ts';
import type { HubSite, HubSiteChanges } from '../../shared/hub/hub-site.ts';
import type { HubModel } from '../../shared/models/hub-model.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';
import type { Completion } from '../completions/completion.ts';
import type { HubSiteRecords } from './hub-database.ts';

export interface HubSitesOptions {
  readonly records: HubSiteRecords;
  /** Lists the models of the hub. `site` is the root address of the hub, with a trailing slash. */
  readonly listModels: (site: string) => Promise<readonly ModelEntry[]>;
  /** Called when the permission of a site was revoked. Its completions and connections must then end. */
  readonly onRevoked: (origin: string) => void;
}

/** An admitted site and what it has used in the last minute. */
interface Admitted {
  record: HubSite;
  /** Tokens of the last minute's answers with the time of each, in milliseconds since 1970. */
  recent: readonly { readonly time: number; readonly tokens: number }[];
}

/** Limit of sites that asked and were not allowed. Older ones are forgotten, so that nobody fills the list. */
const MAX_REFUSED = 50;

const MINUTE = 60_000;

const NEW_SITE = { isAllowed: false, models: null, tokensPerMinute: null, requests: 0, tokens: 0 } as const;

/** Prefix of {@link embeddedSite}. No address of a site begins with it. */
const EMBEDDED = 'hub ';

/**
 * Returns the name by which completions tell the sites apart that use this engine through a hub, in place of the address
 * of a service worker's scope.
 */
export function embeddedSite(origin: string): string {
  return EMBEDDED + origin;
}

/** Whether the client of a completion is a site that uses this engine through its hub. */
export function isEmbedded(site: string): boolean {
  return site.startsWith(EMBEDDED);
}

/** The sites that may use this engine through its hub, as the person decides. The browser reported their origins. */
export class HubSites {
  readonly #options: HubSitesOptions;
  readonly #admitted = new Map<string, Admitted>();
  /** Root address of the hub by {@link embeddedSite}, also after a revocation. */
  readonly #hubs = new Map<string, string>();

  constructor(options: HubSitesOptions) {
    this.#options = options;
  }

  /** Returns the site whose models a completion uses: the hub for a site that uses it, else the site itself. */
  modelSite(site: string): string {
    return this.#hubs.get(site) ?? site;
  }

  isAdmitted(origin: string): boolean {
    return this.#admitted.has(origin);
  }

  /**
   * Records that a site asks. Returns the models that it may use; null if the person does not allow the site.
   * @param hub Root address of the hub, with a trailing slash.
   * @throws ApiError `storage_unavailable` if it is not known what the person decided.
   */
  async admit(origin: string, consent: HubConsent, hub: string): Promise<readonly HubModel[] | null> {
    const { records, listModels } = this.#options;
    const now = Date.now();
    const known = await records.get(origin);
    const before = known ?? { ...NEW_SITE, origin, firstAsked: now, lastAsked: now };
    const isAllowed = before.isAllowed || consent === 'given' || (consent === 'same-site' && known === undefined);
    const record = { ...before, ...this.#admitted.get(origin)?.record, isAllowed, lastAsked: now };
    await records.put(record);
    if (!isAllowed) {
      await this.#forgetRefused();
      return null;
    }
    this.#hubs.set(embeddedSite(origin), hub);
    this.#admitted.set(origin, { recent: [], ...this.#admitted.get(origin), record });
    return (await listModels(hub)).filter(({ id }) => record.models?.includes(id) ?? true).map(toHubModel);
  }

  async list(): Promise<readonly HubSite[]> {
    const sites = await this.#options.records.list();
    const current = sites.map((site) => this.#admitted.get(site.origin)?.record ?? site);
    return current.toSorted((one, other) => other.lastAsked - one.lastAsked);
  }

  async change(origin: string, changes: HubSiteChanges): Promise<void> {
    const { records, onRevoked } = this.#options;
    const admitted = this.#admitted.get(origin);
    // Before the first await, so that no request passes meanwhile.
    if (admitted) admitted.record = { ...admitted.record, ...changes };
    if (changes.isAllowed === false) {
      this.#admitted.delete(origin);
      onRevoked(origin);
    }
    const stored = await records.get(origin);
    if (stored) await records.put({ ...stored, ...admitted?.record, ...changes });
  }

  async forget(origin: string): Promise<void> {
    if (!this.#admitted.has(origin)) await this.#options.records.delete(origin);
  }

  /** Returns why a site may not send this request; null if it may. */
  refusal(origin: string, { model }: Pick<CompletionRequest, 'model'>): ApiError | null {
    const admitted = this.#admitted.get(origin);
    if (admitted === undefined) return revoked();
    const { models, tokensPerMinute } = admitted.record;
    if (models !== null && !models.includes(model)) {
      const sentence = `The hub does not let this site use the model ${model}. The person can allow it on the hub's page.`;
      return new ApiError('model_not_found', sentence, { param: 'model' });
    }
    if (tokensPerMinute === null) return null;
    const now = Date.now();
    admitted.recent = admitted.recent.filter(({ time }) => now - time < MINUTE);
    const used = admitted.recent.reduce((sum, { tokens }) => sum + tokens, 0);
    if (used < tokensPerMinute) return null;
    const wait = Math.ceil((MINUTE - (now - admitted.recent[0]!.time)) / 1000);
    return new ApiError(
      'rate_limit_exceeded',
      `The hub lets this site use ${tokensPerMinute} tokens a minute, and they are used up.`,
      { retryAfter: Math.min(59, Math.max(1, wait)) },
    );
  }

  /**
   * Counts a completion that has ended. One that was cancelled or has failed has no usage; its pieces are counted, each of
   * which is a token or more.
   */
  async completed({ site, log }: Pick<Completion, 'site' | 'log'>): Promise<void> {
    const admitted = this.#admitted.get(site.slice(EMBEDDED.length));
    if (!isEmbedded(site) || admitted === undefined) return;
    const last = log.events.at(-1);
    const usage = last?.type === 'done' ? last.usage : null;
    const pieces = log.events.filter(({ type }) => type === 'delta').length;
    const tokens = usage === null ? pieces : usage.promptTokens + usage.completionTokens;
    admitted.recent = [...admitted.recent, { time: Date.now(), tokens }];
    const { record } = admitted;
    admitted.record = { ...record, requests: record.requests + 1, tokens: record.tokens + tokens };
    // Without the database the counts last as long as this engine.
    await this.#options.records.put(admitted.record).catch(() => {});
  }

  async #forgetRefused(): Promise<void> {
    const { records } = this.#options;
    const refused = (await records.list()).filter(({ isAllowed }) => !isAllowed);
    const oldest = refused.toSorted((one, other) => other.lastAsked - one.lastAsked).slice(MAX_REFUSED);
    for (const { origin } of oldest) await records.delete(origin);
  }
}

/** The error for a site that the person does not allow, or no longer. */
export function revoked(): ApiError {
  const sentence = "The hub no longer lets this site use its models. The person can allow it on the hub's page.";
  return new ApiError('engine_unavailable', sentence);
}

function toHubModel(model: ModelEntry): HubModel {
  const { id, created, ownedBy, contextWindow, vocabularySize, defaultTemperature, defaultTopP, images, thinking } =
    model;
  return {
    id,
    created,
    ownedBy,
    contextWindow,
    vocabularySize,
    defaultTemperature,
    defaultTopP,
    images,
    thinking,
    ...(model.embedding && { embedding: model.embedding }),
    ...(model.format && { format: model.format }),
  };
}
