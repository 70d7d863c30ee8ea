import { TESTS } from './bound-tests.ts';
import type { PromiseTable } from './promise.ts';

/** The promises of the chat page. Its German sentences have the same keys, which the compiler checks. */
export const PAGE_PROMISES: PromiseTable = {
  'src/chat/strings/bench-strings.ts': [
    {
      says: 'Everything stays in this browser; nothing is sent.',
      when: 'always: the page measures models of the device',
      tests: [TESTS.bench],
    },
  ],
  'src/chat/strings/conversation-strings.ts': [
    {
      says: 'What you ask stays on this device: the model runs in your own browser, and works offline.',
      when: 'the chosen model runs on the device',
      tests: [TESTS.everyFeature, TESTS.offline],
    },
  ],
  'src/chat/strings/developer-strings.ts': [
    {
      says: 'What a model on this device reads and writes does not leave it.',
      when: 'the model runs on the device',
      tests: [TESTS.everyFeature, TESTS.firstAnswer],
    },
    { says: 'Copy it now: it is stored nowhere and will not be shown again.', when: 'always', tests: [TESTS.keyHash] },
    {
      says: 'Kept on this device only, without keys.',
      when: 'always',
      tests: [TESTS.logWithoutKey, TESTS.everyFeature],
    },
  ],
  'src/chat/strings/model-strings.ts': [
    {
      says: 'You download a model once; after that, it works offline.',
      when: 'the browser does not evict the files',
      tests: [TESTS.downloadsListed, TESTS.ggufOffline],
    },
    {
      says: 'Built into this page; nothing to download.',
      when: 'a built-in model',
      tests: [TESTS.firstAnswer],
    },
    {
      says: 'Works offline.',
      when: 'the browser does not evict the files',
      tests: [TESTS.offline, TESTS.ggufOffline],
    },
  ],
  'src/chat/strings/offer-strings.ts': [
    {
      says: 'Works offline once downloaded.',
      when: 'the browser does not evict the files',
      tests: [TESTS.ggufOffline],
    },
  ],
  'src/chat/strings/offline-strings.ts': [
    { says: 'Works offline, except …', when: 'the files that it names are missing', tests: [TESTS.offlineBadge] },
  ],
  'src/chat/strings/privacy-strings.ts': [
    { says: 'Strict: the rule names no other host.', when: 'the policy of the page names none', tests: [TESTS.strict] },
    {
      says: 'There is no account, no telemetry, no font or script from elsewhere.',
      when: 'always',
      tests: [TESTS.everyFeature],
    },
    {
      says: 'This page sends your questions and the answers to no server: the model runs in this browser.',
      when: 'the site names no upstream, or none is allowed',
      tests: [TESTS.everyFeature, TESTS.consent],
    },
    { says: 'Chats, keys and the log are stored in this browser.', when: 'always', tests: [TESTS.everyFeature] },
    {
      says: 'The browser has recorded no request to another address.',
      when: 'all parts that could be asked have answered, and the browser has recorded none',
      tests: [TESTS.downloadsListed],
    },
    {
      says: 'No request to another address is known so far.',
      when: 'a part has not answered yet',
      tests: [TESTS.downloadsListed],
    },
    {
      says: 'Models come from this site or from your disk, and adding one from elsewhere is refused before a request is sent.',
      when: 'the site allows no hosts of models',
      tests: [TESTS.strict],
    },
    {
      says: 'This site no longer stores anything in this browser.',
      when: 'no other tab of the site is open',
      tests: [TESTS.everythingDeleted],
    },
  ],
  'src/chat/strings/temporary-strings.ts': [
    {
      says: 'This page stores nothing of the temporary chat; other chats, models or tabs can have done this.',
      when: 'always',
      tests: [TESTS.temporaryChat],
    },
    {
      says: 'This page stores nothing of it on this device: no chat, no draft, no entry in a log.',
      when: 'always',
      tests: [TESTS.temporaryChat],
    },
  ],
  'src/chat/strings/tool-strings.ts': [
    { says: 'The calculator sees only these words.', when: 'always', tests: [TESTS.toolReads] },
    {
      says: 'Runs a program that the model writes, apart from this page: it reaches no network, no chat and no file.',
      when: 'always',
      tests: [TESTS.program],
    },
    { says: 'The program reaches no network, no chat and no file.', when: 'always', tests: [TESTS.program] },
  ],
  'src/chat/strings/upstream-strings.ts': [
    {
      says: 'It is kept in this browser and sent to this server only.',
      when: 'the key is that of an upstream',
      tests: [TESTS.consent],
    },
    { says: 'Nothing is sent to one before you allow it here.', when: 'always', tests: [TESTS.consent] },
    { says: 'Not allowed: nothing is sent there.', when: 'the person has not allowed it', tests: [TESTS.consent] },
  ],
};
