/** What WebLLM does with a command encoder beside launches. */
const OTHER_COMMANDS = ['copyBufferToBuffer', 'clearBuffer', 'finish'] as const;

/** A pass stays open until its encoder has something else to do. What a launch writes, the next one reads, in a pass too. */
export function joinPasses(device: GPUDevice): void {
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
