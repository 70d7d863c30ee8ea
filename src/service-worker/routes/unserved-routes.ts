/** Advice for clients. `{chat}` stands for the path of chat completions, `{base}` for the base path. */
const STREAM = 'Ask for a stream from {chat} with `stream: true`.';
const SEND_ALL = 'Keep the conversation in the page, and send all of it to {chat}.';
const NO_UPLOADS = 'Put texts, and images as `data:` addresses, into the messages of a request to {chat}.';
const NO_TRAINING = 'Models are not trained here; `ModelManager` downloads and deletes them.';
const OWN_TOOL = 'Offer a function of your own to {chat} in `tools`.';
const OWN_SCRIPT = 'Call {chat} from a script of your own.';

/**
 * Maps routes of the OpenAI and Messages APIs that this service lacks to the advice what to do instead. Keys are paths
 * below the base path, or their first segment. Source: OpenAI's published OpenAPI description and official client
 * (`openai` 7.55).
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
  files: NO_UPLOADS,
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
  uploads: NO_UPLOADS,
  vector_stores: OWN_TOOL,
  videos: 'No model here makes or watches videos.',
  webhook_endpoints: STREAM,
};

/**
 * Whether the OpenAI or Messages API has this path and this service lacks it. True even if a pattern of a served route
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
    const instead = INSTEAD[name]!.replace('{chat}', chat).replace('{base}', basePath);
    return `The API's \`${basePath}/${name}\` is not offered here. ${instead}`;
  }
  const repeated = path.startsWith(`${basePath}/`) ? ` The base URL ends with ${basePath} already.` : '';
  return `Nothing is served at this address.${repeated} Chat completions are at ${chat}.`;
}
