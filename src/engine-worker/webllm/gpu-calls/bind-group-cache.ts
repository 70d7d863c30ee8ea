/** Number of bind groups that are kept. A token of a model of 30 layers uses some 300. */
const MAX_GROUPS = 4000;

interface CachedGroup {
  readonly group: GPUBindGroup;
  /** Ids of the buffers that the group binds. */
  readonly buffers: readonly number[];
}

/**
 * Reuses bind groups. WebLLM makes a new one for each dispatch, although the runtime's memory pool gives each step of an
 * answer the same buffers. A group is forgotten when one of its buffers is destroyed.
 */
export class BindGroupCache {
  readonly #create: (descriptor: GPUBindGroupDescriptor) => GPUBindGroup;
  /** The groups by their keys, least recently used first. */
  readonly #groups = new Map<string, CachedGroup>();
  readonly #ids = new WeakMap<object, number>();
  /** Keys of the groups of each buffer, by the buffer's id. */
  readonly #keysOf = new Map<number, Set<string>>();
  #lastId = 0;

  /** @param create The device's own method. */
  constructor(create: (descriptor: GPUBindGroupDescriptor) => GPUBindGroup) {
    this.#create = create;
  }

  /**
   * Returns a group with this layout and these buffers.
   * @param reuse Whether to return an earlier one. If false, a new one is made and kept.
   */
  get(descriptor: GPUBindGroupDescriptor, reuse: boolean): GPUBindGroup {
    let key = String(this.#idOf(descriptor.layout));
    const buffers: number[] = [];
    for (const { binding, resource } of descriptor.entries) {
      if (!('buffer' in resource)) return this.#create(descriptor);
      const id = this.#idOfBuffer(resource.buffer);
      buffers.push(id);
      key += `,${binding}:${id}:${resource.offset ?? 0}:${resource.size ?? ''}`;
    }
    const known = this.#groups.get(key);
    if (known !== undefined && reuse) {
      this.#groups.delete(key);
      this.#groups.set(key, known);
      return known.group;
    }
    const group = this.#create(descriptor);
    this.#groups.set(key, { group, buffers });
    for (const id of buffers) this.#keysOf.get(id)?.add(key);
    const [oldest] = this.#groups.keys();
    if (oldest !== undefined && this.#groups.size > MAX_GROUPS) this.#forget(oldest);
    return group;
  }

  #idOf(object: object): number {
    let id = this.#ids.get(object);
    if (id === undefined) this.#ids.set(object, (id = ++this.#lastId));
    return id;
  }

  #idOfBuffer(buffer: GPUBuffer): number {
    const known = this.#ids.get(buffer);
    if (known !== undefined) return known;
    const id = this.#idOf(buffer);
    this.#keysOf.set(id, new Set());
    const destroy = buffer.destroy.bind(buffer);
    buffer.destroy = () => {
      for (const key of this.#keysOf.get(id) ?? []) this.#forget(key);
      this.#keysOf.delete(id);
      destroy();
    };
    return id;
  }

  #forget(key: string): void {
    for (const id of this.#groups.get(key)?.buffers ?? []) this.#keysOf.get(id)?.delete(key);
    this.#groups.delete(key);
  }
}
