type Key = string | readonly string[];
type Value = Readonly<Record<string, Key>>;
type Range = Key | { readonly lower: Key; readonly upper: Key };

/** Names an access and the object store that it is to. */
export type Access = `${'read' | 'put' | 'delete'} ${string}`;

/**
 * The databases of a site, for `vi.mock('idb')`, because Node lacks them: the parts of the interface that the chat
 * page's drafts, files and chats use. Transactions are neither isolated nor undone.
 */
export class MemoryIdb {
  /** Values by database and object store. */
  readonly #databases = new Map<string, Map<string, MemoryStore>>();
  /** Accesses that fail. */
  readonly failing = new Set<Access>();
  #deadly: Access | null = null;
  #isDead = false;

  /** The next such access never ends, nor does any later one: the page is killed before it. */
  killAt(access: Access): void {
    this.#deadly = access;
  }

  /** Lets a new page access the databases. */
  revive(): void {
    this.#deadly = null;
    this.#isDead = false;
  }

  readonly openDB = async (
    name: string,
    _version: number,
    { upgrade }: { readonly upgrade: (created: object) => void },
  ): Promise<object> => {
    let stores = this.#databases.get(name);
    if (stores === undefined) {
      stores = new Map();
      this.#databases.set(name, stores);
      const created = stores;
      upgrade({
        createObjectStore: (store: string, { keyPath }: { readonly keyPath: string | readonly string[] }) => {
          created.set(store, new MemoryStore(keyPath, (kind) => this.#check(`${kind} ${store}`)));
          return { createIndex: () => {} };
        },
      });
    }
    return databaseOf(stores);
  };

  async #check(access: Access): Promise<void> {
    this.#isDead ||= access === this.#deadly;
    if (this.#isDead) return new Promise(() => {});
    if (this.failing.has(access)) throw new DOMException(`${access} fails.`, 'UnknownError');
  }
}

/** An `IDBKeyRange` for {@link MemoryIdb}. */
export const memoryKeyRange = { bound: (lower: Key, upper: Key) => ({ lower, upper }) };

class MemoryStore {
  readonly #values = new Map<string, Value>();
  readonly #keyPath: string | readonly string[];
  readonly #check: (kind: 'read' | 'put' | 'delete') => Promise<void>;

  constructor(keyPath: string | readonly string[], check: (kind: 'read' | 'put' | 'delete') => Promise<void>) {
    this.#keyPath = keyPath;
    this.#check = check;
  }

  readonly get = async (key: Key) => (await this.#found(key))[0];
  readonly getKey = async (key: Key) => (await this.#found(key)).map((value) => this.#keyOf(value))[0];
  readonly getAll = (range?: Range | null) => this.#found(range);
  readonly getAllKeys = async (range?: Range | null) => (await this.#found(range)).map((value) => this.#keyOf(value));
  readonly count = async () => this.#values.size;

  readonly put = async (value: Value): Promise<void> => {
    await this.#check('put');
    this.#values.set(JSON.stringify(this.#keyOf(value)), value);
  };

  readonly add = this.put;

  readonly delete = async (range: Range): Promise<void> => {
    await this.#check('delete');
    for (const value of await this.#found(range)) this.#values.delete(JSON.stringify(this.#keyOf(value)));
  };

  readonly index = (name: string) => {
    const found = async (key?: Key) =>
      (await this.#found(null)).filter((value) => key === undefined || isEqual(value[name]!, key));
    const cursorAt = (values: readonly Value[]): object | null =>
      values[0] === undefined
        ? null
        : {
            key: values[0][name],
            primaryKey: this.#keyOf(values[0]),
            continue: async () => cursorAt(values.slice(1)),
          };
    return {
      getAll: found,
      getAllKeys: async (key: Key) => (await found(key)).map((value) => this.#keyOf(value)),
      count: async (key: Key) => (await found(key)).length,
      openKeyCursor: async () => cursorAt(await found()),
    };
  };

  async #found(range: Range | null = null): Promise<readonly Value[]> {
    await this.#check('read');
    return [...this.#values.values()].filter((value) => range === null || isIn(this.#keyOf(value), range));
  }

  #keyOf(value: Value): Key {
    return typeof this.#keyPath === 'string' ? value[this.#keyPath]! : this.#keyPath.map((name) => String(value[name]));
  }
}

function databaseOf(stores: ReadonlyMap<string, MemoryStore>): object {
  const objectStore = (name: string) => stores.get(name)!;
  return {
    addEventListener: () => {},
    transaction: (names: string | readonly string[]) => ({
      objectStore,
      store: objectStore([names].flat()[0]!),
      done: Promise.resolve(),
      commit: () => {},
    }),
    get: (name: string, key: Key) => objectStore(name).get(key),
    getKey: (name: string, key: Key) => objectStore(name).getKey(key),
    put: (name: string, value: Value) => objectStore(name).put(value),
    getAll: (name: string, range?: Range) => objectStore(name).getAll(range),
    getAllKeys: (name: string) => objectStore(name).getAllKeys(),
    delete: (name: string, key: Key) => objectStore(name).delete(key),
    getAllFromIndex: (name: string, index: string, key: Key) => objectStore(name).index(index).getAll(key),
    getAllKeysFromIndex: (name: string, index: string, key: Key) => objectStore(name).index(index).getAllKeys(key),
    countFromIndex: (name: string, index: string, key: Key) => objectStore(name).index(index).count(key),
  };
}

function isEqual(one: Key, other: Key): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function isIn(key: Key, range: Range): boolean {
  if (typeof range === 'string' || Array.isArray(range)) return isEqual(key, range as Key);
  const { lower, upper } = range as { readonly lower: Key; readonly upper: Key };
  const [at, from, to] = [key, lower, upper].map((one) => [one].flat().join('\u0000'));
  return from! <= at! && at! <= to!;
}
