import type { EngineSentences, SentenceTable } from '../../../../shared/coded-sentence.ts';

/** Reasons why llama.cpp, or the browser's own model, does not run in a page. */
export const pageTaskSentences = {
  llamaCppWithoutPage:
    'Keine Seite dieser Website ist offen, die llama.cpp ausführen könnte. Öffne eine und versuche es noch einmal.',
  llamaCppNotStarted: (script, complaint) =>
    `Der Browser hat den Worker für llama.cpp nicht gestartet${complaint && ` (${complaint})`}. Öffne ${script}: Die Website muss es ausliefern (dafür sorgen \`npx tabserve init --gguf\` und die Option gguf des Vite-Plugins), mit dem Header Cross-Origin-Embedder-Policy, falls ihre Seiten ihn haben, und es in der Direktive worker-src ihrer Content-Security-Policy erlauben.`,
  llamaCppSilent: (script, seconds) =>
    `Der Worker für llama.cpp (${script}) startete nicht innerhalb von ${seconds} Sekunden. Versuche es noch einmal; wenn das nicht hilft, lade die Seite neu.`,
  llamaCppStuck: (seconds) =>
    `llama.cpp kam ${seconds} Sekunden lang beim Laden des Modells nicht voran und wurde beendet. Schließe andere Tabs und versuche es noch einmal, oder wähle ein kleineres Modell.`,
  llamaCppRefused: (complaint) =>
    `llama.cpp konnte das Modell nicht laden (${complaint}). Prüfe die Datei, oder wähle ein anderes Modell.`,
  llamaCppRefusedEncoder: (complaint) =>
    `llama.cpp konnte das Modell nicht mit seinem Bild-Encoder laden, der als mmproj genannten Datei (${complaint}). Prüfe diese Datei, oder füge das Modell ohne sie hinzu.`,
  llamaCppStopped: (complaint) =>
    `llama.cpp wurde beendet (${complaint}). Versuche es noch einmal; wenn der Speicher knapp ist, wähle ein kleineres Modell oder Kontextfenster.`,
  llamaCppLost:
    'Die Seite, die llama.cpp ausführte, wurde geschlossen oder eingefroren. Versuche es noch einmal: Eine andere Seite übernimmt.',
  encoderOfOtherModel:
    'Der Bild-Encoder (mmproj) gehört zu einem anderen Modell: Seine Vektoren sind nicht so lang wie die von diesem. Nimm die Datei, die der Herausgeber mit diesem Modell anbietet, oder füge das Modell ohne sie hinzu.',

  browserModelWithoutPage:
    'Keine Seite dieser Website ist offen, die das eigene Modell des Browsers nutzen könnte. Öffne eine und versuche es noch einmal.',
  browserModelSilent: (seconds) =>
    `Keine Seite nahm die Anfrage an das eigene Modell des Browsers innerhalb von ${seconds} Sekunden an. Versuche es noch einmal; wenn das nicht hilft, lade die Seite neu.`,
  browserModelFailed: (complaint) =>
    `Das eigene Modell des Browsers hat versagt (${complaint}). Versuche es noch einmal, oder nimm ein anderes Modell.`,
  browserModelLost:
    'Die Seite, die das eigene Modell des Browsers nutzte, wurde geschlossen oder eingefroren. Versuche es noch einmal: Eine andere Seite übernimmt.',
  browserModelNotOpened: (complaint) =>
    `Der Browser hat sein eigenes Modell nicht geöffnet (${complaint}). Wenn er es erst herunterladen muss, tut er das nur nach einem Klick auf einer Seite, die LanguageModel.create() aufruft.`,
} satisfies Partial<SentenceTable<EngineSentences>>;
