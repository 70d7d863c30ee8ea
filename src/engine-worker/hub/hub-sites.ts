import { ApiError } from '../../shared/api-error.ts';
import type { HubConsent } from '../../shared/hub/hub-calls.ts';
import type { HubSite, HubSiteChanges } from '../../shared/hub/hub-site.ts';
import type { HubModel } from '../../shared/models/hub-model.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';
import type { Completion } from '../completions/completion.ts';
import { embeddedSite, isEmbedded, originOf } from '../embedded-site.ts';
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
  /** Tokens of the last minute's answers with the time of each, by `performance.now()`: the clock may be set back. */
  recent: readonly { readonly time: number; readonly tokens: number }[];
}

/** Limit of sites that asked and about which the person has not decided. Older ones are forgotten, so that nobody fills the list. */
const MAX_REFUSED = 50;

const MINUTE = 60_000;

const NEW_SITE = { isAllowed: false, models: null, tokensPerMinute: null, requests: 0, tokens: 0 } as const;

function ofLastMinute({ recent }: Admitted): Admitted['recent'] {
  return recent.filter(({ time }) => performance.now() - time < MINUTE);
}

/** The sites that may use this engine through its hub, as the person decides. The browser reported their origins. */
export class HubSites {
  readonly #options: HubSitesOptions;
  readonly #admitted = new Map<string, Admitted>();
  /** Root address of the hub by {@link embeddedSite}, also after a revocation. */
  readonly #hubs = new Map<string, string>();
  /** Sites whose revocation is being stored. Meanwhile none of them is admitted, however often it asks. */
  readonly #revoking = new Set<string>();
  /** The last change of the records. Each change waits for it, because it reads a record before it writes. */
  #changed: Promise<unknown> = Promise.resolve();

  constructor(options: HubSitesOptions) {
    this.#options = options;
  }

  /**
   * Returns the site whose models a request uses: the hub for a site that uses it, else the site itself.
   * @throws ApiError if the site may not use this model, or has used up its tokens.
   */
  modelSite(site: string, model: string): string {
    const refusal = isEmbedded(site) ? this.#refusal(originOf(site), model) : null;
    if (refusal) throw refusal;
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
    const record = await this.#inTurn(async () => {
      const now = Date.now();
      const known = await records.get(origin);
      const before = known ?? { ...NEW_SITE, origin, firstAsked: now };
      const isAllowed = before.isAllowed || consent === 'given' || (consent === 'same-site' && known === undefined);
      const asked = { ...before, isAllowed, lastAsked: now };
      // A full disk refuses no site that the person has allowed: of that one only the time of this question is not kept.
      await records.put(asked).catch((thrown: unknown) => {
        if (!before.isAllowed) throw thrown;
      });
      if (!isAllowed) await this.#forgetRefused();
      if (!isAllowed || this.#revoking.has(origin)) return null;
      this.#hubs.set(embeddedSite(origin), hub);
      this.#admitted.set(origin, { recent: [], ...this.#admitted.get(origin), record: asked });
      return asked;
    });
    if (record === null) return null;
    return (await listModels(hub)).filter(({ id }) => record.models?.includes(id) ?? true).map(toHubModel);
  }

  /** The sites in an order that never changes: none can move to the place of a button that the person is about to click. */
  async list(): Promise<readonly HubSite[]> {
    const sites = await this.#options.records.list();
    const current = sites.map((site) => this.#admitted.get(site.origin)?.record ?? site);
    return current.toSorted((one, other) => one.firstAsked - other.firstAsked);
  }

  async change(origin: string, changes: HubSiteChanges): Promise<void> {
    const { records } = this.#options;
    const admitted = this.#admitted.get(origin);
    // Before the first await, so that no request passes meanwhile.
    if (admitted) admitted.record = { ...admitted.record, ...changes };
    const isRevoked = changes.isAllowed === false;
    if (isRevoked) {
      this.#revoking.add(origin);
      this.#revoke(origin);
    }
    await this.#inTurn(async () => {
      const stored = await records.get(origin);
      if (stored === undefined) return;
      const record = { ...stored, ...changes, ...(isRevoked && { isRevoked }) };
      this.#update(record);
      await records.put(record);
    }).finally(() => isRevoked && this.#revoking.delete(origin));
  }

  /** Returns why a site may not use a model now; null if it may. */
  #refusal(origin: string, model: string): ApiError | null {
    const admitted = this.#admitted.get(origin);
    if (admitted === undefined) return revoked();
    const { models, tokensPerMinute } = admitted.record;
    if (models !== null && !models.includes(model)) {
      const sentence = `The hub does not let this site use the model ${model}. The person can allow it on the hub's page.`;
      return new ApiError('model_not_found', sentence, { param: 'model' });
    }
    if (tokensPerMinute === null) return null;
    admitted.recent = ofLastMinute(admitted);
    const used = admitted.recent.reduce((sum, { tokens }) => sum + tokens, 0);
    if (used < tokensPerMinute) return null;
    const wait = Math.ceil((MINUTE - (performance.now() - admitted.recent[0]!.time)) / 1000);
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
    const origin = originOf(site);
    const admitted = this.#admitted.get(origin);
    if (!isEmbedded(site) || admitted === undefined) return;
    const last = log.events.at(-1);
    const usage = last?.type === 'done' ? last.usage : null;
    const pieces = log.events.filter(({ type }) => type === 'delta').length;
    if (usage === null && pieces === 0) return;
    const tokens = usage === null ? pieces : usage.promptTokens + usage.completionTokens;
    const count = (record: HubSite) => ({
      ...record,
      requests: record.requests + 1,
      tokens: record.tokens + tokens,
    });
    admitted.recent = [...ofLastMinute(admitted), { time: performance.now(), tokens }];
    admitted.record = count(admitted.record);
    await this.#inTurn(async () => {
      const stored = await this.#options.records.get(origin);
      // Another engine, of another build of this hub, may have got the person's decision.
      if (!stored?.isAllowed) return this.#revoke(origin);
      this.#update(count(stored));
      await this.#options.records.put(count(stored));
      // Without the database the counts last as long as this engine.
    }).catch(() => {});
  }

  #revoke(origin: string): void {
    if (this.#admitted.delete(origin)) this.#options.onRevoked(origin);
  }

  #update(record: HubSite): void {
    const admitted = this.#admitted.get(record.origin);
    if (admitted) admitted.record = record;
  }

  #inTurn<Result>(change: () => Promise<Result>): Promise<Result> {
    const changing = this.#changed.then(change);
    this.#changed = changing.catch(() => {});
    return changing;
  }

  async #forgetRefused(): Promise<void> {
    const { records } = this.#options;
    const refused = (await records.list()).filter(({ isAllowed, isRevoked }) => !isAllowed && !isRevoked);
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
