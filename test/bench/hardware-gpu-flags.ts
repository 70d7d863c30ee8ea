import { SOFTWARE_GPU_FLAGS } from '../../src/command-line/browser/software-gpu-flags.ts';

/**
 * Chromium flags for WebGPU on the machine's graphics card. Without a display, Chromium falls back to SwiftShader
 * unless it draws with Vulkan and without a surface.
 */
export const HARDWARE_GPU_FLAGS = [
  ...SOFTWARE_GPU_FLAGS.filter((flag) => !flag.startsWith('--use-webgpu-adapter=')),
  '--enable-features=Vulkan',
  '--use-angle=vulkan',
  '--disable-vulkan-surface',
  '--ignore-gpu-blocklist',
  // Chromium offers no 16-bit floats on NVIDIA cards under Linux by itself, and llama.cpp needs them.
  '--enable-dawn-features=vulkan_enable_f16_on_nvidia',
];
