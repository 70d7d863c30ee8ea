import { ces, dan, deu, eng, fra, ita, nld, nob, pol, por, rus, spa, swe } from 'stopword';

/**
 * The function words of each language: a list of the package `stopword`, and what it lacks of question words, auxiliary and modal verbs,
 * pronouns, prepositions, and adverbs as in "how long".
 */
export const FUNCTION_WORDS: readonly (readonly string[])[] = [
  completed(
    ces,
    `čeho čemu čím čí odkud jaká jakou jaké jakého jakých kterého kterém kterými kolika dlouho často mohu můžu můžeš můžeme můžete musím
    musíš musíme lze`,
  ),
  completed(
    dan,
    `hvilket hvilke hvorhen hvormed hvoraf må måtte bør burde gør gøre findes man ofte længe langt mine dine sine`,
  ),
  completed(
    deu,
    `woran worauf woraus wobei wodurch wofür wogegen womit wonach worin worüber worum worunter wovon wovor wozu weswegen wieso inwiefern
    inwieweit wieviel wieviele lässt lassen lasse brauche brauchst braucht brauchen`,
  ),
  completed(
    eng,
    `does done doing didn doesn don isn aren wasn weren hasn haven hadn couldn wouldn shouldn when why whom whose whoever
    whatever whichever whenever wherever however whether will shall cannot need needs want wants she us its itself herself myself
    yourself themselves ourselves mine ours yours theirs no not nor so yes anyone anybody anything someone somebody something everyone
    everybody everything nobody nothing none long far often ever`,
  ),
  completed(
    fra,
    `quand comment pourquoi combien quoi dont lequel laquelle lesquels lesquelles duquel auquel faut falloir fallait faudra faudrait peut peux
    peuvent pouvez pouvons pouvoir pourra pourrait pourrais puis dois doit doivent devez devons devoir devrait devrais veux veut veulent
    voulez vouloir voudrais fais fait font vais vas va vont allez aller elles ça celui celle ceux celles là si quelque quelques quelqu
    aucun aucune rien longtemps souvent jusque jusqu depuis pendant avant après chez contre entre vers sous selon non oui`,
  ),
  completed(
    ita,
    `quando quali qual cosa cos può posso puoi possiamo potete possono potere devo devi deve dobbiamo dovete devono dovere bisogna vuole
    voglio vogliono volere essere avere fare vado va vanno andare qualcosa qualcuno niente nulla nessuno spesso prima dopo durante fino senza
    sotto sopra fra un`,
  ),
  completed(
    nld,
    `waarom wanneer waar welk welke hoeveel hoelang waarheen waarvan waarmee waarop waarin waaraan waardoor wiens mag mogen moeten moest kunt
    zullen zult gaat gaan doet doe heb hebt wordt jij jouw jullie hen ons onze niemand vaak lang mee tussen tijdens sinds vanaf volgens`,
  ),
  completed(
    nob,
    `hvilket hvorhen hvorfra må måtte bør burde gjør gjøre får få fikk finnes ofte lenge langt mine dine våre man`,
  ),
  completed(
    pol,
    `czyj czyja czyje kogo komu czym czego jaką jakiego jakiej jakich mogę możesz możemy muszę musisz musimy powinienem powinnam długo często`,
  ),
  completed(
    por,
    `onde aonde porque porquê quanto quanta quantos quantas é são era foi foram ser está estão estar sou estou tem têm tenho ter há haver
    pode posso podem podemos poder deve devo devem dever faz fazer faço preciso precisa vai vão ir quero quer nada ninguém alguém algo
    tanto tão sobre sob após antes desde durante contra neste nesta nesse nessa deste desta desse dessa`,
  ),
  completed(
    rus,
    `почему зачем сколько откуда который которая которое которые которых чей чья чьё какое какие каком какую каких какого это эти этих мой
    моё мои наш наша ваш ваша нужно должен должна должно должны могу можем могут долго часто`,
  ),
  completed(
    spa,
    `cuánto cuánta cuántos cuántas cuál cuáles adónde quién quiénes es son soy eres somos está están estoy estar ser era eran fue fueron hay
    había haber he ha han hemos tiene tienen tengo tener puede puedo pueden puedes podemos poder debe debo deben deber hace hacen hago
    hacer voy va van ir quiero quiere le les nosotros ellos ellas usted ustedes unos unas este esta estos estas esa esos esas aquel
    aquella mis tus nuestro nuestra tan tanto tantos algo alguien nada nadie hacia según antes después durante`,
  ),
  completed(swe, `hurdan bör borde brukar varav varmed varpå länge`),
];

function completed(list: readonly string[], more: string): readonly string[] {
  return [...list, ...more.split(/\s+/)];
}
