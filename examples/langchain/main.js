import { StringOutputParser } from '@langchain/core/output_parsers';
import { ChatPromptTemplate } from '@langchain/core/prompts';
import { ChatOpenAI } from '@langchain/openai';
import { register } from 'tabserve';

const tabserve = register();
const form = document.querySelector('form');

const model = new ChatOpenAI({
  model: 'pocket',
  apiKey: 'local',
  configuration: { baseURL: `${location.origin}/v1`, dangerouslyAllowBrowser: true, fetch: tabserve.fetch },
});
const prompt = ChatPromptTemplate.fromMessages([
  ['system', 'You answer in one sentence.'],
  ['human', '{question}'],
]);
const chain = prompt.pipe(model).pipe(new StringOutputParser());

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  await tabserve.ready;
  let text = '';
  for await (const piece of await chain.stream(Object.fromEntries(new FormData(form)))) {
    text += piece;
    document.querySelector('output').textContent = text;
  }
});
