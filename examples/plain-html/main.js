import { register } from './tabserve.js';

const tabserve = register();
const form = document.querySelector('form');

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const { question } = Object.fromEntries(new FormData(form));
  await tabserve.ready;
  const response = await tabserve.fetch('/v1/chat/completions', {
    method: 'POST',
    headers: { authorization: 'Bearer local', 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'pocket', messages: [{ role: 'user', content: question }] }),
  });
  const { choices, error } = await response.json();
  if (error) throw new Error(error.message);
  document.querySelector('output').textContent = choices[0].message.content;
});
