import type { ApiErrorData } from '../api-error.ts';
import type { CompletionEvent } from '../engine/completion-event.ts';
import type { CompletionRequest } from '../engine/completion-request.ts';
import type { EngineCallMessage, EngineCallName, EngineResultMessage } from './engine-calls.ts';
import type { EngineStatus } from '../engine/engine.ts';
import type { OutsideRequest } from '../security/outside-requests.ts';
import type { ResumableStream } from '../http/resumable-stream.ts';
import type { SiteModels } from '../models/site-models.ts';
import type { UpstreamInfo } from '../upstreams/upstream.ts';

/**
 * Raised when a message changes its meaning. A page, a service worker and an engine worker of different
 * builds can meet after an update; they compare this number before anything else.
 */
export const PROTOCOL_VERSION = 8;

/** Put here by the build. */
declare const TABSERVE_VERSION: string | undefined;

/** The package's version, as package.json has it. Empty where the sources run without having been built. */
export const VERSION = typeof TABSERVE_VERSION === 'undefined' ? '' : TABSERVE_VERSION;

/** Service worker → window, with a reply port as the only transferred object. */
export interface ConnectEngineMessage {
  readonly type: 'tabserve/connect-engine';
  readonly version: number;
  /** The request that needs the engine, for the trace; empty where it is no request. */
  readonly requestId: string;
}

/**
 * Window → service worker, on the reply port. `engine-port` transfers one port that leads to the engine, and names the
 * Web Lock that the engine holds from its start to its end; `not-host` means that another window runs the engine (only
 * where it is a DedicatedWorker).
 */
export type ConnectEngineReply =
  | { readonly type: 'engine-port'; readonly version: number; readonly lockName: string }
  | { readonly type: 'not-host' }
  | { readonly type: 'engine-failure'; readonly error: ApiErrorData };

/**
 * Window → service worker, with a reply port. A window that does not host the engine asks for a port to
 * the one that does; the answer is a {@link ConnectEngineReply}. Only the service worker can pass ports
 * between windows.
 */
export interface FindEngineMessage {
  readonly type: 'tabserve/find-engine';
  readonly version: number;
}

/** Window → service worker. A hard reload leaves the page uncontrolled until the worker claims it again. */
export interface ClaimMessage {
  readonly type: 'tabserve/claim';
}

/**
 * Window → service worker, with a reply port as the only transferred object: are both of one build, and how was it
 * installed? One that is being installed answers, too.
 */
export interface ServiceWorkerVersionMessage {
  readonly type: 'tabserve/version';
}

/** Service worker → window, on the reply port. Workers of other kinds never answer. */
export interface ServiceWorkerVersionReply {
  /** The worker's {@link PROTOCOL_VERSION}. */
  readonly version: number;
  /** The worker's {@link VERSION}. Default: one that did not say so yet. */
  readonly release?: string;
  /** Where it answers. Default: nowhere, since its options are wrong. */
  readonly basePath?: string;
  /** What the site says of its models. */
  readonly siteModels?: SiteModels;
  /** What is wrong with its options, so that it answers no request, as a sentence. Default: nothing. */
  readonly fault?: string;
}

/** Window → service worker. Nothing is to be done: that there was an event keeps the worker from being stopped. */
export interface KeepAwakeMessage {
  readonly type: 'tabserve/keep-awake';
}

/**
 * Window → waiting service worker, in the customary words: take over once no answer is being given. Repeated until it
 * has, since the browser stops a worker that waits for long.
 */
export interface TakeOverMessage {
  readonly type: 'SKIP_WAITING';
  /** Milliseconds since the first of these messages. Default: 0. */
  readonly waited?: number;
}

/** Window → service worker of the site, with a reply port as the only transferred object. */
export interface SiteReportMessage {
  readonly type: 'tabserve/site-report';
}

/** Service worker → window, on the reply port: what only it can know. */
export interface SiteReport {
  /** Number of files that the page consists of. */
  readonly files: number;
  /** Those that are not in the cache, so that the page would not open without a network. */
  readonly missing: readonly string[];
  /** Its own requests to other origins since it was started; it is stopped and started often. */
  readonly outsideRequests: readonly OutsideRequest[];
}

/** Window → service worker, with a reply port as the only transferred object: which upstreams has the site named? */
export interface ListUpstreamsMessage {
  readonly type: 'tabserve/upstreams';
}

/** Service worker → window, on the reply port. */
export type ListUpstreamsReply = readonly UpstreamInfo[];

/** Client (service worker or page) → engine worker, on an engine port. */
export type EngineRequestMessage =
  | {
      readonly type: 'hello';
      readonly version: number;
      readonly client: 'service-worker' | 'page';
      /**
       * New for each start of the client, and the name of a Web Lock that it holds as long as it lives. A
       * released lock, or a hello from a second service-worker incarnation of the same site, proves that
       * the first is dead: what it subscribed to is orphaned and may be joined by its repetition.
       */
      readonly incarnation: string;
      /** Root of the client's site with a trailing slash, the scope of its service worker. */
      readonly site: string;
      /** What the site says of its models. Default: nothing, it has the built-in ones. */
      readonly siteModels?: SiteModels | undefined;
    }
  | {
      readonly type: 'complete';
      readonly requestId: string;
      readonly fingerprint: string;
      readonly holdTime: number | null;
      /** Absent for an answer that nobody wants to find again. One that is joined is sent from its first event on. */
      readonly resumable?: ResumableStream;
      readonly request: CompletionRequest;
    }
  | { readonly type: 'cancel'; readonly requestId: string }
  /**
   * The resumable answer of this id is not wanted any more, whoever is subscribed to it.
   * `deleted`: nor is what was said until now to be stored. Default: false.
   */
  | { readonly type: 'cancel-stream'; readonly streamId: string; readonly deleted?: boolean }
  /** The answer has been handed on to its last event: the engine may forget it. */
  | { readonly type: 'delivered'; readonly requestId: string }
  | { readonly type: 'watch-status' }
  /** Are you able to answer? Who can says pong, whatever else it is doing. */
  | { readonly type: 'ping' }
  /** This client looks for another engine, because it waited in vain or nobody new can see this one: end. */
  | { readonly type: 'abandon' }
  /** This port is not used any more, though the client lives: nothing of it is to be kept. */
  | { readonly type: 'leave' }
  | { [Name in EngineCallName]: EngineCallMessage<Name> }[EngineCallName];

/** Engine worker → client, on an engine port. */
export type EngineReplyMessage =
  /**
   * Answer to hello. `lockName` is a Web Lock the engine holds as long as it lives. `gpu` describes the
   * graphics adapter in a few words; null means that this worker cannot get one.
   */
  | { readonly type: 'welcome'; readonly version: number; readonly lockName: string; readonly gpu: string | null }
  /** Events that follow one another; `sequence` is the number of the first, counted from 0 for each request. */
  | {
      readonly type: 'events';
      readonly requestId: string;
      readonly sequence: number;
      readonly events: readonly CompletionEvent[];
    }
  | { readonly type: 'pong' }
  | { readonly type: 'status'; readonly status: EngineStatus }
  | { [Name in EngineCallName]: EngineResultMessage<Name> }[EngineCallName]
  | { readonly type: 'failure'; readonly callId: string; readonly error: ApiErrorData };
