/** Advice for clients. `{chat}` stands for the path of chat completions, `{base}` for the base path. */
const STREAM = 'Ask for a stream from {chat} with `stream: true`.';
const SEND_ALL = 'Keep the conversation in the page, and send all of it to {chat}.';
const NO_TRAINING = 'Models are not trained here; `ModelManager` downloads and deletes them.';
const OWN_TOOL = 'Offer a function of your own to {chat} in `tools`.';
const STATUS = 'See `tabserve.status` of a page, {base}/models and {base}/props.';
const OWN_SCRIPT = 'Call {chat} from a script of your own.';

/**
 * Maps routes that this service lacks to the advice what to do instead, or to the route that does it (a value that
 * begins with a slash). Keys are paths below the base path, or their first segment. Sources: OpenAI's published OpenAPI
 * description and official client (`openai` 7.55), the Messages API, and the own routes of other local servers, which
 * the bridge passes on from outside the base path.
 */
const INSTEAD: Readonly<Record<string, string>> = {
  agents: OWN_SCRIPT,
  assistants: SEND_ALL,
  audio:
    'No model here hears or speaks. The `speechSynthesis` of browsers speaks on the device with a voice whose `localService` is true; other voices send the text to a server.',
  batches: OWN_SCRIPT,
  chatkit: SEND_ALL,
  containers: OWN_TOOL,
  conversations: SEND_ALL,
  edits: 'Ask for the edit in a message to {chat}.',
  engines: 'Name the model in the body of a request to {chat}.',
  evals: OWN_SCRIPT,
  fine_tuning: NO_TRAINING,
  'fine-tunes': NO_TRAINING,
  images: 'No model here makes images; some take images in messages to {chat}.',
  live: STREAM,
  'messages/batches': 'Send the requests of a batch one after another to {base}/messages.',
  moderations: 'Ask a chat model at {chat} whether a text is acceptable.',
  organization: 'There is no account, only the keys of this site, which its own pages make and revoke.',
  realtime: STREAM,
  skills: 'Put instructions into a system message to {chat}.',
  threads: SEND_ALL,
  uploads: 'Send a file in one piece to {base}/files.',
  videos: 'No model here makes or watches videos.',
  webhook_endpoints: STREAM,
  // llama-server
  'apply-template': 'Send `messages` to {base}/tokenize.',
  completion: '/completions',
  embedding: '/embeddings',
  infill: 'Send `prompt` and `suffix` to {base}/completions.',
  'lora-adapters': NO_TRAINING,
  metrics: STATUS,
  reranking: '/rerank',
  slots: STATUS,
  // vLLM
  classify: OWN_SCRIPT,
  load: STATUS,
  ping: '/health',
  pooling: '/embeddings',
  score: '/rerank',
  version: '/props',
  // Ollama, and LM Studio below `v0`
  api: 'Use the API of OpenAI at {base}.',
  'api/chat': '/chat/completions',
  'api/embed': '/embeddings',
  'api/embeddings': '/embeddings',
  'api/generate': '/completions',
  'api/ps': STATUS,
  'api/show': '/models',
  'api/tags': '/models',
  'api/v0/chat/completions': '/chat/completions',
  'api/v0/completions': '/completions',
  'api/v0/embeddings': '/embeddings',
  'api/v0/models': '/models',
  'api/version': '/props',
};

/**
 * Whether another service has this path and this one lacks it. True even if a pattern of a served route
 * would match the path.
 */
export function isUnservedRoute(path: string): boolean {
  return Object.hasOwn(INSTEAD, path.slice(1));
}

/**
 * Returns the error sentence for a path without a route, with advice if there is any.
 * @param path The path below the base path; empty if it is not below it.
 */
export function explainUnservedRoute(path: string, basePath: string): string {
  const chat = `${basePath}/chat/completions`;
  const name = isUnservedRoute(path) ? path.slice(1) : (path.split('/')[1] ?? '');
  if (Object.hasOwn(INSTEAD, name)) {
    const instead = INSTEAD[name]!;
    const advice = instead.startsWith('/') ? `Use {base}${instead}.` : instead;
    const sentence = advice.replaceAll('{chat}', chat).replaceAll('{base}', basePath);
    return `\`${basePath}/${name}\` is not offered here. ${sentence}`;
  }
  const repeated = path.startsWith(`${basePath}/`) ? ` The base URL ends with ${basePath} already.` : '';
  return `Nothing is served at this address.${repeated} Chat completions are at ${chat}.`;
}
