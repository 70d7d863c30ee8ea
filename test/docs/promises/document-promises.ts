import { TESTS } from './bound-tests.ts';
import type { PromiseTable } from './promise.ts';

/** The promises of the documents. SECURITY.md: those of its last part, because the others name their tests themselves. */
export const DOCUMENT_PROMISES: PromiseTable = {
  'README.md': [
    {
      says: 'No inference server, no account, no API bill; questions and answers stay on the device, unless a site adds another server and its visitor allows it.',
      when: 'as the sentence says',
      tests: [TESTS.everyFeature, TESTS.consent],
    },
    {
      says: 'People who want to chat with a model offline, on a site that hosts it, without an installation or an account.',
      when: 'after the first visit, while the browser keeps the files',
      tests: [TESTS.offline],
    },
    {
      says: "Besides the site's own files, two things cause requests: downloading a model that the user chose, and, only if the site names another server and the user allows it, questions sent there.",
      when: 'as the sentence says',
      tests: [TESTS.everyFeature, TESTS.downloadsListed, TESTS.consent],
    },
    {
      says: 'Teams that must show what leaves the device: headers make the browser enforce it, within limits, and anyone can check it in ten minutes.',
      when: 'the server sends the headers',
      tests: [TESTS.policyStops, TESTS.navigation],
    },
    {
      says: "With the headers of securityHeaders() the browser refuses requests of the page and its workers to all hosts but the site's own, those that models come from and, for the service worker, upstreams that the site names.",
      when: 'the server sends the headers',
      tests: [TESTS.policyStops, TESTS.withoutHeaders],
    },
    { says: 'There is no telemetry.', when: 'always', tests: [TESTS.everyFeature] },
  ],
  'docs/hub.md': [
    {
      says: 'Streams, stored answers, keys, log, files and vector stores of one site cannot be reached by another.',
      when: 'the scripts of the hub are those of Tabserve',
      tests: [TESTS.hubStreams, TESTS.hubCalls],
    },
  ],
  'ARCHITECTURE.md': [
    {
      says: "A page calls fetch('/v1/chat/completions'), and the request stays on the device, unless the site names an upstream and the person allows it.",
      when: 'as the sentence says',
      tests: [TESTS.firstAnswer, TESTS.consent],
    },
    {
      says: 'The headers make the browser enforce this, within limits.',
      when: 'the server sends the headers',
      tests: [TESTS.policyStops, TESTS.navigation],
    },
    {
      says: 'Nothing leaves the device except requests for downloads that a person starts, and requests to an upstream that the site names and the person allows.',
      when: 'as the sentence says',
      tests: [TESTS.everyFeature, TESTS.downloadsListed, TESTS.consent],
    },
  ],
  'SECURITY.md': [
    {
      says: 'An answer is stored when a request says so (store), a response unless its request says store: false, with its question, for 30 days at most; the endpoint gives it to the key that asked and to no other, so to none once that is revoked; the Privacy screen lists and deletes the answers of all keys.',
      when: 'always',
      tests: [TESTS.answersOfKeys, TESTS.oldAnswers],
    },
  ],
  'docs/chat-page.md': [
    {
      says: 'Of a temporary chat the page stores nothing: no chat, no draft, no entry in a log.',
      when: 'always',
      tests: [TESTS.temporaryChat],
    },
    {
      says: 'Chats are kept in this browser.',
      when: 'always',
      tests: [TESTS.everyFeature],
    },
    {
      says: 'It can be installed as an app and starts without a network.',
      when: 'after the first visit, while the browser keeps the files',
      tests: [TESTS.offline],
    },
    {
      says: 'Once the screen was opened, documents are indexed and asked without a network, too.',
      when: 'with the built-in embedding model, while the browser keeps its files',
      tests: [TESTS.documentsOffline],
    },
    {
      says: 'Four tools can be switched on for each chat: a calculator, date and time, a search in the other chats, and JavaScript in a sandbox without network, chats or files.',
      when: 'always',
      tests: [TESTS.program],
    },
  ],
  'docs/content-security-policy.md': [
    {
      says: 'no other origin can embed files of the site',
      when: 'the server sends the headers',
      tests: [TESTS.everyHeader],
    },
    {
      says: 'the page and its workers load and request nothing but what is listed below, and no other site can frame the page',
      when: 'the server sends the headers',
      tests: [TESTS.policyStops, TESTS.noFrame],
    },
    {
      says: 'removed by that script; the browser refuses it, too, and ends the process of a page that tries',
      when: 'Chromium from version 152 on, and the server sends the headers',
      tests: [TESTS.webrtc],
    },
    {
      says: "fetch('/v1/…') is a connection, although it never leaves the browser",
      when: 'no upstream answers it',
      tests: [TESTS.firstAnswer],
    },
  ],
  'docs/endpoint.md': [
    {
      says: 'The model reads the item as an answer of its own. encrypted_content is the text in Base64, not encrypted, since it never leaves the device; an item that another service made is a 400. usage is zero.',
      when: 'the client does not send it elsewhere',
      tests: [TESTS.firstAnswer],
    },
  ],
  'docs/limits.md': [
    {
      says: "Where a host sends no headers, the policy in the page's HTML stops what the page itself tries, but workers, WebRTC of frames, navigation and name look-ups are open.",
      when: 'as the sentence says',
      tests: [TESTS.policyInPage],
    },
    {
      says: 'Other origins, browsers and programs reach it only through the bridge.',
      when: 'always',
      tests: [TESTS.foreignRequests],
    },
  ],
  'docs/models.md': [
    {
      says: 'Both are cached, so the model answers offline from then on. status.message, the chat page and the response header x-tabserve-engine say that it runs on the CPU.',
      when: 'the browser does not evict the files',
      tests: [TESTS.ggufOffline],
    },
    {
      says: 'From then on new chats use the model, /v1/chat/completions accepts its id, and it works offline.',
      when: 'the browser does not evict the files',
      tests: [TESTS.ggufOffline],
    },
    {
      says: 'Requests send images as data: addresses; any other address is a 400, and nothing is fetched from it.',
      when: 'always',
      tests: [TESTS.images],
    },
  ],
  'docs/security-and-privacy.md': [
    {
      says: "nothing leaves the device; the hub's scripts on it get the requests of the site",
      when: 'the scripts of the hub are those of Tabserve',
      tests: [TESTS.hubModels, TESTS.hubStreams],
    },
    {
      says: 'Nothing else leaves: no part of a question or an answer, no telemetry, no error report.',
      when: 'besides the rows of the table above it',
      tests: [TESTS.everyFeature, TESTS.firstAnswer],
    },
    {
      says: 'With the headers of securityHeaders() the browser enforces that for requests: it blocks scripts, styles, pictures and frames of other origins, and connections to other origins except the hosts of the model catalogue.',
      when: 'the server sends the headers',
      tests: [TESTS.policyStops, TESTS.withoutHeaders],
    },
    {
      says: "A program that a model writes for the chat page's JavaScript tool reaches no network at all.",
      when: 'always',
      tests: [TESTS.program],
    },
    {
      says: 'Other origins do not reach the endpoint, whatever key they have: it exists only for pages below its service worker.',
      when: 'always; a bridge has rules of its own',
      tests: [TESTS.foreignRequests, TESTS.foreignPages],
    },
  ],
  'docs/upstreams.md': [
    {
      says: 'A request leaves the device only if the site has named an upstream and the user has allowed it on the page.',
      when: 'as the sentence says',
      tests: [TESTS.consent, TESTS.upstreamHeader],
    },
    {
      says: "A permission is for one origin (scheme, host and port), is stored on this device, and can be revoked; from then on no request of any tab leaves the device, not even one that is waiting for this device's model.",
      when: 'always',
      tests: [TESTS.consent, TESTS.revocation, TESTS.revocationMeanwhile],
    },
    { says: 'Answers of an upstream are not kept on this device.', when: 'always', tests: [TESTS.upstreamNotResumed] },
    {
      says: 'A key that the user entered is stored encrypted in this browser, under a key that no script can export, and no interface returns it.',
      when: 'always',
      tests: [TESTS.consent],
    },
  ],
  'docs/your-site.md': [
    {
      says: 'serves a strict site: the headers name no other origin',
      when: 'the option is given',
      tests: [TESTS.strict],
    },
    {
      says: 'false makes the site strict: no models of other hosts; default: true',
      when: 'the option is set',
      tests: [TESTS.strict],
    },
    {
      says: "Every other address is refused before a request is sent, in words that say why; the catalogue is offered only from a mirror on the site's origin.",
      when: 'the site is strict',
      tests: [TESTS.strict],
    },
  ],
};
