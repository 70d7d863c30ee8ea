import { ModelManager, register } from './tabserve.js';

const tabserve = register({ serviceWorker: './own-models-worker.js', basePath: '/api/llm' });
await tabserve.ready;

const headers = { authorization: 'Bearer local', 'content-type': 'application/json' };
const body = JSON.stringify({ max_tokens: 8, messages: [{ role: 'user', content: 'What is a token?' }] });
const answer = await fetch('/api/llm/chat/completions', { method: 'POST', headers, body });
const models = await fetch('/api/llm/models', { headers });
// This is not a route of the endpoint, so the site's own server answers.
const other = await fetch('/api/llm/users.json');
document.body.textContent = JSON.stringify({
  answer: await answer.json(),
  models: await models.json(),
  other: await other.json(),
  listed: (await new ModelManager(tabserve).list()).slice(0, 2),
  status: tabserve.status,
});
