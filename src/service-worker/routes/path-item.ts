import type { Exchange } from '../http/exchange.ts';
import type { OperationDescription } from './openapi.ts';

/**
 * Responds to the requests of one route.
 * @param id The variable part of the path, percent-decoded; empty if the path has none.
 * @param innerId The second variable part of the path; empty if the path has none.
 */
export type Handler = (exchange: Exchange, id: string, innerId: string) => Promise<Response>;

interface Operation extends OperationDescription {
  readonly handler: Handler;
}

/** The operations of one path, by method. HEAD is served wherever GET is, OPTIONS everywhere. */
export interface PathItem {
  /**
   * Path below the base path, with at most two variable parts, which are never empty: `{id}` is one segment, `{+id}` may
   * contain slashes (as in URI templates, RFC 6570).
   */
  readonly path: `/${string}`;
  /** Set if no key is needed. */
  readonly isPublic?: true;
  readonly GET?: Operation;
  readonly POST?: Operation;
  readonly DELETE?: Operation;
}
