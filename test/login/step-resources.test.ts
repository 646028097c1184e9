import test from 'ava';
import { codeRealm } from '../helpers/code-realm.js';
import { Browser, codeRequest, type Visit } from '../helpers/form-browser.js';
import { inRealm, type TestHost } from '../helpers/host.js';
import { flowWith } from '../helpers/redirecting-step.js';
import { reloadScene } from '../helpers/reload.js';
import { FILES, scripted, scriptedStep } from '../helpers/scripted-step.js';
import { shareHost } from '../helpers/shared-host.js';

const ALL = { scripts: ['puzzle.js'], styles: ['puzzle.css'], workers: ['deep/solver.js'] };
const shared = shareHost(test, {
  realms: [],
  plugins: [{ module: 'puzzle' }, { module: 'apart', isolation: 'worker' }, { module: 'modular' }],
  packages: {
    puzzle: scripted('puzzle', ALL),
    apart: scripted('apart', ALL),
    modular: scripted('modular', { scripts: ['main.mjs'] }, { 'resources/main.mjs': 'export {};' }),
  },
});

const open = async (host: TestHost) => new Browser().open(codeRequest(host).url);
const showing = async (id: string) => open(await inRealm(shared(), (name) => codeRealm(name, flowWith(id))));
const paths = ({ text }: Visit) =>
  [...text.matchAll(/(?:src|href)="(\/resources\/plugins\/[^"]+)"/g)].map(([, path = '']) => path);

for (const id of ['puzzle', 'apart']) {
  test(`files of steps: a page has the files that its step names, and its policy lets these alone through: ${id}`, async (t) => {
    const page = await showing(id);
    const [style = '', script = ''] = paths(page);
    const hash = script.split('/')[3] ?? '';
    t.regex(hash, /^[\w-]{22}$/);
    const at = (file: string) => `/resources/plugins/${hash}/${file}`;
    t.deepEqual([style, script], [at('puzzle.css'), at('puzzle.js')]);
    t.true(page.text.includes(`<script src="${script}" defer></script>`), page.text);
    const { origin } = new URL(page.url);
    const policy = page.headers.get('content-security-policy') ?? '';
    const directives: Record<string, string[]> = Object.fromEntries(
      policy.split('; ').map((one) => [one.split(' ')[0], one.split(' ').slice(1)]),
    );
    t.deepEqual(directives['worker-src'], [`${origin}${at('deep/solver.js')}`]);
    const files = (name: string) => directives[name]?.map((source) => source.replace(/^.*\/(?=[^/]+$)/, ''));
    t.deepEqual(files('script-src'), ['form.js', 'puzzle.js', 'solver.js']);
    t.deepEqual(files('style-src'), ['login.css', 'puzzle.css']);
    t.notRegex(policy, /script-src[^;]*('self'|unsafe|nonce)/);
    for (const [path, text] of Object.entries(FILES)) {
      const answer = await fetch(`${origin}${at(path.replace('resources/', ''))}`);
      t.is(answer.status, 200, path);
      t.is(await answer.text(), text);
      t.is(answer.headers.get('cache-control'), 'public, max-age=31536000, immutable');
      t.is(answer.headers.get('x-content-type-options'), 'nosniff');
    }
  });
}

test('files of steps: a module is loaded as one, and a page without files has the policy of every page', async (t) => {
  const page = await showing('modular');
  t.regex(page.text, /<script src="[^"]*main\.mjs" type="module"><\/script>/);
  t.regex(page.headers.get('content-security-policy') ?? '', /; worker-src 'none'/);
  const plain = await showing('auth-username-password-form');
  t.regex(
    plain.headers.get('content-security-policy') ?? '',
    /style-src 'self'; img-src 'self' data:; script-src 'self'; form-action/,
  );
});

test('files of steps: another version of the plugin has another address', async (t) => {
  const { host, write } = await reloadScene(t, () => ({ puzzle: scripted('puzzle', ALL) }), {
    realm: codeRealm('demo', flowWith('puzzle')),
    enabled: [],
  });
  const before = paths(await open(host));
  await write(
    'puzzle',
    { 'index.js': scriptedStep('puzzle', ALL), 'resources/puzzle.css': 'h1 { color: red }' },
    '2.0.0',
  );
  await host.plugins.reload();
  const after = paths(await open(host));
  t.is(after.length, 2);
  t.notDeepEqual(after, before);
  const { origin } = new URL(host.url);
  t.is(await (await fetch(`${origin}${after[0]}`)).text(), 'h1 { color: red }');
  t.is((await fetch(`${origin}${before[0]}`)).status, 404);
});
