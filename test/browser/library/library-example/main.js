import { register } from './tabserve.js';

const tabserve = register();
await tabserve.ready;
const response = await fetch('/v1/chat/completions', {
  method: 'POST',
  headers: { authorization: 'Bearer local', 'content-type': 'application/json' },
  body: JSON.stringify({ model: 'pocket', messages: [{ role: 'user', content: 'What is a token?' }] }),
});
const { choices } = await response.json();
document.body.textContent = choices[0].message.content;
