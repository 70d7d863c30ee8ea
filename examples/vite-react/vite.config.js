import react from '@vitejs/plugin-react';
import { tabserve } from 'tabserve/vite';
import { defineConfig } from 'vite';

export default defineConfig({
  // Any base path works.
  base: '/assistant/',
  plugins: [react(), tabserve()],
});
