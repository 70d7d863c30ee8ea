import { generateText, jsonSchema, stepCountIs, tool } from 'ai';
import { register } from 'tabserve';
import { createTabserve } from 'tabserve/ai';

const local = createTabserve(register());
const form = document.querySelector('form');

const weather = tool({
  description: 'Tells the weather of a city',
  inputSchema: jsonSchema({
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  }),
  execute: async ({ city }) => `Sunny in ${city}, 21 degrees.`,
});

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const { question } = Object.fromEntries(new FormData(form));
  const { text, steps } = await generateText({
    model: local('pocket'),
    prompt: question,
    tools: { weather },
    stopWhen: stepCountIs(2),
    // The built-in model is too small to decide when to call a tool, so the first step requires a call.
    prepareStep: ({ stepNumber }) => ({ toolChoice: stepNumber === 0 ? 'required' : 'none' }),
    providerOptions: { tabserve: { parallel_tool_calls: false } },
  });
  const [{ output }] = steps[0].toolResults;
  document.querySelector('output').textContent = `${output} ${text}`;
});
