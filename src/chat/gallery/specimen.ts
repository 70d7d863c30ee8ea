import type { TemplateResult } from 'lit';
import type { PageStatus, UpstreamState } from '../../page/index.ts';
import type { ApiError } from '../../shared/api-error.ts';
import type { ModelListing } from '../../shared/models/model-management.ts';
import type { OutsideRequest } from '../../shared/security/outside-requests.ts';
import type { RequestRecord } from '../../shared/storage/request-record.ts';
import type { SiteReport } from '../../shared/messaging/messages.ts';
import type { StoredKey } from '../../shared/keys/stored-key.ts';
import type { StoredAnswer } from '../../shared/storage/stored-answer.ts';
import type { SentRequest } from '../../shared/upstreams/upstream-database.ts';
import type { Conversation, Message } from '../types/conversation.ts';

/** What an element finds around it: everything that the real page gets from workers and from the device. */
export interface Surroundings {
  /** Default: the built-in model is ready. */
  readonly status: PageStatus;
  readonly updateAvailable: boolean;
  /** Answer of `models/list`: a list, why there is none, or null while none has come. Default: a list. */
  readonly models: readonly ModelListing[] | ApiError | null;
  /** Bytes on the device, and most that may be there. */
  readonly storage: { readonly usedBytes: number; readonly quotaBytes: number };
  /** What has left the origin. Default: nothing. */
  readonly outsideRequests: readonly OutsideRequest[];
  /** What the service worker says; null where none is in charge. */
  readonly site: SiteReport | null;
  /** Content-Security-Policy of the page; null where its server sends none. */
  readonly policy: string | null;
  readonly online: boolean;
  readonly conversations: readonly StoredConversation[];
  /** What has been typed in a new conversation. */
  readonly draft: string;
  readonly keys: readonly StoredKey[];
  /** Oldest first. */
  readonly records: readonly RequestRecord[];
  /** Answers that programs have stored, oldest first. */
  readonly answers: readonly StoredAnswer[];
  /** What the site names beside this device. Default: nothing. */
  readonly upstreams: readonly UpstreamState[];
  /** What was sent to those, oldest first. */
  readonly sentRequests: readonly SentRequest[];
  /** The answer of the endpoint: its pieces, and whether it ends after the last one. */
  readonly completion: { readonly pieces: readonly string[]; readonly ends: boolean };
  /** The address bar's hash. */
  readonly hash: string;
}

export interface StoredConversation {
  readonly conversation: Conversation;
  readonly messages: readonly Message[];
}

/** One state of one element. */
export interface SpecimenState extends Partial<Surroundings> {
  /** Made anew for each showing. */
  readonly template: () => TemplateResult;
  /** What a person would have done to get here, such as opening a menu. */
  readonly act?: (element: HTMLElement) => Promise<void> | void;
  /**
   * Where the element stands: among text, in a column as wide as the side bar, in place of a whole screen, or
   * as the whole page with landmarks of its own. Default: `text`.
   */
  readonly place?: 'text' | 'side' | 'screen' | 'page';
}

/** States by element and name; the gallery, its index and its test are made from these. */
export type SpecimenTable = Readonly<Record<string, Readonly<Record<string, SpecimenState>>>>;
