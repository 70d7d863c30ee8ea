import type { Translation } from '../language.ts';
import type * as english from '../status.ts';
import { engineSentence } from './engine-sentences.ts';

export const statusStrings: Translation<typeof english.statusStrings> = {
  label: 'Zustand des Modells',
  loading: engineSentence,
  failed: (message, explained) => `${explained} (${engineSentence(message)})`,
  retry: 'Noch einmal versuchen',
  keepsNothing:
    'Dieser Browser behält für diese Website zurzeit nichts: keine geladenen Modelle, keine eigenen Schlüssel, kein Anfrageprotokoll und keine neuen Chats. Vielleicht ist das Fenster privat, der Datenträger voll oder ein anderer Tab der Website im Weg.',
  updateReady: 'Eine neue Version dieser Seite ist bereit.',
  update: 'Neu laden',
  updateLater: 'Später',
  stillUsable:
    'Bis dahin kannst du deine Chats lesen, durchsuchen, exportieren und löschen und jede Einstellung erreichen.',
};

export const noWebgpuAdvice: Translation<typeof english.noWebgpuAdvice> = {
  chromium: {
    title: 'Dieser Browser bietet hier kein WebGPU',
    steps: [
      'Aktualisiere den Browser: Diese Seite braucht Chrome oder Edge ab Version 124, unter Windows, macOS oder Android.',
      'Schalte in den Systemeinstellungen des Browsers „Grafikbeschleunigung verwenden, falls verfügbar“ ein und starte ihn neu.',
      'Unter Linux: Öffne chrome://flags, aktiviere „Unsafe WebGPU Support“ und „Vulkan“ und starte den Browser neu.',
      'Keine Grafikkarte? Starte den Browser mit --enable-unsafe-webgpu --use-webgpu-adapter=swiftshader: langsam, aber genug für das eingebaute Modell.',
    ],
  },
  firefox: {
    title: 'Firefox bietet hier kein WebGPU',
    steps: [
      'Unter Windows bietet Firefox ab Version 141 WebGPU, unter macOS mit Apple-Chip ab Version 145. Aktualisiere Firefox.',
      'Auf anderen Systemen nimm Firefox Nightly, Chrome oder Edge.',
    ],
  },
  safari: {
    title: 'Safari bietet hier kein WebGPU',
    steps: [
      'Safari 26 bietet WebGPU auf macOS 26, iOS 26 und iPadOS 26. Aktualisiere das System.',
      'Auf einem älteren Mac nimm Chrome oder Edge.',
    ],
  },
  other: {
    title: 'Dieser Browser bietet kein WebGPU',
    steps: ['Öffne diese Seite in einem aktuellen Chrome, Edge, Safari 26 oder, unter Windows, Firefox ab 141.'],
  },
};

export const unsupportedReasons: Translation<typeof english.unsupportedReasons> = {
  'no-window': () => 'Dieses Skript läuft in keiner Seite einer Website, und nur dort arbeitet Tabserve.',
  'insecure-context': () =>
    'Diese Seite wurde über einfaches http geöffnet. Service-Worker und WebGPU brauchen eine sichere Adresse: Nimm https oder http://localhost.',
  'no-service-worker': () =>
    'Dieser Browser lässt die Seite keinen Service-Worker einrichten. Verlasse das private Fenster oder nimm einen aktuellen Chrome, Edge, Firefox oder Safari.',
};

export const unsupportedTitles: Translation<typeof english.unsupportedTitles> = {
  'no-window': 'Dieses Skript läuft nicht in einer Seite',
  'insecure-context': 'Diese Seite braucht eine sichere Adresse',
  'no-service-worker': 'Dieser Browser erlaubt hier keine Service-Worker',
};
