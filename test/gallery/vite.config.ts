import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/** Vite's development server for the gallery. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  publicDir: fileURLToPath(new URL('../../public', import.meta.url)),
  server: { open: '/gallery.html' },
});
