/** Bind groups that are kept at most. A token of a large model takes some hundreds, and prompts of other lengths others. */
const MOST_GROUPS = 4096;

/** Gives the bind group that was made for the same buffers, where one was. */
export function keepBindGroups(device: GPUDevice): void {
  const create = device.createBindGroup.bind(device);
  const numbers = new WeakMap<GPUBuffer, number>();
  let buffers = 0;
  const numberOf = (buffer: GPUBuffer) => {
    let number = numbers.get(buffer);
    if (number === undefined) numbers.set(buffer, (number = buffers++));
    return number;
  };
  let kept = new Map<GPUBindGroupLayout, Map<string, GPUBindGroup>>();
  let count = 0;
  device.createBindGroup = (descriptor) => {
    let key = '';
    for (const { binding, resource } of descriptor.entries) {
      if (!('buffer' in resource)) return create(descriptor);
      const { buffer, offset = 0, size = '' } = resource;
      key += `${binding}:${numberOf(buffer)}:${offset}:${size},`;
    }
    const ofLayout = kept.get(descriptor.layout) ?? new Map<string, GPUBindGroup>();
    const known = ofLayout.get(key);
    if (known !== undefined) return known;
    // Among them are those of buffers that exist no more.
    if (count++ === MOST_GROUPS) {
      kept = new Map();
      count = 1;
      ofLayout.clear();
    }
    const made = create(descriptor);
    kept.set(descriptor.layout, ofLayout.set(key, made));
    return made;
  };
}
