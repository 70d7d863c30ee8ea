import type { TemplateResult } from 'lit';
import type { PageStatus, UpstreamState } from '../../src/page/index.ts';
import type { ApiError } from '../../src/shared/api-error.ts';
import type { ModelListing } from '../../src/shared/models/model-management.ts';
import type { OutsideRequest } from '../../src/shared/security/outside-requests.ts';
import type { RequestRecord } from '../../src/shared/storage/request-record.ts';
import type { SiteReport } from '../../src/shared/messaging/messages.ts';
import type { StoredKey } from '../../src/shared/storage/stored-key.ts';
import type { StoredAnswer } from '../../src/shared/storage/stored-answer.ts';
import type { SentRequest } from '../../src/shared/upstreams/sent-request.ts';
import type { CollectionFile } from '../../src/chat/api/collection-files.ts';
import type { Collection } from '../../src/chat/api/collections.ts';
import type { Conversation, Message } from '../../src/chat/types/conversation.ts';

/** Sample values for a specimen, in place of everything that the real page gets from workers and from the device. */
export interface Surroundings {
  /** Default: the built-in model is ready. */
  readonly status: PageStatus;
  readonly updateAvailable: boolean;
  /** Response to `models/list`: a list, an error, or null for none yet. Default: a list. */
  readonly models: readonly ModelListing[] | ApiError | null;
  readonly storage: { readonly usedBytes: number; readonly quotaBytes: number };
  /** Requests that left the origin. Default: none. */
  readonly outsideRequests: readonly OutsideRequest[];
  /** The service worker's report; null if no service worker controls the page. */
  readonly site: SiteReport | null;
  /** Content-Security-Policy of the page; null if its server sends none. */
  readonly policy: string | null;
  readonly online: boolean;
  readonly conversations: readonly StoredConversation[];
  /** Draft of a new conversation. */
  readonly draft: string;
  readonly keys: readonly StoredKey[];
  /** The request log, oldest first. */
  readonly records: readonly RequestRecord[];
  /** Answers that programs have stored, oldest first. */
  readonly answers: readonly StoredAnswer[];
  /** The upstream servers that the site names. Default: none. */
  readonly upstreams: readonly UpstreamState[];
  /** Requests that were sent to the upstream servers, oldest first. */
  readonly sentRequests: readonly SentRequest[];
  /** The answer of the endpoint: its pieces, and whether it ends after the last one. */
  readonly completion: { readonly pieces: readonly string[]; readonly ends: boolean };
  /** Collections of documents, newest first; an error if they cannot be listed. Default: none. */
  readonly collections: readonly SampleCollection[] | ApiError;
  readonly hash: string;
}

export interface SampleCollection {
  readonly collection: Collection;
  readonly files: readonly CollectionFile[];
  /** Text of each file. */
  readonly text: string;
}

export interface StoredConversation {
  readonly conversation: Conversation;
  readonly messages: readonly Message[];
}

export interface SpecimenState extends Partial<Surroundings> {
  /** Called for each rendering. */
  readonly template: () => TemplateResult;
  /** Performs the user's actions that lead to this state, such as opening a menu. */
  readonly act?: (element: HTMLElement) => Promise<void> | void;
  /**
   * Where the element is placed: in text, in a column as wide as the side bar, in place of a whole screen, or as a
   * whole page with its own landmarks. Default: `text`.
   */
  readonly place?: 'text' | 'side' | 'screen' | 'page';
}

/** Sample states, by element and name. The gallery, its index and its test are generated from these. */
export type SpecimenTable = Readonly<Record<string, Readonly<Record<string, SpecimenState>>>>;
