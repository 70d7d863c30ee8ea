import type { BoundTest } from './promise.ts';

/** The tests to which promises are bound, by what they show. */
export const TESTS = {
  hubStreams: {
    file: 'test/engine-worker/hub/embedded-sites.test.ts',
    title: 'a site can neither join nor cancel the stream of another site',
  },
  hubCalls: { file: 'test/engine-worker/hub/embedded-sites.test.ts', title: 'a site cannot call %s' },
  hubModels: {
    file: 'test/browser/engine/hub-models.spec.ts',
    title: 'three sites get the answers of an engine of their own, and the second and third fetch no byte of a model',
  },
  firstAnswer: {
    file: 'test/browser/privacy/egress.spec.ts',
    title: 'from the first load to the last token, no request leaves the origin',
  },
  documentsOffline: {
    file: 'test/browser/documents/documents-screen.spec.ts',
    title: 'who has opened the screen once can index and ask documents without a network',
  },
  everyFeature: {
    file: 'test/browser/privacy/every-feature.spec.ts',
    title:
      'a session that uses every feature of the page sends no request to another origin, attempts none, and stores only what is documented',
  },
  policyStops: {
    file: 'test/browser/privacy/try-to-leak.spec.ts',
    title: 'with our headers, the browser reports for each governed way out which directive stopped it',
  },
  withoutHeaders: {
    file: 'test/browser/privacy/try-to-leak.spec.ts',
    title:
      'without headers, and without what the page itself forbids, no way out counts as stopped, although every request fails',
  },
  consent: {
    file: 'test/browser/privacy/upstreams.spec.ts',
    title: 'nothing is sent before the user agrees, then exactly the request, and nothing afterwards',
  },
  upstreamHeader: {
    file: 'test/browser/privacy/upstreams.spec.ts',
    title: 'without the response header that allows the upstream, the browser blocks its requests',
  },
  upstreamNotResumed: {
    file: 'test/service-worker/upstreams/upstreams.test.ts',
    title: 'a response of an upstream cannot be resumed, and the attempt sends nothing',
  },
  foreignRequests: {
    file: 'test/browser/privacy/security.spec.ts',
    title: 'no request of such a page reaches the endpoint, whatever its mode and destination',
  },
  downloadsListed: {
    file: 'test/browser/privacy/privacy.spec.ts',
    title: 'the privacy screen says that nothing was sent, and lists each request of a model download',
  },
  everythingDeleted: {
    file: 'test/browser/privacy/privacy.spec.ts',
    title: 'deleting everything asks first, then removes caches, databases, localStorage and the service worker',
  },
  temporaryChat: {
    file: 'test/browser/chat/temporary-chat.spec.ts',
    title:
      'a temporary chat answers, says that it is temporary, leaves every storage unchanged, and is gone after a reload',
  },
  program: {
    file: 'test/browser/tools/javascript-tool.spec.ts',
    title: 'programs that try to escape the sandbox or exhaust the device end with an explanation, and send no request',
  },
  offline: {
    file: 'test/browser/lifecycle/offline.spec.ts',
    title: 'after one visit a new page opens, loads the model and answers without network',
  },
  offlineBadge: {
    file: 'test/browser/lifecycle/offline.spec.ts',
    title: 'the offline badge notices and names an evicted file',
  },
  ggufOffline: {
    file: 'test/browser/models/gguf.spec.ts',
    title: 'after a reload without network the model gives the same answer',
  },
  bench: {
    file: 'test/browser/developers/bench.spec.ts',
    title: 'the bench page compares the endpoint with WebLLM, and sends nothing',
  },
  keyHash: {
    file: 'test/service-worker/http/api-keys.test.ts',
    title: 'a key is random, shown once, and stored only as its hash',
  },
  logWithoutKey: {
    file: 'test/service-worker/request-log/request-log.test.ts',
    title: 'no record holds the key itself',
  },
  strict: {
    file: 'test/browser/privacy/strict.spec.ts',
    title:
      'a strict site chats, offline too, says what strict means, and refuses a model of a hub before a request leaves',
  },
  policyInPage: {
    file: 'test/browser/privacy/try-to-leak.spec.ts',
    title: 'on a site without headers, the policy in the page stops what the page tries, but not what workers try',
  },
  noFrame: { file: 'test/browser/privacy/security.spec.ts', title: 'such a page cannot show ours in a frame' },
  navigation: {
    file: 'test/browser/privacy/webrtc.spec.ts',
    title: 'takes neither the page nor a new tab to another site',
  },
  images: { file: 'test/service-worker/request/messages.test.ts', title: 'an image address that is a web page' },
  foreignPages: {
    file: 'test/command-line/bridge/bridge-server.test.ts',
    title: 'the origin %s is refused with its name and the option that allows it, which works',
  },
  answersOfKeys: {
    file: 'test/service-worker/routes/stored-chat-completions.test.ts',
    title: 'lists the completions of its key page by page, in either order, by model and metadata',
  },
  oldAnswers: {
    file: 'test/shared/storage/answer-database.test.ts',
    title: 'an answer is gone after its last day, although no other is stored, and no database is made for that',
  },
  revocation: {
    file: 'test/service-worker/upstreams/upstreams.test.ts',
    title: 'without permission no models of an upstream are listed, and nothing is sent to it',
  },
  revocationMeanwhile: {
    file: 'test/service-worker/upstreams/upstreams.test.ts',
    title: 'a permission that is revoked while a request waits for its turn sends nothing',
  },
  everyHeader: {
    file: 'test/browser/privacy/security.spec.ts',
    title: 'every file of the site has the security headers',
  },
  toolReads: {
    file: 'test/browser/tools/tools.spec.ts',
    title: 'the consent question says what a tool reads, and which engine gets its result',
  },
  webrtc: {
    file: 'test/browser/privacy/webrtc.spec.ts',
    title: 'no packet leaves ${path} by WebRTC, with the constructor of ${source}',
  },
} as const satisfies Readonly<Record<string, BoundTest>>;
