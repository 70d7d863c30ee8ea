/** What Pocket can do, with a question of each kind that it answers. */
export const ABILITIES = {
  sum: 'What is 27 + 35?',
  capital: 'What is the capital of France?',
  spelling: 'How do you spell elephant?',
  list: 'List three colours.',
  story: 'Tell me a story about Anna and a dog.',
  term: 'What is a service worker?',
} as const;

export type Ability = keyof typeof ABILITIES;

/** Matches words that begin with one of these stems, or scripts without spaces that contain one of them. */
function near(stems: string, anywhere: string): RegExp {
  return new RegExp(`(?<!\\p{L})(?:${stems})|${anywhere}`, 'iu');
}

/** Words in several languages by which a question is near to one of the abilities. The first that matches counts. */
const NEAR: readonly (readonly [Ability, RegExp])[] = [
  [
    'sum',
    near(
      'sqrt|percent|prozent|sum|summe|somme|suma|soma|convert|umrechn|calcul|berechn|rechne',
      '\\d\\s*[-+*/×÷%^]|[√=]',
    ),
  ],
  [
    'story',
    near(
      'stor(?:y|ies|ia)|geschichte|märchen|histoire|historia|história|erzähl|racont|cuent|conta|opowi|verhaal|berätt|fortæl|poem|gedicht|poème|poes|song|lied|joke|witz|рассказ|расскаж|історі|розкаж|приказк',
      '故事|物語|이야기|कहानी|قصة|داستان|סיפור',
    ),
  ],
  [
    'spelling',
    near(
      'spell|buchstab|rechtschreib|épel|orthograph|deletre|gramma|translat|übersetz|trad[uú]|przetłumacz|vertaal|correct|korrigier|corrig|перев|перекла|преве',
      '翻訳|翻译|번역|अनुवाद|ترجم|תרגם',
    ),
  ],
  [
    'capital',
    near(
      '(?:who|where|wer|wo|wohin|qui|où|quién|dónde|chi|dove|quem|onde|kto|kdo|vem|var|hvem|hvor|кто|где|хто|де|кой|къде|ποιος|πού|מי|איפה|من|أین|أين)(?!\\p{L})|capital|hauptst|stolica|hoofdst|countr|land|pays|país|cit(?:y|ies)|stadt|ville|ciudad|travel|reise|voyage|viaj|столиц',
      '首都|수도|राजधानी|عاصمة|谁|誰|누가|누구|哪里|どこ|어디|कौन|कहाँ|ใคร|ที่ไหน',
    ),
  ],
  [
    'list',
    near(
      'list|name|namen|noms|nombres|idea|idee|ideen|idée|tabl|tabelle|recipe|rezept|recette|recet|plan|tipp|tips|consej|conseil|список|идеи|ідеї',
      '列表|リスト|목록|सूची|قائمة|清单',
    ),
  ],
];

/** Returns the ability of Pocket that is nearest to a question that it could not answer. */
export function nearAbility(question: string): Ability {
  return NEAR.find(([, words]) => words.test(question))?.[0] ?? 'term';
}
