/** The commands of an encoder that must not be encoded while a pass is open. */
const OUTSIDE_PASSES = [
  'beginRenderPass',
  'clearBuffer',
  'copyBufferToBuffer',
  'copyBufferToTexture',
  'copyTextureToBuffer',
  'copyTextureToTexture',
  'finish',
  'insertDebugMarker',
  'popDebugGroup',
  'pushDebugGroup',
  'resolveQuerySet',
] as const satisfies readonly (keyof GPUCommandEncoder)[];

/**
 * Lets consecutive compute passes of an encoder share one pass: its end is encoded only before a command that needs it.
 * WebLLM encodes each dispatch in a pass of its own. WebGPU orders the dispatches within a pass in the same way.
 *
 * @param hooks.onEnd Called where a pass would have ended.
 * @param hooks.onCommand Called with the parameters of each command that is not part of a compute pass.
 */
export function sharePass(
  encoder: GPUCommandEncoder,
  { onEnd, onCommand }: { onEnd(): void; onCommand(parameters: readonly unknown[]): void },
): void {
  const begin = encoder.beginComputePass.bind(encoder);
  let open: { readonly pass: GPUComputePassEncoder; end(): void } | null = null;
  const close = () => {
    open?.end();
    open = null;
  };
  encoder.beginComputePass = (descriptor) => {
    if (descriptor !== undefined) {
      close();
      return begin(descriptor);
    }
    if (open !== null) return open.pass;
    const pass = begin();
    open = { pass, end: pass.end.bind(pass) };
    pass.end = () => {
      onEnd();
      return undefined;
    };
    return pass;
  };
  for (const name of OUTSIDE_PASSES) {
    const command = encoder[name] as ((...parameters: unknown[]) => unknown) | undefined;
    if (command === undefined) continue;
    Reflect.set(encoder, name, (...parameters: unknown[]) => {
      close();
      onCommand(parameters);
      return command.apply(encoder, parameters);
    });
  }
}
