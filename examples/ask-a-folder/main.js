// Answers questions about a folder of documents: PDF, DOCX, EPUB, HTML, text and others. The files are stored, read and
// searched on the device. The numbers in an answer, such as [1], are those of the passages below it.
import OpenAI from 'openai';
import { register } from 'tabserve';

const tabserve = register();
const client = new OpenAI({
  apiKey: 'local',
  baseURL: `${location.origin}/v1`,
  dangerouslyAllowBrowser: true,
  fetch: tabserve.fetch,
});

const folder = document.querySelector('#folder');
const form = document.querySelector('form');
const read = document.querySelector('#read');
const answer = document.querySelector('#answer');
const passages = document.querySelector('#passages');

let store;

async function readFolder(files) {
  await tabserve.ready;
  store ??= await client.vectorStores.create({ name: 'Folder' });
  const batch = await client.vectorStores.fileBatches.uploadAndPoll(store.id, { files: [...files] });
  const { completed, total } = batch.file_counts;
  return `${completed} of ${total} files can be asked.`;
}

async function ask(question) {
  const { output, output_text } = await client.responses.create({
    // The built-in model is too small to read well: it shows that the passages are found. Name a larger one here.
    model: 'pocket',
    input: question,
    max_output_tokens: 120,
    tools: [{ type: 'file_search', vector_store_ids: [store.id], max_num_results: 3 }],
    include: ['file_search_call.results'],
  });
  const { results } = output.find(({ type }) => type === 'file_search_call');
  const notes = output.flatMap(({ content = [] }) => content.flatMap(({ annotations = [] }) => annotations));
  return { text: output_text, results, cited: new Set(notes.map(({ file_id }) => file_id)) };
}

function showPassages({ results, cited }) {
  const items = results.map(({ file_id, filename, attributes, text }) => {
    const item = document.createElement('li');
    const source = document.createElement('cite');
    source.textContent = attributes.page ? `${filename}, page ${attributes.page}` : filename;
    if (cited.has(file_id)) source.style.fontWeight = 'bold';
    item.append(source, ` ${text}`);
    return item;
  });
  passages.replaceChildren(...items);
}

folder.addEventListener('change', async () => {
  read.textContent = 'Reading …';
  read.textContent = await readFolder(folder.files).catch(({ message }) => message);
  form.querySelector('button').disabled = store === undefined;
});

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  answer.textContent = 'Searching …';
  passages.replaceChildren();
  try {
    const found = await ask(new FormData(form).get('question'));
    showPassages(found);
    answer.textContent = found.text;
  } catch (error) {
    answer.textContent = error.message;
  }
});
