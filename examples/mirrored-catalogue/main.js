import { ModelManager, register } from './tabserve.js';

const MODEL = 'TinyLlama-1.1B-Chat-v1.0-q4f32_1-MLC';
const tabserve = register({ serviceWorker: './mirrored-service-worker.js' });
const models = new ModelManager(tabserve);
const form = document.querySelector('form');

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const { question } = Object.fromEntries(new FormData(form));
  await tabserve.ready;
  await fetchModel();
  // If a request names no model, the service worker uses the site's model.
  const response = await tabserve.fetch('/v1/chat/completions', {
    method: 'POST',
    headers: { authorization: 'Bearer local', 'content-type': 'application/json' },
    body: JSON.stringify({ messages: [{ role: 'user', content: question }] }),
  });
  const { choices, error } = await response.json();
  if (error) throw new Error(error.message);
  document.querySelector('output').textContent = choices[0].message.content;
});

async function isHere() {
  const listed = await models.list();
  return listed.find(({ id }) => id === MODEL).state.kind === 'present';
}

/** Downloads the model on the first visit; later visits find it on this device. */
async function fetchModel() {
  if (await isHere()) return;
  const { promise, resolve, reject } = Promise.withResolvers();
  const end = models.watch(async (event) => {
    if (event.type === 'changed') return (await isHere()) && resolve();
    const { phase, failure, receivedBytes, totalBytes } = event.progress;
    if (totalBytes) document.querySelector('progress').value = receivedBytes / totalBytes;
    if (phase === 'failed') reject(new Error(`${failure.message} ${failure.remedy}`));
  });
  await models.download(MODEL);
  await promise.finally(end);
}
