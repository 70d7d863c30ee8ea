import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_FOLDER } from '../../src/command-line/project-folders.ts';

/** A text, and the prompts that are made of it: each one is the beginning of the next, longer one. */
export interface GrowingPrompt {
  readonly name: string;
  readonly prompts: readonly string[];
}

/** Files of this repository, and how many characters of them make the longest prompt. */
const FILES: readonly (readonly [path: string, characters: number])[] = [
  ['ARCHITECTURE.md', 5500],
  ['src/engine-worker/llama-cpp/llama-cpp-runtime.ts', 1500],
  ['package.json', 1200],
  ['src/chat/strings/german/model-strings.ts', 1800],
  ['src/chat/conversation/composer/message-composer.css', 1200],
];

const SENTENCES: Readonly<Record<string, string>> = {
  French: `Quand le facteur arriva au village, la neige couvrait déjà les toits et personne ne l'attendait plus. Il posa son sac
devant la porte de la boulangerie, secoua son manteau et demanda un café. La boulangère lui raconta que le pont s'était effondré
pendant la nuit et que l'on ne pouvait plus rejoindre la vallée. Il sourit, car il venait justement de la vallée : il avait traversé
la rivière à pied, sur la glace, en tenant les lettres au-dessus de sa tête. Parmi elles, il y en avait une pour le maire, une pour
l'instituteur et une troisième dont l'adresse avait été effacée par l'eau.`,
  German: `Die Prüfung der Brücke begann am frühen Morgen. Zuerst maßen die Ingenieure die Temperatur der Pfeiler, danach ließen sie
drei beladene Lastwagen langsam über die Fahrbahn rollen. Jede Bewegung wurde auf einen Zehntelmillimeter genau aufgezeichnet. Am Mittag
stand fest, dass der zweite Pfeiler stärker nachgab, als die Berechnungen es erwarten ließen. Man vermutete, dass das Hochwasser des
letzten Frühjahrs den Boden ausgespült hatte. Deshalb entschied die Verwaltung, die Brücke für Fahrzeuge zu sperren, bis Taucher das
Fundament untersucht hätten. Fußgänger durften sie weiterhin benutzen.`,
  Japanese:
    `昔々、山のふもとの小さな村に、一人の時計職人が住んでいました。彼の作る時計は決して狂わず、遠い町からも人々が買いに` +
    `来ました。ある冬の夜、見知らぬ旅人が戸を叩き、止まったままの古い懐中時計を差し出しました。「これを直していただけますか」と旅人は` +
    `言いました。職人が蓋を開けると、中には歯車が一つもなく、ただ小さな鍵だけが入っていました。職人は驚いて、旅人の顔を見つめました。` +
    `旅人は静かに笑って、その鍵がどの扉を開けるのかは誰も知らないのだと答えました。`,
  Russian: `Вечером поезд остановился на маленькой станции, название которой никто из пассажиров не мог прочитать: буквы на вывеске
давно стёрлись. Проводник объявил, что стоянка продлится десять минут, но прошло полчаса, а поезд всё не трогался. Дети побежали смотреть
на паровоз, старики открыли окна, и кто-то начал играть на гармони. Наконец машинист вышел на платформу и сказал, что впереди размыло
пути и что до утра ехать нельзя. Тогда начальник станции пригласил всех к себе пить чай.`,
};

/** A list of facts that no model can know, so that it has to look them up in the prompt. */
const FACTS = Array.from({ length: 30 }, (_, index) => {
  const at = (values: readonly string[]) => values[(index * 7 + values.length) % values.length]!;
  const who = at(['Anna', 'Boris', 'Chen', 'Dalia', 'Emil', 'Fatou', 'Goran', 'Hana', 'Igor', 'Jana', 'Karim']);
  const what = at(['apples', 'bolts', 'candles', 'drums', 'envelopes', 'forks', 'gloves', 'hats', 'irons']);
  return `${index + 1}. ${who} has ${((index + 3) * 37) % 101} ${what} in box ${((index + 1) * 53) % 97}.`;
}).join('\n');

/** How many prompts are made of a text. */
const PROMPTS = 8;

/** Characters of the shortest prompt, about 30 tokens of English. */
const SHORTEST = 110;

/** Ten texts with eight prompts each, of about 30 to 1,500 tokens. Their lengths grow by a constant factor. */
export function growingPrompts(): readonly GrowingPrompt[] {
  const texts = [
    ...FILES.map(([path, characters]) => [path, readFileSync(join(PROJECT_FOLDER, path), 'utf8').slice(0, characters)]),
    ['facts', FACTS],
    ...Object.entries(SENTENCES),
  ] as const;
  return texts.map(([name, text]) => ({ name: name!, prompts: cut(text!) }));
}

function cut(text: string): readonly string[] {
  const shortest = Math.min(SHORTEST, text.length / 4);
  const factor = (text.length / shortest) ** (1 / (PROMPTS - 1));
  const ends = Array.from({ length: PROMPTS }, (_, index) => Math.round(shortest * factor ** index));
  return ends.map((end) => beforeSpace(text.slice(0, end)));
}

/**
 * Ends a prompt before its last space, because a space begins a token and the rest of a word could end within one.
 * Returns a text without spaces as it is.
 */
function beforeSpace(text: string): string {
  const space = text.search(/[ \n][^ \n]*$/);
  return space < text.length / 2 ? text : text.slice(0, space).trimEnd();
}
