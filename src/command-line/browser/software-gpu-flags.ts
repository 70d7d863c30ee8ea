/**
 * Chromium flags for WebGPU without a graphics card (SwiftShader). They also disable background traffic, which slows
 * the browser down on a closed network.
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
