/** A key that the user created. Only its hash is stored. */
export interface StoredKey {
  /** Lower-case hex SHA-256 of the key. */
  readonly hash: string;
  readonly name: string;
  /** First characters of the key, by which the user recognises it. */
  readonly prefix: string;
  /** Ids of the models that the key may use; null means all. */
  readonly models: readonly string[] | null;
  /** Milliseconds since 1970. */
  readonly created: number;
}

/**
 * The part of the database that keys use. Declared here, because the type of `idb` would make that package a dependency
 * of Tabserve's public types.
 */
export interface KeyStore {
  get(store: 'keys', hash: string): Promise<StoredKey | undefined>;
  getAll(store: 'keys'): Promise<StoredKey[]>;
  put(store: 'keys', key: StoredKey): Promise<unknown>;
  delete(store: 'keys', hash: string): Promise<void>;
}
