import type { Translation } from '../page-language.ts';
import type * as english from '../unsupported-strings.ts';

export const unsupportedStrings: Translation<typeof english.unsupportedStrings> = {
  stillUsable:
    'Bis dahin kannst du deine Chats lesen, durchsuchen, exportieren und löschen und jede Einstellung erreichen.',
};

export const webgpuTitles: Translation<typeof english.webgpuTitles> = {
  chromium: 'Dieser Browser bietet hier kein WebGPU',
  firefox: 'Firefox bietet hier kein WebGPU',
  safari: 'Safari bietet hier kein WebGPU',
  other: 'Dieser Browser bietet kein WebGPU',
};

export const webgpuCauses: Translation<typeof english.webgpuCauses> = {
  noApi: 'WebGPU fehlt ihm oder ist ausgeschaltet. Damit laufen Modelle auf dem Grafikprozessor.',
  noDevice: 'Er hat WebGPU, aber auf diesem System keinen Grafikprozessor dafür.',
};

export const webgpuSteps: Translation<typeof english.webgpuSteps> = {
  chromium: {
    update:
      'Aktualisiere den Browser: Diese Seite braucht Chrome oder Edge ab Version 124, unter Windows, macOS oder Android.',
    accelerate:
      'Schalte in den Systemeinstellungen des Browsers „Grafikbeschleunigung verwenden, falls verfügbar“ ein und starte ihn neu.',
    linux:
      'Unter Linux: Öffne chrome://flags, aktiviere „Unsafe WebGPU Support“ und „Vulkan“ und starte den Browser neu.',
    software:
      'Kein Grafikprozessor? Starte den Browser mit --enable-unsafe-webgpu --use-webgpu-adapter=swiftshader: langsam, aber genug für das eingebaute Modell.',
  },
  firefox: {
    update:
      'Aktualisiere Firefox: Unter Windows bietet er WebGPU ab Version 141, unter macOS mit Apple-Chip ab Version 145.',
    driver: 'Aktualisiere den Grafiktreiber und starte Firefox neu.',
    flag: 'Öffne about:config, setze dom.webgpu.enabled auf true und starte Firefox neu.',
    other: 'Oder nimm Chrome oder Edge.',
  },
  safari: {
    update: 'Safari 26 bietet WebGPU auf macOS 26, iOS 26 und iPadOS 26. Aktualisiere das System.',
    flag: 'Schalte WebGPU unter den Feature Flags in Safaris erweiterten Einstellungen ein.',
    other: 'Auf einem Mac kannst du Chrome oder Edge nehmen.',
  },
  other: 'Öffne diese Seite in einem aktuellen Chrome, Edge, Safari 26 oder, unter Windows, Firefox ab 141.',
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
