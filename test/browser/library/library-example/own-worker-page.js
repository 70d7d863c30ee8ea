import { ModelManager, register } from './tabserve.js';

const tabserve = register({ serviceWorker: './own-worker.js', serviceWorkerType: 'module' });
await tabserve.ready;

async function ask(key) {
  const response = await fetch('/v1/chat/completions', {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'gpt-4o-mini',
      max_tokens: 8,
      messages: [{ role: 'user', content: 'What is a token?' }],
    }),
  });
  return { status: response.status, body: await response.json() };
}

const mine = await ask('my-key');
const standard = await ask('local');
const [builtIn] = await new ModelManager(tabserve).list();
document.body.textContent = JSON.stringify({ mine, standard, builtIn, status: tabserve.status });
