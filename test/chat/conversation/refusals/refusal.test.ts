import { expect, test } from 'vitest';
import { ABILITIES, nearAbility, type Ability } from '../../../../src/chat/conversation/refusals/near-ability.ts';
import { refusalOf } from '../../../../src/chat/conversation/refusals/refusal.ts';
import { REFUSALS } from '../../../../src/chat/conversation/refusals/refusal-texts.ts';

/** Ordinary first questions by language, and the words with which the refusal must begin. */
const QUESTIONS: Readonly<Record<string, readonly string[]>> = {
  en: [
    'Who painted the Mona Lisa?',
    'hi',
    'How do I centre a div?',
    'Write hello world in Python',
    'what’s the weather tomorrow',
  ],
  de: [
    'Wer hat die Mona Lisa gemalt?',
    'Schreib mir ein Gedicht über den Herbst',
    'Wie wird das Wetter morgen?',
    'Erkläre mir Quantenphysik',
    'Was soll ich heute kochen?',
  ],
  fr: [
    'Qui a peint la Joconde ?',
    'Écris un poème sur l’automne',
    'Quel temps fera-t-il demain à Paris ?',
    'Comment faire une omelette ?',
    'Explique-moi la relativité',
  ],
  es: [
    '¿Quién pintó la Mona Lisa?',
    'Quien es el presidente de Francia',
    'Escribe un poema sobre el otoño',
    'cómo hago una tortilla',
    'dime qué tiempo hace mañana en Madrid',
  ],
  it: [
    'Chi ha dipinto la Gioconda?',
    'Scrivi una poesia sull’autunno',
    'Che tempo farà domani a Roma?',
    'Come si fa la carbonara?',
    'Spiegami la relatività',
  ],
  pt: [
    'Quem pintou a Mona Lisa?',
    'Escreva um poema sobre o outono',
    'Como está o tempo amanhã em Lisboa?',
    'O que você pode fazer?',
    'Explique a relatividade para uma criança',
  ],
  nl: [
    'Wie heeft de Mona Lisa geschilderd?',
    'Schrijf een gedicht over de herfst',
    'Wat voor weer wordt het morgen?',
    'Hoe maak ik een omelet?',
    'Leg uit wat een zwart gat is',
  ],
  sv: [
    'Vem målade Mona Lisa?',
    'Skriv en dikt om hösten',
    'Vad blir det för väder i morgon?',
    'Hur gör jag en omelett?',
    'Kan du hjälpa mig med min läxa?',
  ],
  da: [
    'Hvem har malet Mona Lisa?',
    'Fortæl mig om efteråret',
    'Hvordan laver jeg en omelet?',
    'Hvad kan jeg lave i dag?',
    'Forklar hvordan vejret bliver til',
  ],
  nb: [
    'Hvem har malt Mona Lisa?',
    'Hva blir været i morgen?',
    'Hvordan lager jeg en omelett?',
    'Kan du hjelpe meg med leksene mine?',
    'Forklar hva et svart hull er',
  ],
  fi: [
    'Kuka maalasi Mona Lisan?',
    'Millainen sää on huomenna?',
    'Miten teen munakkaan?',
    'Kirjoita runo syksystä',
    'Selitä mikä musta aukko on',
  ],
  pl: [
    'Kto namalował Mona Lisę?',
    'Napisz wiersz o jesieni',
    'Jaka będzie jutro pogoda?',
    'Jak zrobić omlet?',
    'Wyjaśnij, czym jest czarna dziura',
  ],
  cs: [
    'Kdo namaloval Monu Lisu?',
    'Napiš báseň o podzimu, která se rýmuje',
    'Jaké bude zítra počasí v Brně?',
    'Můžeš mi říct, jak udělat omeletu?',
    'Proč je nebe modré, když je den?',
  ],
  hu: [
    'Ki festette a Mona Lisát?',
    'Milyen idő lesz holnap?',
    'Hogyan kell omlettet készíteni?',
    'Írj egy verset az őszről',
    'Miért kék az ég?',
  ],
  ro: [
    'Cine a pictat Mona Lisa și când?',
    'Scrie o poezie despre toamnă',
    'Cum va fi vremea mâine?',
    'Explică ce este o gaură neagră',
    'Poți să mă ajuți cu tema mea?',
  ],
  tr: [
    'Mona Lisa’yı kim yaptı?',
    'Yarın hava nasıl olacak?',
    'Bana sonbahar hakkında bir şiir yaz',
    'Kara delik nedir?',
    'Omlet nasıl yapılır?',
  ],
  vi: [
    'Ai đã vẽ bức Mona Lisa?',
    'Viết một bài thơ về mùa thu',
    'Ngày mai thời tiết thế nào?',
    'Làm món trứng ốp như thế nào?',
    'Giải thích lỗ đen là gì',
  ],
  id: [
    'Siapa yang melukis Mona Lisa?',
    'Tolong tulis puisi tentang hujan',
    'Bagaimana cara membuat nasi goreng?',
    'Apakah kamu bisa membantu saya?',
    'Mengapa langit berwarna biru dari bumi?',
  ],
  ru: [
    'Кто написал Мону Лизу?',
    'Расскажи сказку',
    'Какая завтра будет погода?',
    'Как приготовить омлет?',
    'Почему небо голубое? Объясни',
  ],
  uk: [
    'Хто намалював Мону Лізу?',
    'Яка завтра буде погода?',
    'Як приготувати омлет?',
    'Напиши вірш про осінь',
    'Чому небо блакитне? Поясни мені',
  ],
  bg: [
    'Кой е нарисувал Мона Лиза?',
    'Какво ще бъде времето утре?',
    'Как се прави омлет?',
    'Защо небето е синьо?',
    'Напиши стихотворение за есента',
  ],
  el: ['Ποιος ζωγράφισε τη Μόνα Λίζα;', 'Τι καιρό θα κάνει αύριο;', 'Γράψε ένα ποίημα', 'Γεια', 'Πώς φτιάχνω ομελέτα;'],
  ar: ['من رسم الموناليزا؟', 'كيف الطقس غدا؟', 'اكتب قصيدة عن الخريف', 'مرحبا', 'ما هو الثقب الأسود؟'],
  fa: [
    'چه کسی مونالیزا را کشید؟',
    'هوا فردا چگونه است؟',
    'یک شعر درباره پاییز بنویس',
    'چرا آسمان آبی است؟',
    'سیاهچاله چیست؟',
  ],
  he: ['מי צייר את המונה ליזה?', 'מה יהיה מזג האוויר מחר?', 'כתוב שיר על הסתיו', 'שלום', 'למה השמיים כחולים?'],
  hi: ['मोना लिसा किसने बनाई?', 'कल मौसम कैसा रहेगा?', 'पतझड़ पर एक कविता लिखो', 'नमस्ते', 'आसमान नीला क्यों है?'],
  th: ['ใครวาดภาพโมนาลิซา', 'พรุ่งนี้อากาศเป็นอย่างไร', 'สวัสดี', 'เขียนบทกวีเกี่ยวกับฝน', 'ทำไมท้องฟ้าสีฟ้า'],
  zh: ['谁画了蒙娜丽莎？', '明天天气怎么样？', '写一首关于秋天的诗', '你好', '請解釋什麼是黑洞'],
  ja: [
    'モナリザを描いたのは誰ですか？',
    '明日の天気は？',
    '秋についての詩を書いて',
    'こんにちは',
    'ブラックホールとは何ですか',
  ],
  ko: ['모나리자를 누가 그렸나요?', '내일 날씨는 어때?', '가을에 대한 시를 써 줘', '안녕', '블랙홀이 뭐야?'],
};

/** Questions in languages without a refusal of their own, or that say nothing about the language. */
const UNCLEAR: readonly string[] = [
  'Qui va pintar la Mona Lisa i quan?',
  'Com puc fer una truita amb patates?',
  'Wie het die Mona Lisa geskilder en hoekom?',
  'Kto namaľoval Monu Lízu?',
  'Kdo je naslikal Mono Lizo in zakaj?',
  'Tko je naslikao Mona Lisu i kada?',
  'Kes maalis Mona Lisa ja miks?',
  'Kas nutapė Moną Lizą?',
  'Kas uzgleznoja Monu Lizu un kāpēc?',
  'Hver málaði Mónu Lísu og hvenær?',
  'Kush e pikturoi Mona Lizën dhe pse?',
  'Ко је насликао Мона Лизу?',
  'Кім Мона Лизаны салды, қашан?',
  'मोना लिसा कोणी काढली आणि ती काय आहे?',
  'مونا لیزا کس نے بنائی ہے اور کیوں؟',
  'Pwy beintiodd y Mona Lisa a pryd?',
  '👋🙂',
  '?',
  'git undo',
  'Berlin',
  '',
];

test('more than 24 languages have a refusal, each with its own sentences', () => {
  expect(Object.keys(REFUSALS).length).toBeGreaterThanOrEqual(24);
  expect(Object.keys(QUESTIONS).toSorted()).toEqual(Object.keys(REFUSALS).toSorted());
  const sentences = Object.values(REFUSALS).map(({ what }) => what);
  expect(new Set(sentences).size).toBe(sentences.length);
  for (const texts of Object.values(REFUSALS)) {
    expect(Object.values(texts).every((text) => text.trim() !== '')).toBe(true);
    expect([texts.what, texts.again].every((text) => text.includes('Pocket'))).toBe(true);
  }
});

test.each(
  Object.entries(QUESTIONS).flatMap(([language, questions]) => questions.map((each) => [language, each] as const)),
)('a question in %s is refused in its language: %s', (language, question) => {
  const refusal = refusalOf(question, language === 'de' ? 'en' : 'de', false);
  // A greeting of one word may be in many languages that use the same letters.
  expect(refusal.language).toBe(/^hi$/.test(question) ? 'de' : language);
  expect(refusal.text).toContain(REFUSALS[refusal.language]!.what);
});

test.each(UNCLEAR.flatMap((question) => ['en', 'de'].map((page) => [question, page] as const)))(
  'a question of unclear language is refused in that of the page: %j, %s',
  (question, page) => {
    expect(refusalOf(question, page, false).language).toBe(page);
  },
);

test.each<[string, Ability]>([
  ['What is 17 * 23?', 'sum'],
  ['Wie viel Prozent sind das?', 'sum'],
  ['Who painted the Mona Lisa?', 'capital'],
  ['Où est la tour Eiffel ?', 'capital'],
  ['谁画了蒙娜丽莎？', 'capital'],
  ['Schreib mir ein Gedicht über den Herbst', 'story'],
  ['Erzähle mir einen Witz', 'story'],
  ['Translate to French: the cat', 'spelling'],
  ['Tradúceme esta frase', 'spelling'],
  ['Ideas for a birthday party', 'list'],
  ['How do I centre a div?', 'term'],
  ['', 'term'],
])('the refusal of %j names one thing that is near: %s', (question, ability) => {
  expect(nearAbility(question)).toBe(ability);
  const { text } = refusalOf(question, 'en', false);
  expect(text.match(/\*[^*]+\*/g)).toEqual([`*${ABILITIES[ability]}*`]);
});

test('from the second refusal of a chat on, the text is one short sentence', () => {
  for (const [language, questions] of Object.entries(QUESTIONS)) {
    const { text } = refusalOf(questions[0]!, 'en', true);
    expect(text).toBe(REFUSALS[language]!.again);
    expect(text.length).toBeLessThan(70);
  }
});
