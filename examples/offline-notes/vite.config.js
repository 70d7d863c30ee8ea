import { tabserve } from 'tabserve/vite';
import { defineConfig } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';

export default defineConfig({
  plugins: [
    tabserve(),
    VitePWA({
      registerType: 'autoUpdate',
      manifest: { name: 'Notes', theme_color: '#ffffff' },
      devOptions: { enabled: true },
      workbox: {
        // This site's own service worker also answers /v1/….
        importScripts: ['tabserve-service-worker.js'],
        // Engine and model are cached when they are first used, so that users who only write notes do not download
        // them.
        runtimeCaching: [{ urlPattern: /\/tabserve-engine-worker|\/models\//, handler: 'CacheFirst' }],
      },
    }),
  ],
});
