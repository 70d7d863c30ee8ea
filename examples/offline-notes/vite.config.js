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
        // The service worker of this site answers /v1/… too.
        importScripts: ['tabserve-service-worker.js'],
        // Engine and model are kept when they are used first, so that nobody waits for them who only writes notes.
        runtimeCaching: [{ urlPattern: /\/tabserve-engine-worker|\/models\//, handler: 'CacheFirst' }],
      },
    }),
  ],
});
