import test from 'ava';
import { lintProse } from './lint-prose.js';
import { proseFiles } from './prose-files.js';

/** The linter's findings in a text: rule, line and column. */
async function found(text: string, file = 'page.md'): Promise<string[]> {
  const messages = await lintProse(text, file);
  return messages.map(({ ruleId, line, column }) => `${ruleId} ${line}:${column}`);
}

const words = (count: number) => Array.from({ length: count }, (_, index) => `Word${index}`).join(' ');

test('prose: an unwanted phrase is found over the end of a line and with a capital letter too', async (t) => {
  t.deepEqual(await found('# Title\n\nThe value of\nnow is shown.\n'), ['words 3:11']);
  t.deepEqual(await found('Whoever logs in gets an e-mail.'), ['words 1:1', 'words 1:9', 'words 1:25']);
  t.deepEqual(await found('You sign in, and the login page sends an email. Such as this one.'), []);
});

test('prose: code and addresses of links are not prose', async (t) => {
  t.deepEqual(await found('Call `whoever` or [this](https://example.com/log-in).\n\n```js\nwhoever();\n```\n'), []);
});

test('prose: a sentence of a page has 25 words, a table’s cell too; code counts as one', async (t) => {
  t.deepEqual(await found(`Short. ${words(25)}.`), []);
  t.deepEqual(await found(`Short.\n${words(20)}\n${words(6)}.`), ['sentence-length 2:1']);
  t.deepEqual(await found(`| a |\n| --- |\n| ${words(26)} |\n`), ['sentence-length 3:3']);
  t.deepEqual(await found(`${words(24)} \`one two three\`.`), []);
  t.deepEqual(await found(`${words(24)} \`a\`, \`b\` and \`c\`.`), []);
});

test('prose: a heading is in sentence case, names aside', async (t) => {
  t.deepEqual(await found('# Start The Server\n\n## Move from Keycloak: Why you do\n'), ['sentence-case 1:1']);
});

test('prose: the English texts of a TypeScript file are messages: 20 words, sentence case, a full stop after sentences alone', async (t) => {
  const file = [
    `const en = {`,
    `  whoever: 'Sign in',`,
    `  label: 'Sign In',`,
    `  name: (user: 'whoever') => (user === 'whoever' ? \`\${user} logs in\` : 'Name.'),`,
    `  long: '${words(21)}',`,
    `  two: 'One sentence. Another one',`,
    `};`,
    `const de = { label: 'whoever', name: 'Wer Auch Immer' };`,
  ].join('\n');
  t.deepEqual(await found(file, 'texts.ts'), [
    'sentence-case 3:11',
    'words 4:61',
    'full-stop 4:73',
    'sentence-length 5:10',
    'full-stop 6:9',
  ]);
});

test('prose: the files are the documentation and the texts of the pages', async (t) => {
  const files = await proseFiles();
  for (const file of [
    'README.md',
    '.github/CONTRIBUTING.md',
    'core/docs/how-to/production.md',
    'core/pages/messages/english.ts',
    'core/admin-console/app/src/messages/en.ts',
    'core/admin-console/app/src/pages/user/texts.ts',
  ]) {
    t.true(files.includes(file), file);
  }
  t.false(files.some((file) => /german|node_modules|CHANGELOG|dist\//.test(file)));
});
