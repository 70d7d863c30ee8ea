import { register } from './tabserve.js';

// Each running service worker holds a lock, by which a page can count them.
async function serviceWorkers() {
  const { held } = await navigator.locks.query();
  return held.map(({ name }) => name).filter((name) => name.startsWith('tabserve-service-worker-'));
}

async function ask() {
  const response = await fetch('/v1/chat/completions', {
    method: 'POST',
    headers: { authorization: 'Bearer local', 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'pocket',
      temperature: 0,
      max_tokens: 8,
      messages: [{ role: 'user', content: 'Hello' }],
    }),
  });
  return response.text();
}

await register().ready;
const before = await ask();
const [first] = await serviceWorkers();
while ((await serviceWorkers()).length > 0) await new Promise((resolve) => setTimeout(resolve, 1000));
const after = await ask();
const [second] = await serviceWorkers();
await fetch(new URLSearchParams(location.search).get('report'), {
  method: 'POST',
  body: JSON.stringify({ before, after, first, second }),
});
