import react from '@vitejs/plugin-react';
import { tabserve } from 'tabserve/vite';
import { defineConfig } from 'vite';

export default defineConfig({
  // Any base will do.
  base: '/assistant/',
  plugins: [react(), tabserve()],
});
