/** Bind groups that are kept at most. A token of a large model takes some hundreds, and prompts of other lengths others. */
const MOST_GROUPS = 4096;

/** Bytes of the numbers that a kernel is given for one launch; what is longer is no such thing. */
const MOST_NUMBERS = 256;

/** The part of WebLLM's object for a loaded model that is used or changed here. */
export interface LaunchingPipeline {
  readonly tvm?: { readonly lib?: { readonly webGPUContext?: { readonly device?: GPUDevice } } };
}

/**
 * Tells the graphics device less. For each launch of a kernel WebLLM makes a bind group, writes the kernel's numbers into
 * a small buffer, and begins and ends a compute pass; from one token to the next nearly all numbers and bindings are the
 * same, and launches that follow one another can share a pass. All of it goes to another process, where it costs more than
 * here.
 *
 * @returns whether WebLLM keeps its device where it is looked for; if not, nothing is changed.
 */
export function reuseLaunches({ tvm }: LaunchingPipeline): boolean {
  const device = tvm?.lib?.webGPUContext?.device;
  if (!device) return false;
  keepBindGroups(device);
  skipEqualNumbers(device.queue);
  joinPasses(device);
  return true;
}

function keepBindGroups(device: GPUDevice): void {
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

/** Kernels cannot write to a uniform buffer, so it holds what was written to it last. */
function skipEqualNumbers(queue: GPUQueue): void {
  const write = queue.writeBuffer.bind(queue);
  const written = new WeakMap<GPUBuffer, Uint32Array>();
  queue.writeBuffer = (...call: Parameters<GPUQueue['writeBuffer']>) => {
    const [buffer] = call;
    const numbers = wholeNumbers(call);
    const before = written.get(buffer);
    if (numbers !== null && before !== undefined && isEqual(numbers, before)) return undefined;
    if (numbers !== null) written.set(buffer, numbers);
    else written.delete(buffer);
    return write(...call);
  };
}

/** A copy of what a call writes, where it is all that a uniform buffer is known to hold; else null. */
function wholeNumbers([buffer, offset, data, ...part]: Parameters<GPUQueue['writeBuffer']>): Uint32Array | null {
  // oxlint-disable-next-line no-bitwise -- flags
  if ((buffer.usage & GPUBufferUsage.UNIFORM) === 0 || offset !== 0 || part.length > 0) return null;
  return data instanceof ArrayBuffer && data.byteLength <= MOST_NUMBERS ? new Uint32Array(data.slice(0)) : null;
}

function isEqual(one: Uint32Array, other: Uint32Array): boolean {
  return one.length === other.length && one.every((number, index) => number === other[index]);
}

/** What WebLLM does with a command encoder beside launches. */
const OTHER_COMMANDS = ['copyBufferToBuffer', 'clearBuffer', 'finish'] as const;

/** A pass stays open until its encoder has something else to do. What a launch writes, the next one reads, in a pass too. */
function joinPasses(device: GPUDevice): void {
  const create = device.createCommandEncoder.bind(device);
  device.createCommandEncoder = (descriptor) => {
    const encoder = create(descriptor);
    const begin = encoder.beginComputePass.bind(encoder);
    let open: { readonly pass: GPUComputePassEncoder; end(): void } | null = null;
    const close = () => {
      open?.end();
      open = null;
    };
    encoder.beginComputePass = (described) => {
      if (open !== null && described === undefined) return open.pass;
      close();
      if (described !== undefined) return begin(described);
      const pass = begin();
      open = { pass, end: pass.end.bind(pass) };
      pass.end = () => undefined;
      return pass;
    };
    for (const name of OTHER_COMMANDS) {
      const method: (...values: never[]) => unknown = encoder[name];
      const value = (...values: never[]) => {
        close();
        return method.apply(encoder, values);
      };
      Object.defineProperty(encoder, name, { value });
    }
    return encoder;
  };
}
