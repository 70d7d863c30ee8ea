/** A GPU buffer, represented by one number as its contents. */
interface Buffer {
  readonly usage: number;
  contents: number;
  isDestroyed: boolean;
  destroy(): void;
}

interface Group {
  readonly layout: number;
  readonly buffers: readonly Buffer[];
}

interface Pass {
  setBindGroup(group: Group): void;
  dispatchWorkgroups(workgroups: number): void;
  end(): void;
}

/** A buffer and its pointer. */
export interface Allocated {
  readonly buffer: Buffer;
}

/**
 * A fake of WebLLM's WebGPU context with a device that executes: a write at once, commands when they are submitted. A
 * dispatch changes its first buffer to a number that depends on the kernel and on the contents of all its buffers. Calls
 * that WebGPU forbids throw.
 */
export class ExecutingContext {
  /** Number of calls of WebGPU. */
  calls = 0;
  pendingEncoder: ReturnType<ExecutingContext['device']['createCommandEncoder']> | null = null;
  pendingDispatchCount = 0;
  readonly #uniforms: { readonly buffer: Buffer; readonly size: number }[] = [];
  readonly device = inheriting({
    queue: inheriting({
      writeBuffer: (buffer: Buffer, _offset: number, data: ArrayBuffer) => {
        this.calls++;
        use(buffer).contents = hash(new Int32Array(data));
      },
      submit: (lists: readonly (readonly (() => void)[])[]) => {
        this.calls++;
        for (const list of lists) for (const command of list) command();
      },
    }),
    createBindGroup: ({ layout, entries }: { layout: { id: number }; entries: { resource: Allocated }[] }): Group => {
      this.calls++;
      return { layout: layout.id, buffers: entries.map(({ resource }) => use(resource.buffer)) };
    },
    createCommandEncoder: () => {
      const commands: (() => void)[] = [];
      let state: 'open' | 'in a pass' | 'finished' = 'open';
      const become = (from: typeof state, to: typeof state) => {
        if (state !== from) throw new Error(`The encoder is ${state}.`);
        state = to;
        this.calls++;
      };
      return inheriting({
        beginComputePass: (): Pass => {
          become('open', 'in a pass');
          let bound: Group | undefined;
          return inheriting({
            setBindGroup: (group: Group) => {
              bound = group;
            },
            dispatchWorkgroups: (workgroups: number) => {
              become('in a pass', 'in a pass');
              const { layout, buffers } = bound!;
              commands.push(() => {
                const inputs = buffers.map((buffer) => use(buffer).contents);
                buffers[0]!.contents = hash([layout, workgroups, ...inputs]);
              });
            },
            end: () => become('in a pass', 'open'),
          });
        },
        copyBufferToBuffer: (from: Buffer, to: Buffer) => {
          become('open', 'open');
          commands.push(() => {
            use(to).contents = use(from).contents;
          });
        },
        finish: () => {
          become('open', 'finished');
          return commands;
        },
      });
    },
  });
  readonly #layouts = [0, 1, 2].map((id) => ({ id }));

  allocate(contents: number): Allocated {
    return { buffer: newBuffer(GPUBufferUsage.STORAGE, contents) };
  }

  free({ buffer }: Allocated): void {
    this.flushCommands();
    buffer.destroy();
  }

  /** Encodes a dispatch as WebLLM does: in a pass of its own, with a uniform buffer of its own. */
  dispatch(kernel: number, tensors: readonly Allocated[], numbers: readonly number[], workgroups: number): void {
    this.pendingEncoder ??= this.device.createCommandEncoder();
    const pass = this.pendingEncoder.beginComputePass();
    const words = Int32Array.from([...numbers, workgroups]);
    const uniform = this.#uniform(words.byteLength);
    this.device.queue.writeBuffer(uniform, 0, words.buffer);
    const entries = [...tensors, { buffer: uniform, size: words.byteLength }];
    const layout = this.#layouts[kernel]!;
    const descriptor = { layout, entries: entries.map((resource, binding) => ({ binding, resource })) };
    pass.setBindGroup(this.device.createBindGroup(descriptor));
    pass.dispatchWorkgroups(workgroups);
    pass.end();
  }

  write({ buffer }: Allocated, value: number): void {
    this.flushCommands();
    this.device.queue.writeBuffer(buffer, 0, Int32Array.of(value).buffer);
  }

  copy(from: Allocated, to: Allocated): void {
    this.pendingEncoder ??= this.device.createCommandEncoder();
    this.pendingEncoder.copyBufferToBuffer(from.buffer, to.buffer);
  }

  /** Submits a copy to the CPU. @returns a function that returns what was copied. */
  read(from: Allocated): () => number {
    const { buffer } = this.allocate(-1);
    this.copy(from, { buffer });
    this.flushCommands();
    return () => buffer.contents;
  }

  flushCommands(): void {
    if (this.pendingEncoder === null) return;
    this.device.queue.submit([this.pendingEncoder.finish()]);
    this.pendingEncoder = null;
    this.pendingDispatchCount = 0;
  }

  #uniform(size: number): Buffer {
    const index = this.pendingDispatchCount++;
    const known = this.#uniforms[index];
    if (known && known.size >= size) return known.buffer;
    known?.buffer.destroy();
    // oxlint-disable-next-line no-bitwise -- flags
    const buffer = newBuffer(GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST, 0);
    this.#uniforms[index] = { buffer, size };
    return buffer;
  }
}

/** Returns an object that inherits these methods, as the browser's objects do. */
function inheriting<Methods extends object>(methods: Methods): Methods {
  return Object.create(methods) as Methods;
}

function newBuffer(usage: number, contents: number): Buffer {
  const buffer: Buffer = inheriting({
    usage,
    contents,
    isDestroyed: false,
    destroy() {
      buffer.isDestroyed = true;
    },
  });
  return buffer;
}

function use(buffer: Buffer): Buffer {
  if (buffer.isDestroyed) throw new Error('The buffer is destroyed.');
  return buffer;
}

function hash(numbers: Iterable<number>): number {
  let result = 17;
  // oxlint-disable-next-line no-bitwise -- keeps 32 bits
  for (const number of numbers) result = (Math.imul(result, 31) + number + 7) | 0;
  return result;
}
