/** Another server to which a question goes. */
export interface Destination {
  readonly name: string;
  /** Host and port, such as `localhost:4383`. */
  readonly host: string;
  /** Whether the question goes there only if this device cannot answer it. */
  readonly isFallback: boolean;
}
