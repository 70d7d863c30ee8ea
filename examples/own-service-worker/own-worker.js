// The site's own service worker caches its files for offline use, and also answers /v1/….
import { install } from './service-worker.js';

install({
  keys: [{ key: 'my-key', name: 'the site', models: ['pocket'] }],
  aliases: { 'gpt-4o-mini': 'pocket' },
});

const SITE = ['./', './main.js', './tabserve.js', './tabserve-engine-worker.js'];

self.addEventListener('install', (event) => event.waitUntil(caches.open('site').then((cache) => cache.addAll(SITE))));

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || new URL(request.url).pathname.startsWith('/v1/')) return;
  event.respondWith(fetch(request).catch(async () => (await caches.match(request)) ?? Response.error()));
});
