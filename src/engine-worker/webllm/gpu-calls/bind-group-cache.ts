/** Number of bind groups that are kept for each buffer that is the last one of a group. */
const MAX_GROUPS = 16;

/** A part of a buffer, as a bind group binds it. */
interface BoundBuffer {
  readonly binding: number;
  readonly buffer: GPUBuffer;
  readonly offset: number;
  /** Undefined for the rest of the buffer. */
  readonly size: number | undefined;
}

interface CachedGroup {
  readonly group: GPUBindGroup;
  readonly layout: GPUBindGroupLayout;
  readonly bound: readonly BoundBuffer[];
  /** The last of its buffers. */
  readonly last: GPUBuffer;
}

/**
 * Reuses bind groups. WebLLM makes a new one for each dispatch, although the runtime's memory pool gives each step of an
 * answer the same buffers. A group is forgotten when one of its buffers is destroyed.
 *
 * A group is searched among those with the same last buffer. There are few: WebLLM gives each dispatch between two
 * submits a uniform buffer of its own, as the last one. So this is faster than to look up a key made of all buffers.
 */
export class BindGroupCache {
  readonly #create: (descriptor: GPUBindGroupDescriptor) => GPUBindGroup;
  /** The groups by their last buffers, most recently used first. */
  readonly #groups = new WeakMap<GPUBuffer, CachedGroup[]>();
  /** The groups by each of their buffers. */
  readonly #groupsWith = new WeakMap<GPUBuffer, Set<CachedGroup>>();

  /** @param create The device's own method. */
  constructor(create: (descriptor: GPUBindGroupDescriptor) => GPUBindGroup) {
    this.#create = create;
  }

  /**
   * Returns a group with this layout and these buffers.
   * @param reuse Whether to return an earlier one. If false, a new one is made and kept.
   */
  get(descriptor: GPUBindGroupDescriptor, reuse: boolean): GPUBindGroup {
    const { layout } = descriptor;
    // WebLLM passes an array. Another iterable could perhaps be read only once.
    const entries: readonly GPUBindGroupEntry[] = Array.isArray(descriptor.entries) ? descriptor.entries : [];
    const last = bindingOf(entries.at(-1))?.buffer;
    if (last === undefined) return this.#create(descriptor);
    const known = this.#groupsEndingWith(last);
    const index = indexOf(known, layout, entries);
    const found = known[index];
    if (found && reuse) {
      if (index > 0) known.unshift(...known.splice(index, 1));
      return found.group;
    }
    const group = this.#create(descriptor);
    const bound = boundBuffers(entries);
    if (bound === null) return group;
    const kept: CachedGroup = { group, layout, bound, last };
    for (const { buffer } of bound) this.#groupsOf(buffer).add(kept);
    known.unshift(kept);
    const oldest = known.at(-1);
    if (oldest && known.length > MAX_GROUPS) this.#forget(oldest);
    return group;
  }

  #groupsEndingWith(last: GPUBuffer): CachedGroup[] {
    const known = this.#groups.get(last);
    if (known) return known;
    const groups: CachedGroup[] = [];
    this.#groups.set(last, groups);
    return groups;
  }

  #groupsOf(buffer: GPUBuffer): Set<CachedGroup> {
    const known = this.#groupsWith.get(buffer);
    if (known) return known;
    const groups = new Set<CachedGroup>();
    this.#groupsWith.set(buffer, groups);
    const destroy = buffer.destroy.bind(buffer);
    buffer.destroy = () => {
      for (const one of groups) this.#forget(one);
      destroy();
    };
    return groups;
  }

  #forget(group: CachedGroup): void {
    for (const { buffer } of group.bound) this.#groupsWith.get(buffer)?.delete(group);
    const known = this.#groupsEndingWith(group.last);
    known.splice(known.indexOf(group), 1);
  }
}

/** Returns the binding of a buffer; null for another resource. */
function bindingOf(entry: GPUBindGroupEntry | undefined): GPUBufferBinding | null {
  return entry !== undefined && 'buffer' in entry.resource ? entry.resource : null;
}

/** Returns what the entries bind; null if not all are buffers. */
function boundBuffers(entries: readonly GPUBindGroupEntry[]): BoundBuffer[] | null {
  const bound: BoundBuffer[] = [];
  for (const entry of entries) {
    const resource = bindingOf(entry);
    if (resource === null) return null;
    const { buffer, offset = 0, size } = resource;
    bound.push({ binding: entry.binding, buffer, offset, size });
  }
  return bound;
}

/** Returns the index of the group with this layout and exactly these buffers; -1 if there is none. */
function indexOf(
  groups: readonly CachedGroup[],
  layout: GPUBindGroupLayout,
  entries: readonly GPUBindGroupEntry[],
): number {
  // A loop, because this runs for each dispatch, and a function for `findIndex` would be made each time.
  for (let index = 0; index < groups.length; index++) {
    const one = groups[index]!;
    if (one.layout === layout && binds(one, entries)) return index;
  }
  return -1;
}

function binds({ bound }: CachedGroup, entries: readonly GPUBindGroupEntry[]): boolean {
  if (bound.length !== entries.length) return false;
  for (let index = 0; index < bound.length; index++) {
    const { binding, buffer, offset, size } = bound[index]!;
    const entry = entries[index]!;
    const resource = bindingOf(entry);
    if (resource === null || resource.buffer !== buffer || entry.binding !== binding) return false;
    if ((resource.offset ?? 0) !== offset || resource.size !== size) return false;
  }
  return true;
}
