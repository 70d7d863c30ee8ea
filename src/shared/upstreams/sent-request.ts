/** A request to an upstream, as it is listed for the user. */
export interface SentRequest {
  /** Milliseconds since 1970. */
  readonly time: number;
  /** Name of the upstream. */
  readonly upstream: string;
  readonly method: string;
  readonly address: string;
  /** Size of the request body. */
  readonly bytes: number;
}
