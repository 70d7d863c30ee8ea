// Answers questions from the text of the page it is on, and links to the paragraphs that it answered from. Both models
// come with the library files, and nothing that is read or asked leaves the browser.
import { register } from './tabserve.js';

const MAX_SOURCES = 2;

const tabserve = register();
const form = document.querySelector('form');
const answer = document.querySelector('#answer');
const sources = document.querySelector('#sources');
const paragraphs = [...document.querySelectorAll('main p')];

/** The paragraphs with their vectors; computed at the first question. */
let indexed = null;

async function post(route, body) {
  await tabserve.ready;
  const response = await tabserve.fetch(`/v1/${route}`, {
    method: 'POST',
    headers: { authorization: 'Bearer local', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const result = await response.json();
  if (result.error) throw new Error(result.error.message);
  return result;
}

async function embed(input) {
  const { data } = await post('embeddings', { model: 'pocket-embed', input });
  return data.map(({ embedding }) => embedding);
}

/** The heading above a paragraph is added, because it helps to understand the paragraph. */
function textOf(paragraph) {
  let before = paragraph.previousElementSibling;
  while (before && !/^H\d$/.test(before.tagName)) before = before.previousElementSibling;
  return `${before?.textContent ?? ''}: ${paragraph.textContent}`;
}

async function indexPage() {
  const vectors = await embed(paragraphs.map(textOf));
  return paragraphs.map((paragraph, index) => ({ paragraph, vector: vectors[index] }));
}

/** Vectors have the length 1, so this is the cosine of the angle between them. */
function likeness(one, other) {
  return one.reduce((sum, value, index) => sum + value * other[index], 0);
}

async function closestTo(question) {
  indexed ??= await indexPage();
  const [sought] = await embed([question]);
  return indexed
    .map(({ paragraph, vector }) => ({ paragraph, close: likeness(vector, sought) }))
    .toSorted((a, b) => b.close - a.close)
    .slice(0, MAX_SOURCES)
    .map(({ paragraph }) => paragraph);
}

function showSources(found) {
  const links = found.map((paragraph) => {
    paragraph.id ||= `paragraph-${paragraphs.indexOf(paragraph) + 1}`;
    const item = document.createElement('li');
    const link = document.createElement('a');
    link.href = `#${paragraph.id}`;
    link.textContent = paragraph.textContent;
    item.append(link);
    return item;
  });
  sources.replaceChildren(...links);
}

async function ask(question) {
  const found = await closestTo(question);
  showSources(found);
  const text = found.map((paragraph) => paragraph.textContent).join('\n');
  const content = `${text}\n\nAnswer from this text: ${question}`;
  const messages = [{ role: 'user', content }];
  const { choices } = await post('chat/completions', { model: 'pocket', messages, temperature: 0, max_tokens: 120 });
  return choices[0].message.content;
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  answer.textContent = 'Reading …';
  sources.replaceChildren();
  const { question } = Object.fromEntries(new FormData(form));
  answer.textContent = await ask(question).catch(({ message }) => message);
});
