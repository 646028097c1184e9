import test from 'ava';
import { grownFaults } from './comments/check-comments.js';
import { commentFiles } from './comments/comment-files.js';
import { lintComments } from './comments/lint-comments.js';

/** The refused and the counted faults of a source text, as `pattern line:column`. */
function faults(source: string, file = 'thing.ts') {
  const { refused, counted } = lintComments(source, file);
  const asText = (found: typeof refused) => found.map(({ name, line, column }) => `${name} ${line}:${column}`);
  return { refused: asText(refused), counted: asText(counted) };
}

test('prose, comments: phrases that read like a translation are refused, in a doc comment, a line and behind code', (t) => {
  const source = [
    '/** What came of a request. Of two, the first. */',
    'const a = 1; // is told to nobody',
    '// The limit is so',
    '// many, dear and anew: whoever',
    '/** @returns what is known. @param name Who asks. */',
  ].join('\n');
  t.deepEqual(faults(source).refused, [
    'What … 1:5',
    'Of … 1:29',
    '(is|are|was|were) (told|said) 2:17',
    'told 2:20',
    'nobody 2:28',
    'so many 3:17',
    'anew 4:10',
    'anew 4:19',
    '(who|what|which)ever 4:25',
    'Who … 5:41',
  ]);
});

test('prose, comments: ordinary words that read oddly are counted, and so are long sentences', (t) => {
  const line = (from: number) => ` * ${Array.from({ length: 13 }, (_, index) => `word${from + index}`).join(' ')}`;
  const source = ['/** It stands where the file says so. */', '/**', line(0), line(13), ' */'].join('\n');
  t.deepEqual(faults(source), { refused: [], counted: ['stands 1:8', 'where 1:15', 'says 1:30', 'long sentence 3:4'] });
});

test('prose, comments: strings, templates, JSX text and code in backticks are no comments', (t) => {
  const source = [
    "const a = 'https://example.com /* told */ nobody';",
    'const b = `// told ${a /* a code */} nobody`;',
    'const c = /\\/\\* told *\\//;',
    '/**',
    ' * Calls `told` and {@link nobody}.',
    ' * @example whoever()',
    ' */',
    '// biome-ignore lint/suspicious/noExplicitAny: the plugin decides',
  ].join('\n');
  t.deepEqual(faults(source), { refused: [], counted: [] });
  t.deepEqual(faults('const d = <p>// told nobody {/* told */ 1}</p>;', 'page.tsx').refused, ['told 1:33']);
});

test('prose, comments: a line is as wide as code at most; an address that cannot be wrapped is left', (t) => {
  const wide = `// ${'word '.repeat(24)}`;
  t.deepEqual(faults(wide).refused, ['width 1:121']);
  t.deepEqual(faults(`// https://example.com/${'a'.repeat(120)}`).refused, []);
});

test('prose, comments: a folder that has more counted faults than allowed reports all of them', (t) => {
  const fault = (file: string, line: number) => ({ file, line, column: 1, name: 'says', message: 'Write “contains”.' });
  const found = [fault('core/login/a.ts', 1), fault('core/login/b.ts', 2), fault('core/oidc/a.ts', 1)];
  const allowed = { 'core/login': { says: 1 }, 'core/oidc': { says: 1 } };
  t.deepEqual(
    grownFaults(found, allowed).map(({ file, message }) => `${file}: ${message}`),
    [
      'core/login/a.ts: Write “contains”. core/login has 2 of these, 1 allowed.',
      'core/login/b.ts: Write “contains”. core/login has 2 of these, 1 allowed.',
    ],
  );
  t.deepEqual(grownFaults(found.slice(1), allowed), []);
});

test('prose, comments: the files are the sources of the host, the plugins and the tests', async (t) => {
  const files = await commentFiles();
  const named = ['core/main.ts', 'providers/books/index.ts', 'test/run.mjs', 'core/spi/plugin.ts'];
  t.deepEqual(
    named.filter((file) => !files.includes(file)),
    [],
  );
  t.false(files.some((file) => /node_modules|dist\/|\.md$/.test(file)));
});
