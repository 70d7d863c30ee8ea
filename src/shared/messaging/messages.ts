import type { ApiErrorData } from '../api-error.ts';
import type { CompletionEvent } from '../engine/completion-event.ts';
import type { CompletionRequest } from '../engine/completion-request.ts';
import type { EngineCallMessage, EngineCallName, EngineResultMessage } from '../engine/engine-calls.ts';
import type { CancelledStream, EngineStatus } from '../engine/engine.ts';
import type { OutsideRequest } from '../security/outside-requests.ts';
import type { ResumableStream } from '../http/resumable-stream.ts';
import type { SiteModels } from '../models/site-models.ts';
import type { UpstreamInfo } from '../upstreams/upstream.ts';

/**
 * Increase it when the meaning of a message changes. After an update, contexts of different builds can meet; they
 * compare this number in the handshake.
 */
export const PROTOCOL_VERSION = 11;

/** Set by the build. */
declare const TABSERVE_VERSION: string | undefined;

/** The version in package.json; empty if the sources run without a build. */
export const VERSION = typeof TABSERVE_VERSION === 'undefined' ? '' : TABSERVE_VERSION;

/** Service worker → window, with a reply port as the only transferred object. Asks for a port to the engine. */
export interface ConnectEngineMessage {
  readonly type: 'tabserve/connect-engine';
  /** The request that needs the engine, for the trace; empty if there is none. */
  readonly requestId: string;
}

/**
 * Window → service worker, on the reply port. `engine-port` transfers a port to the engine and names the Web Lock that
 * the engine holds while it lives. `not-host` means that another window runs the engine as a DedicatedWorker.
 * `starting` is sent repeatedly before one of these, while the window waits for an engine.
 */
export type ConnectEngineReply =
  | { readonly type: 'engine-port'; readonly version: number; readonly lockName: string }
  | { readonly type: 'not-host' }
  | { readonly type: 'starting' }
  | { readonly type: 'engine-failure'; readonly error: ApiErrorData };

/**
 * Window → service worker, with a reply port. Requests a port to an engine that another window hosts; the reply is a
 * {@link ConnectEngineReply}. The service worker is needed because only it can pass a port from one window to another.
 */
export interface FindEngineMessage {
  readonly type: 'tabserve/find-engine';
}

/** Window → service worker: claim this page. A page that was hard-reloaded has no controller until it is claimed. */
export interface ClaimMessage {
  readonly type: 'tabserve/claim';
}

/**
 * Window → service worker, with a reply port as the only transferred object: asks for the worker's version and options.
 * A worker that is still being installed replies, too.
 */
export interface ServiceWorkerVersionMessage {
  readonly type: 'tabserve/version';
}

/** Reply to {@link ServiceWorkerVersionMessage}. Service workers that are not Tabserve's never reply. */
export interface ServiceWorkerVersionReply {
  /** The worker's {@link PROTOCOL_VERSION}. */
  readonly version: number;
  /** The worker's {@link VERSION}. Absent in early releases. */
  readonly release?: string;
  /** Path of the endpoint. Absent if the options are invalid. */
  readonly basePath?: string;
  readonly siteModels?: SiteModels;
  /** Hash of all options. Absent if they are invalid, and in early releases. */
  readonly options?: string;
  /**
   * A sentence that says why the options are invalid; the worker then handles no request. Default: the options are
   * valid.
   */
  readonly fault?: string;
}

/** Window → service worker, to keep it running: each message event resets the browser's idle timer for the worker. */
export interface KeepAwakeMessage {
  readonly type: 'tabserve/keep-awake';
}

/** Window → service worker: the browser freezes this window, so it will not receive the rest of its response bodies. */
export interface FrozenMessage {
  readonly type: 'tabserve/frozen';
}

/**
 * Window → waiting service worker: activate once no response is being sent. The window repeats the message, because the
 * browser may stop the worker while it waits. Workbox sends a message of the same type.
 */
export interface TakeOverMessage {
  readonly type: 'SKIP_WAITING';
  /** Milliseconds since the window sent the first of these messages. Default: 0. */
  readonly waited?: number;
}

/**
 * Window → service worker of the site, with a reply port as the only transferred object. Asks whether every file of the
 * site is cached, and which requests went to other origins.
 */
export interface SiteReportMessage {
  readonly type: 'tabserve/site-report';
}

/** Reply to {@link SiteReportMessage}. */
export interface SiteReport {
  /** Number of files that the page consists of. */
  readonly files: number;
  /** Files that are missing in the cache: without them the page does not open offline. */
  readonly missing: readonly string[];
  /** Cross-origin requests of the service worker since it last started. */
  readonly outsideRequests: readonly OutsideRequest[];
  /** Whether the site's options refuse models of other hosts. */
  readonly isStrict: boolean;
}

/** Window → service worker, with a reply port as the only transferred object. Asks for the site's upstreams. */
export interface ListUpstreamsMessage {
  readonly type: 'tabserve/upstreams';
}

/** Reply to {@link ListUpstreamsMessage}. */
export type ListUpstreamsReply = readonly UpstreamInfo[];

/** Identifies one stream of events on an engine port. */
interface Subscription {
  /** Number of the stream, assigned by the client. A request may open several streams, one after the other. */
  readonly subscription: number;
  /** Id of the request, for the trace. */
  readonly requestId: string;
}

/** Client (service worker or page) → engine worker, on an engine port. */
export type EngineRequestMessage =
  | {
      readonly type: 'hello';
      readonly version: number;
      readonly client: 'service-worker' | 'page';
      /**
       * Identifies one start of the client. It is also the name of a Web Lock that the client holds while it lives. If
       * the lock is released, or if this is a service worker and another one of the same site says hello, this client
       * is dead. Its subscriptions are then orphaned, and a repetition of the same request may join their completion.
       */
      readonly incarnation: string;
      /** Scope of the site's service worker, with a trailing slash. */
      readonly site: string;
      /** The models that the site provides. Default: only the built-in models. */
      readonly siteModels?: SiteModels | undefined;
    }
  | (Subscription & {
      readonly type: 'complete';
      readonly fingerprint: string;
      readonly holdTime: number | null;
      /** Absent if the response cannot be resumed. A joined completion is sent from its first event. */
      readonly resumable?: ResumableStream;
      readonly request: CompletionRequest;
    })
  | (Subscription & { readonly type: 'cancel' })
  /** The transferred port is served, too: that of another context, such as the service worker. */
  | { readonly type: 'serve' }
  /** Cancels the resumable completion of this id, by default for all subscribers. */
  | ({ readonly type: 'cancel-stream' } & CancelledStream)
  /** The client needs no more events: the whole response was sent, or the connection broke and may be resumed later. */
  | (Subscription & { readonly type: 'delivered' })
  /** A page uses the engine, and wants its status. */
  | { readonly type: 'watch-status' }
  /** The engine replies with `pong`, unless its thread is blocked. */
  | { readonly type: 'ping' }
  /** The client replaces this engine, because it is unresponsive or invisible to new contexts. The engine must end. */
  | { readonly type: 'abandon' }
  /** The client lives but no longer uses this port. The engine deletes the port's state. */
  | { readonly type: 'leave' }
  /** Reply to `store-log`: this site's database has the log. */
  | { readonly type: 'log-stored'; readonly answerId: string }
  /**
   * Hub's frame → engine, with the other end of the site's port as the only transferred object: serve the page and the
   * service worker of another site. Ignored unless the person allows that site. See `docs/hub.md`.
   */
  | { readonly type: 'embed'; readonly origin: string }
  /** Hub's frame → engine: whether the person sees the page that contains the frame. Default: it is hidden. */
  | { readonly type: 'visible'; readonly visible: boolean }
  | { [Name in EngineCallName]: EngineCallMessage<Name> }[EngineCallName];

/**
 * A task that a page runs for the engine, because a SharedWorker cannot: start a worker with the script at the address
 * `script`, or use the browser's own model (`LanguageModel` exists in windows only).
 */
export type TaskInPage =
  | {
      readonly type: 'start-worker';
      readonly script: string;
      /** The worker's name for debuggers. Default: that of llama.cpp's worker. */
      readonly name?: string;
    }
  | { readonly type: 'serve-browser-model' };

/** Engine worker → page: run a task. The engine communicates with the task over `port`. */
export type PageTaskMessage = TaskInPage & {
  /** Web Lock that the engine holds as long as it needs the task. The page ends the task when the lock is released. */
  readonly wanted: string;
  /** Web Lock that the page or the task holds while the task runs. */
  readonly lockName: string;
  /** If the task cannot start, the page sends a {@link PageTaskFailedMessage} here. */
  readonly port: MessagePort;
};

export interface PageTaskFailedMessage {
  readonly type: 'failed';
  /** The browser's error message; often empty. */
  readonly message: string;
}

/** Engine worker → client, on an engine port. */
export type EngineReplyMessage =
  /**
   * Reply to `hello`. `lockName` is a Web Lock that the engine holds while it lives. `gpu` describes the graphics
   * adapter; null means that this worker cannot get one. `fault` says why this worker can run no model at all.
   */
  | {
      readonly type: 'welcome';
      readonly version: number;
      readonly lockName: string;
      readonly gpu: string | null;
      readonly fault?: ApiErrorData;
    }
  /**
   * Consecutive events; `sequence` is the number of the first, counted from 0 for each subscription. The first message
   * has no events and confirms that the request was received.
   */
  | (Subscription & {
      readonly type: 'events';
      readonly sequence: number;
      readonly events: readonly CompletionEvent[];
    })
  | { readonly type: 'pong' }
  /** The person no longer lets this site use the hub. The engine closes the port. */
  | { readonly type: 'revoked' }
  /** The log of a stored answer of a site that uses this engine through a hub. The site stores it in its own database. */
  | { readonly type: 'store-log'; readonly answerId: string; readonly events: readonly CompletionEvent[] }
  | PageTaskMessage
  | { readonly type: 'status'; readonly status: EngineStatus }
  | { [Name in EngineCallName]: EngineResultMessage<Name> }[EngineCallName]
  | { readonly type: 'failure'; readonly callId: string; readonly error: ApiErrorData };
