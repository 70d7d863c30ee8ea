/** A key that the user made. The key itself is never stored, only its SHA-256. */
export interface StoredKey {
  /** Lower-case hex SHA-256 of the key. */
  readonly hash: string;
  /** What the user called it. */
  readonly name: string;
  /** First characters, to tell keys apart on the page. */
  readonly prefix: string;
  /** Ids this key may use; null means all. */
  readonly models: readonly string[] | null;
  /** Milliseconds since 1970. */
  readonly created: number;
}

/** What keys need of the database; its own type would bring the types of a package with it to everyone who uses ours. */
export interface KeyStore {
  get(store: 'keys', hash: string): Promise<StoredKey | undefined>;
  getAll(store: 'keys'): Promise<StoredKey[]>;
  put(store: 'keys', key: StoredKey): Promise<unknown>;
  delete(store: 'keys', hash: string): Promise<void>;
}
