import { SOFTWARE_GPU_FLAGS } from '../../src/command-line/browser/software-gpu-flags.ts';

/**
 * Chromium flags for WebGPU on the machine's graphics card. Without a screen Chromium takes SwiftShader by itself where it
 * is not told to draw by Vulkan, and that it has no surface to show.
 */
export const HARDWARE_GPU_FLAGS = [
  ...SOFTWARE_GPU_FLAGS.filter((flag) => !flag.startsWith('--use-webgpu-adapter=')),
  '--enable-features=Vulkan',
  '--use-angle=vulkan',
  '--disable-vulkan-surface',
  '--ignore-gpu-blocklist',
];
