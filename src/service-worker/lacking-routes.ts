const MODELS_PAGE = 'models are managed under "Models" on the page.';

/**
 * Routes of the cloud API that this service lacks, by the first segment of their path below the base path: what a caller
 * can do instead. Source: the published OpenAPI description of the API, and its official client (`openai` 7.55).
 */
const INSTEAD: Readonly<Record<string, string>> = {
  agents: 'Agents run in a client library of yours, which calls {chat} with `tools`.',
  assistants: 'Send the whole conversation to {chat} instead, with `tools` for functions.',
  audio: 'No model here hears or speaks; browsers have `speechSynthesis` and `SpeechRecognition`.',
  batches: 'Send the requests one by one to {chat}: up to eight of them wait in the queue.',
  chatkit: 'Keep sessions and threads in the page, and send the whole conversation to {chat}.',
  containers: 'Nothing runs code here; offer your own function to {chat} in `tools`.',
  conversations: 'Keep the conversation in the page, and send all of it to {chat}.',
  edits: 'Ask for the edit in a message to {chat}.',
  embeddings: 'No model here computes embeddings.',
  engines: 'Name the model in the body of a request to {chat}; {models} lists them.',
  evals: 'Run the evaluation in a script of yours that calls {chat}.',
  files: 'Nothing is uploaded; put texts, and images as `data:` addresses, into the messages of a request to {chat}.',
  fine_tuning: `Models are not trained here; ${MODELS_PAGE}`,
  'fine-tunes': `Models are not trained here; ${MODELS_PAGE}`,
  images: 'No model here makes images; some models take images in messages to {chat}.',
  live: 'Ask for a stream from {chat} with `stream: true`.',
  moderations: 'No model here classifies texts for moderation; a chat model can be asked to at {chat}.',
  organization: `There is no account, only keys of this site; they and the log are on the page.`,
  realtime: 'Ask for a stream from {chat} with `stream: true`.',
  skills: 'Put instructions into a system message to {chat}.',
  threads: 'Keep the thread in the page, and send the whole conversation to {chat}.',
  uploads: 'Nothing is uploaded; put texts, and images as `data:` addresses, into the messages of a request to {chat}.',
  vector_stores: 'Nothing is indexed here; put what is to be searched into the messages of a request to {chat}.',
  videos: 'No model here makes or watches videos.',
  webhook_endpoints: 'Nothing here calls back; read the answer, or its stream, from {chat}.',
};

/**
 * Why nothing is served at a path, and what to do instead.
 * @param path The path below the base path; empty where it is not below it.
 */
export function explainLackingRoute(path: string, basePath: string): string {
  const chat = `${basePath}/chat/completions`;
  const [, first = ''] = path.split('/');
  if (Object.hasOwn(INSTEAD, first)) {
    const instead = INSTEAD[first]!.replace('{chat}', chat).replace('{models}', `${basePath}/models`);
    return `The API's \`${basePath}/${first}\` is not offered here. ${instead}`;
  }
  const repeated = path.startsWith(`${basePath}/`) ? ` The base URL ends with ${basePath} already.` : '';
  return `Nothing is served at this address.${repeated} Chat completions are at ${chat}.`;
}
