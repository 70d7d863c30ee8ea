/**
 * Sentences with the words of a promise that promise neither privacy nor offline use: they explain, report a state, warn, or tell
 * what to do. A sentence that is new or changed has to be sorted: into this list, or with its tests into the promises.
 */
export const REMARKS: Readonly<Record<string, readonly string[]>> = {
  'ARCHITECTURE.md': [
    'Contexts of different sites see no common locks, so a page that reaches the engine holds one of its own site until the frame says that the engine has ended.',
    'A service worker cannot start workers, so a service worker without a port asks a window: first the one that sent the request, then the others.',
    'ApiError is the only error that leaves a context.',
    'A text without codes, such as one that an earlier build has stored, stays English.',
    'Chromium never delivers what a service worker sends to a page that is frozen while it reads, not even after the page is resumed.',
    'Nothing that can be derived is stored.',
    'A new service worker waits until no answer is being sent.',
    "Both stay loaded and take turns, unless they are two GGUF models that exceed half of the device's memory together.",
    "Without it, the site's models (the built-in ones too) and the site's own keys work, requests for downloaded models get a 503, other keys a 401, nothing is logged, and chats stay in the page's memory.",
    "If the cache of the page's own files does not answer within five seconds, the network is asked too.",
    'Unless a grammar or a penalty decides, the token does not even leave the GPU before its next step begins.',
    'The package wllama runs in the engine worker; the worker in which llama.cpp computes belongs to a page, because a SharedWorker cannot start one, and only the worker of a page that is isolated from other origins has threads.',
  ],
  'SECURITY.md': [
    'Programs on the same machine reach a bridge that runs there, with any accepted key, and so do pages of any web server on it, whatever its port.',
    'A library of your own choice is WebAssembly that runs in the engine worker: nothing that it can import reaches the network, the database or the keys, but it sees what you ask, decides what is answered, uses the GPU, and can block the engine.',
  ],
  'docs/chat-page.md': [
    'If one cannot be sent, the question can be sent without it.',
    'The Privacy screen lists each request that has left the origin, the policy that the browser enforces, what is stored and how much of it, the stored answers, and the upstream servers that may answer.',
  ],
  'docs/clients.md': [
    'In the page a client that uses tabserve.fetch gets whole answers even when the browser stops the service worker during one.',
    "Vercel's createOpenAICompatible sends a schema only with supportsStructuredOutputs: true, which tabserve/ai sets; without it generateObject fails.",
    'With another one anybody who reaches it can call with a known key, such as local, but pages only if --allow-origin lets them in: what is not promised',
    'Settings made for other local servers work unchanged: if the endpoint refuses the key ollama, lm-studio, sk-no-key-required or an empty one, the bridge sends the request again with the key local, and if there is no model pocket:latest, with the model pocket.',
    'The mode JSON of instructor sends no schema; grammars of outlines in Lark are a 400',
  ],
  'docs/content-security-policy.md': [
    'the page is isolated from other origins, without which llama.cpp has no threads',
    'Without headers the workers are bound by nothing (on a strict site the service worker adds them for page and engine), other sites can frame the page, and there is no Connection-Allowlist.',
    'A script that is sent without the header is bound by nothing.',
    "Chromium opens no other site from the page then, so the chat page offers to copy the link's address. webrtc=block in the header does not cover the page's own RTCPeerConnection in Chromium 156, which is why the script is needed; the header alone keeps connections from STUN and TURN servers.",
    'A site of your own that wants the same sends securityHeaders(), and has no-webrtc.js of this repository as the first script of its pages.',
  ],
  'docs/endpoint.md': [
    'Streams wait for a loading model as long as the load makes progress, JSON requests at most four minutes; both no longer than 90 % of the timeout that a client sends (x-stainless-timeout)',
  ],
  'docs/getting-started.md': [
    "The second line copies the service worker, the reader of documents and the built-in models, which must come from the site's own origin, into the folder of static files. --no-model leaves the models out; --gguf adds llama.cpp (30 MB) and the built-in chat model as a GGUF file, for browsers without WebGPU and GGUF models. --no-model-hosts makes a strict site. --save writes the folder into package.json; after an update npx tabserve init then copies the same files again.",
  ],
  'docs/how-it-works.md': [
    'the browser stops the service worker during an answer',
    'nothing changes for models on the device.',
  ],
  'docs/hub.md': [
    'the frame does not load within 8 seconds, or says nothing for 5 seconds: offline, away, or headers that do not allow it',
    'Files, vector stores and file_search are not available with a hub: requests get a 403 forbidden_request.',
  ],
  'docs/limits.md': [
    'Without network, a PDF can be read only if it embeds the tables of characters that its fonts need.',
    "The page works offline only if all of its files fit into the browser's storage (about 10 MB).",
    'Where they do not, the page needs the network each time.',
    'A frozen page (in the background, for example on a phone) gets nothing more of a body that a service worker sends.',
  ],
  'docs/models.md': [
    'The file is downloaded, kept and deleted like any other model. contextWindow (default: 4,096 tokens) takes memory, and is at most what the model was trained with.',
    "Without them it has one thread; status.engine and the response header x-tabserve-engine say not cross-origin isolated. npx tabserve serve sends them, securityHeaders() contains them, and the Vite plugin's gguf: true sends them in development and preview.",
  ],
  'docs/prompt-api.md': [
    'A model that is not on this device is unavailable, never downloadable: download it with ModelManager first.',
  ],
  'docs/prove-it.md': [
    "Each step shows with the browser's own means what leaves the device and what does not.",
    'It needs no network.',
    'Without network',
    'Open the page once and wait for Works offline.',
    "Among the tests are a walk through every feature of the page under the browser's network log (every-feature), the first load and the first answer under it (egress), the consent for upstreams (upstreams), attacks from other origins (security), and the button with and without headers (try-to-leak).",
  ],
  'docs/security-and-privacy.md': [
    "the page's own files, so that it opens offline",
    'answers of requests with store: true, and responses without store: false, with their questions',
  ],
  'docs/upstreams.md': [
    'On the chat page the user allows it under Privacy → Answers from elsewhere or, without WebGPU, in the notice above the chat, and may also enter a key there.',
    "After 20 s the headers are sent without waiting for the upstream's; a later failure is in the body, under the status 200.",
    'A later failure stays a failure of this device.',
    'They cannot be resumed after a reload, x-tabserve-stream-id has no effect, and the upstream handles store and previous_response_id.',
    'The traffic between the machines is not encrypted and must not be reachable for others: give VLLM_HOST_IP an address in a private network.',
    'It needs no key, so anyone who reaches the port may use it: protect it by the network or a proxy.',
    'Retry-After reaches clients only if it also sends Access-Control-Expose-Headers: Retry-After.',
    'A site that itself comes from the local network is not asked.',
  ],
  'docs/hosting.md': [
    'A site that loads pictures, fonts or scripts of other origins adds these to the policy, or sends only the directives that Tabserve needs.',
    'the browser enforces the policy, and llama.cpp has threads',
    'GitHub Pages, and any host that sends none',
  ],
  'docs/your-site.md': [
    'false lets a service worker with newer options wait until applyUpdate() is called; default: it takes over once no response is being sent.',
    'The options differ, or register() names another script than before: the newer worker takes over once no response is being sent, without a reload, in all tabs. ready waits for that, unless a response is being sent, but at most 15 seconds.',
    'The page decides when it calls applyUpdate(), which lets the newer worker take over once no response is being sent, and reloads the page.',
    'true passes requests below basePath that match no route of the endpoint on to the network, for a site with a server there.',
    'Models of other hosts that were downloaded earlier stay usable.',
    'With securityHeaders() Chromium from version 152 on opens no other site from your pages, unless it is named there: neither links nor redirects to a login elsewhere, nor WebRTC in frames and new windows.',
    'That the browser enforces it, too, is up to the headers: securityHeaders([]) names no other origin. npx tabserve serve --no-model-hosts sends these and sets the option, in this repository npm start -- --no-model-hosts; the Privacy screen of the chat page then says "Strict".',
    "Where a server sends no Content-Security-Policy, the service worker of the chat page adds these headers to the page and the engine worker's script.",
    'A policy that the server sends stays as it is, with its frame-ancestors.',
    'true adds llama.cpp (30 MB in two programs, of which a browser fetches one) and the built-in chat model as a GGUF file, for browsers without WebGPU and GGUF models, and sends the headers for its threads in development and preview; default: false',
    'Neither engine nor models are precached, whatever the patterns say; offline-notes keeps them when they are first used.',
    'If the browser stops the service worker during an answer, the stream breaks off, but the engine continues. tabserve.fetch is a fetch that resumes an answer of /v1/chat/completions, without a gap, a repetition or a second generation; other requests pass unchanged.',
    'sent with the same request: the number of the last event received (−1 for none).',
    'With store: true an answer also outlives the tab that asked, while any tab of the site is open: GET of its id waits for its end, also after stops and reloads.',
    'If the browser cannot store anything, the answer comes without being stored.',
    'Responses are stored unless they say store: false; they report their state at any time, a lost or cancelled one in its status.',
    'Any web server works that sends scripts with their type over https. npx tabserve serve FOLDER serves a built site on localhost with the headers of securityHeaders():',
  ],
  'src/chat/strings/answer-errors.ts': [
    'This model is not on this device.',
    'The other server took too long to answer.',
  ],
  'src/chat/strings/attachment-strings.ts': [
    'Not sent: … cannot go with it.',
    'Only the name of this file was kept when you left the page.',
    'The characters of this PDF could not be looked up: that takes a file of this site which is not on the device yet.',
    'The encoding of this text is unclear.',
  ],
  'src/chat/strings/bench-strings.ts': ['No model is on this device yet.'],
  'src/chat/strings/context-window-strings.ts': [
    'The messages above are no longer sent to the model.',
    'They stay in this chat, but are no longer sent.',
  ],
  'src/chat/strings/conversation-strings.ts': [
    'It stays here while this page is open, and is stored as soon as the browser writes again.',
    'The browser has no room to keep this text: it is lost if you leave or reload this page.',
  ],
  'src/chat/strings/gguf-strings.ts': ['This device is offline.'],
  'src/chat/strings/leak-strings.ts': [
    'By its version, this browser enforces the Connection-Allowlist of the server: it stops what the list does not name, without telling the page.',
    'A Content-Security-Policy does not stop it, and no Connection-Allowlist is in force in this browser.',
  ],
  'src/chat/strings/model-strings.ts': [
    'You are offline.',
    'Nothing was downloaded; try again when you are back online.',
    'Keep for offline use',
    'What you have downloaded is kept; delete a model that you do not need, then resume.',
  ],
  'src/chat/strings/offline-strings.ts': [
    'Not ready for offline use yet',
    'Checking for offline use',
    'Proof of offline use',
    'No room on this device for the files of the page: it needs the network each time.',
    'No model is stored in full',
  ],
  'src/chat/strings/outside-link-strings.ts': ['This page cannot open other sites'],
  'src/chat/strings/privacy-strings.ts': [
    'The rule the browser enforces',
    'The server sent no Content-Security-Policy: this site’s service worker adds this one to the page and the engine, from the second visit on.',
    'The server sent no Content-Security-Policy with this page.',
    'The page itself, for offline use',
    'None are stored.',
    'Titles and addresses of chats stay in the browser’s own history.',
  ],
  'src/chat/strings/upstream-strings.ts': ['No server that this site names was found.'],
  'src/chat/strings/unsupported-strings.ts': [
    'Until then your chats can be read, searched, exported and deleted, and every setting stays in reach.',
  ],
};
