/** Another server to which a question is sent. */
export interface Destination {
  readonly name: string;
  /** Host and port, such as `localhost:4383`. */
  readonly host: string;
  /** Whether the question is sent there only if this device cannot answer it. */
  readonly isFallback: boolean;
}
