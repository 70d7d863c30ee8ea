/**
 * Chromium flags for WebGPU without a graphics card (SwiftShader), with the browser's own background
 * traffic off so that a closed network does not slow it down.
 */
export const SOFTWARE_GPU_FLAGS = [
  '--enable-unsafe-webgpu',
  '--use-webgpu-adapter=swiftshader',
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
];
