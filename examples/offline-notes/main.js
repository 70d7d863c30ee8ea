import { register } from 'tabserve';

const tabserve = register();
const form = document.querySelector('form');
const list = document.querySelector('ul');
const output = document.querySelector('output');
const notes = JSON.parse(localStorage.getItem('notes') ?? '[]');

function show() {
  list.replaceChildren(...notes.map((note) => Object.assign(document.createElement('li'), { textContent: note })));
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  notes.push(new FormData(form).get('note'));
  localStorage.setItem('notes', JSON.stringify(notes));
  form.reset();
  show();
});

document.querySelector('#summarise').addEventListener('click', async () => {
  output.textContent = '';
  await tabserve.ready;
  const response = await tabserve.fetch('/v1/chat/completions', {
    method: 'POST',
    headers: { authorization: 'Bearer local', 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'pocket',
      messages: [{ role: 'user', content: `${notes.join('\n')}\n\nSummarise this text in one sentence.` }],
      max_tokens: 100,
    }),
  });
  const { choices, error } = await response.json();
  if (error) throw new Error(error.message);
  output.textContent = choices[0].message.content;
});

show();
