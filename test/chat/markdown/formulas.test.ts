import { expect, test } from 'vitest';
import { mathMlMarkup } from '../../../src/chat/markdown/formula-to-mathml.ts';
import { markdownToHtml } from '../../../src/chat/markdown/markdown-parser.ts';
import { HOSTILE_FORMULAS } from '../../support/samples/hostile-answers.ts';

function plain(html: string): string {
  return html.replaceAll('&lt;', '<').replaceAll('&#39;', "'").replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/** Returns the formulas in a text. Each display formula begins with `display`. */
function formulasIn(markdown: string): string[] {
  const found = markdownToHtml(markdown).matchAll(/<code class="formula( display)?">([^]*?)<\/code>/g);
  return [...found].map(([, display, source]) => `${display === undefined ? '' : 'display '}${plain(source!)}`);
}

test.each([
  ['Let $x_1 + y_1$ be.', ['$x_1 + y_1$']],
  ['Let \\(x\\) be, and \\(a\\,b\\).', ['\\(x\\)', '\\(a\\,b\\)']],
  ['GitHub writes $`a_1 * b_1`$ and $`c * d`$, too.', ['$a_1 * b_1$', '$c * d$']],
  ['**Bold $`a * b`$**, ($`x`$).', ['$a * b$', '$x$']],
  ['| a |\n|---|\n| $`|x|`$ |', ['$|x|$']],
  ['It costs $`5` and `6`$ in all, US$`x`$y.', []],
  ['Run `$` and `x$`, then $` `$.', []],
  ['```math\n\\frac{a}{b}\n```', ['display $$\n\\frac{a}{b}\n$$']],
  ['- Item\n\n  ~~~math\n  x < y\n  ~~~', ['display $$\nx < y\n$$']],
  ['```math\n```\n\n```math\n$$x$$\n```\n\n```tex\nx\n```', []],
  ['Single letters $a$, $b$ and $n$.', ['$a$', '$b$', '$n$']],
  ['It is $$x^2$$ here.', ['display $$x^2$$']],
  ['$$\nx\n$$', ['display $$\nx\n$$']],
  ['Then\n\\[\n- a\n+ b\n= c\n\\]\nfollows.', ['display \\[\n- a\n+ b\n= c\n\\]']],
  ['- Item\n  $$\n  x\n  $$\n- \\(y\\)', ['display $$\nx\n$$', '\\(y\\)']],
  ['> \\[ x \\]', ['display \\[ x \\]']],
  ['| a | b |\n|---|---|\n| $x$ | \\(y\\) |', ['$x$', '\\(y\\)']],
  ['**Bold $a*b$ and $c*d$ too**', ['$a*b$', '$c*d$']],
  ['\\[ x = 1 \\] and so on', ['display \\[ x = 1 \\]']],
  ['$\\text{costs \\$5}$', ['$\\text{costs \\$5}$']],
  ['# Heading with $E = mc^2$', ['$E = mc^2$']],
  ['其中$x$是变量，$y$为结果。', ['$x$', '$y$']],
  ['変数$n$は整数です。', ['$n$']],
  ['변수$n$은 정수이다.', ['$n$']],
  ['जहाँ $x$है।', ['$x$']],
  ['حيث $س$هو', ['$س$']],
  ['где $x$это', ['$x$']],
  ['ตัวแปร$k$คือ', ['$k$']],
  ['设$a+b=c$则', ['$a+b=c$']],
  ['共$n$个，第$i$项', ['$n$', '$i$']],
  ['（$x$）、「$y$」', ['$x$', '$y$']],
  ['花费$5，而$n$是', ['$n$']],
  ['**其中$x*y$是**', ['$x*y$']],
  ['từ $1$đến $n$ổn định', ['$1$', '$n$']],
  ['Пусть$x_0$— корень, тогда$f(x_0)=0$и', ['$x_0$', '$f(x_0)=0$']],
  ['כאשר $x$הוא', ['$x$']],
  ['სადაც $v$არის', ['$v$']],
  ['որտեղ $a$է', ['$a$']],
  ['όπου $\\alpha$είναι', ['$\\alpha$']],
  ['যেখানে $x$হল', ['$x$']],
  ['இங்கு $y$என்பது', ['$y$']],
  ['ដែល$x$ជា', ['$x$']],
  ['ဤနေရာတွင် $n$သည်', ['$n$']],
  ['ၸ$x$ነው', ['$x$']],
  ['当$x>0$时，$|x|=x$；当$x<0$时，$|x|=-x$。', ['$x>0$', '$|x|=x$', '$x<0$', '$|x|=-x$']],
  ["若$f(x)=x^2$，则$f'(x)=2x$", ['$f(x)=x^2$', "$f'(x)=2x$"]],
  ['面積は\\(S=\\pi r^2\\)である。', ['\\(S=\\pi r^2\\)']],
  ['At 25$^\\circ$C, 3$\\times$4 and 10$\\mu$m.', ['$^\\circ$', '$\\times$', '$\\mu$']],
  ['${}^{14}C$ and ${x}^2$', ['${}^{14}C$', '${x}^2$']],
  ['\\begin{align}\na &= b \\\\\nc &= d\n\\end{align}', ['display \\begin{align}\na &= b \\\\\nc &= d\n\\end{align}']],
  ['So\n\\begin{equation*}\nx\n\\end{equation*}\nholds.', ['display \\begin{equation*}\nx\n\\end{equation*}']],
  ['Here \\begin{pmatrix}1&2\\end{pmatrix}.', ['display \\begin{pmatrix}1&2\\end{pmatrix}']],
  ['- \\begin{cases}a\\\\b\\end{cases}', ['display \\begin{cases}a\\\\b\\end{cases}']],
  ['> \\begin{gather}\n> x\n> \\end{gather}', ['display \\begin{gather}\nx\n\\end{gather}']],
  [
    '\\begin{array}{c}\\begin{array}{c}x\\end{array}\\end{array}',
    ['display \\begin{array}{c}\\begin{array}{c}x\\end{array}\\end{array}'],
  ],
  ['$$\n\\begin{aligned}a&=b\\end{aligned}\n$$', ['display $$\n\\begin{aligned}a&=b\\end{aligned}\n$$']],
])('finds the formulas of %j', (markdown, formulas) => expect(formulasIn(markdown)).toEqual(formulas));

test.each([
  '$5 and $6',
  'Between $5-$6, or $1,000/$2,000.',
  'It costs $5, or 6$ for two.',
  'US$5 is A$7.',
  'Prices: $5, $6, $7.',
  'It was $20 cheap and 30$ dear.',
  'Set $PATH and $HOME, or $PATH:$HOME.',
  '`$x$` and ``\\(y\\)``',
  '```tex\n$x$\n\\[y\\]\n```',
  '    $$\n    indented code\n    $$',
  'An escaped \\$x\\$ sign.',
  'Not yet finished: $x + \\frac{1',
  'Not yet \\(x + 1',
  '$$\nx +\n\nNew paragraph $$',
  '\\[\n\\frac{1}{2}',
  '$ x $',
  '$$ $$',
  'It costs 20$-30$ here.',
  'Prices: 5$, 6$ or 7$.',
  '100$/200$',
  'Join ${HOME}/${USER}.',
  '`a` is ${A}, ${B} or ${HOME}$.',
  'From ${HOME}/bin:$PATH.',
  '5~10 minutes and costs $3~$5',
  '5$–10$ and 5$=6$',
  '(5$) and (6$)',
  'R$5-R$ and US$-A$',
  '價格20$~30$，或５$、６$',
  '五$-六$',
  '价格是$5到$十',
  '20$+tax and 30$+tax',
  '10$/月，20$/年',
  '$1.5M–$2M',
  'CA$10, NZ$20 and HK$30',
  'ab$cd$ef',
  '$HOME/$USER.txt',
  'jQuery: $("a").on("click", $("b"))',
  'Earn $$$ fast, $$$!',
  '$$$ fast $$$',
  '$$$\nx\n$$$',
  'between $10k and $20k/yr',
  '20 $, 30 $ and 40 $',
  '3$ (or 4$), then 5$; 6$',
  'sed s/$A/$B/g',
  '每人$20，共$60',
  '₩1,000 = 1$, 2$ = ₩2,000',
  '\\begin{align}\nx',
  '\\begin{itemize}\n\\item x\n\\end{itemize}',
  '`\\begin{align}x\\end{align}`',
  '```tex\n\\begin{align}x\\end{align}\n```',
  '\\begin{align}\nx\n\ny\n\\end{align}',
])('finds no formula in %j', (markdown) => expect(formulasIn(markdown)).toEqual([]));

test('a formula of thousands of characters stays text', () => {
  const long = 'x+'.repeat(3000);
  expect(formulasIn(`$${long}y$ and \\(${long}y\\)`)).toEqual([]);
  expect(formulasIn(`$$\n${long}y\n$$`)).toEqual([]);
});

test('prices and unfinished formulas are shown as written', () => {
  expect(markdownToHtml('It is $5 and $6.')).toBe('<p>It is $5 and $6.</p>\n');
  expect(markdownToHtml('\\[\n\\frac{1')).toBe('<p>\\[\n\\frac{1</p>\n');
});

test('a formula keeps its source, even if it looks like Markdown or HTML', () => {
  expect(markdownToHtml('$a<b & _c_ \\\\ \\{d\\}$')).toBe(
    '<p><code class="formula">$a&lt;b &amp; _c_ \\\\ \\{d\\}$</code></p>\n',
  );
});

test.each([
  ['x^2', '<msup><mi>x</mi><mn'],
  ['\\frac{a}{b}', '<mfrac><mi>a</mi><mi>b</mi></mfrac>'],
  ['\\sqrt{2}', '<msqrt><mn>2</mn></msqrt>'],
  ['\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}', '<mtable>'],
])('%s becomes MathML', (tex, markup) => expect(mathMlMarkup(tex, true)).toContain(markup));

test('no hostile formula produces a link, an address or an element that loads or runs anything', () => {
  expect(HOSTILE_FORMULAS.length).toBeGreaterThanOrEqual(20);
  for (const source of HOSTILE_FORMULAS) {
    const tags = (mathMlMarkup(source.slice(2, -2), true) ?? '').match(/<[^>]*>/g) ?? [];
    const bad = tags.filter((tag) => /^<(?!\/?m)|href|src|url\(| on\w+=|id=/.test(tag));
    expect({ source, bad }).toEqual({ source, bad: [] });
  }
});

test.each([
  ['commands that expand endlessly', '\\def\\a{xxxxxxxxxx}\\def\\b{\\a\\a\\a\\a}\\b\\b\\b'],
  ['a command that expands to itself', '\\newcommand{\\x}{\\x\\x}\\x'],
  ['an unusual nesting depth', `${'\\sqrt{'.repeat(60)}x${'}'.repeat(60)}`],
  ['more elements than a page should have', `\\begin{matrix}${'1&'.repeat(1900)}\\end{matrix}`],
  ['invalid TeX', '\\frac{'],
])('%s is not drawn', (_name, tex) => expect(mathMlMarkup(tex, true)).toBeNull());
