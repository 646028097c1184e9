import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ActionTokenHandler, type JsonSchema } from '@keyhost/spi';
import test from 'ava';
import { parseOptions } from '../../core/config/options/options.js';
import { declaredBuiltIns } from '../../core/host/known-plugins.js';
import { fetchAnswer, startHost } from '../helpers/host.js';
import { enabledResources } from '../helpers/plugins.js';
import { ROOT } from '../helpers/readme-blocks.js';
import { ALICE, testRealm } from '../helpers/realms.js';
import { ask, scriptedPlugin } from '../helpers/scripted-plugin.js';

/** The claims of each built-in type: the required ones and the others. */
async function declaredClaims(): Promise<ReadonlyMap<string, readonly [string[], string[]]>> {
  const builtIns = await declaredBuiltIns(parseOptions([], {}, 'start-dev'));
  const handlers = builtIns.flatMap(({ providers }) => providers).filter(({ spi }) => spi.id === ActionTokenHandler.id);
  return new Map(
    handlers.map(({ id, declaration }) => {
      const { properties = {}, required = [] } = declaration.claims as JsonSchema;
      return [id, [[...required], Object.keys(properties).filter((name) => !required.includes(name))]];
    }),
  );
}

test('action tokens: the guide lists the claims of each built-in type', async (t) => {
  const guide = await readFile(join(ROOT, 'core/spi/guide/spis.md'), 'utf8');
  const [, table = ''] = /### Built-in action tokens\n([\s\S]*?)\n## /.exec(guide) ?? [];
  const rows = [...table.matchAll(/^\| `([a-z-]+)` .*\| ([^|]*)\|$/gm)].map(([, type = '', claims = '']) => {
    const [required = '', optional = ''] = claims.split('optional');
    const namesIn = (text: string) => [...text.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
    return [type, [namesIn(required), namesIn(optional)]] as const;
  });
  t.deepEqual(Object.fromEntries(rows) as object, Object.fromEntries(await declaredClaims()));
});

test('action tokens: a link of a built-in type that a plugin issues does nothing; one of the Admin REST API works', async (t) => {
  const host = await startHost(t, {
    realms: [
      testRealm('demo', {
        providers: enabledResources(['maker']),
        actionTokenPolicy: { 'execute-actions': { mint: true } },
      }),
    ],
    packages: { maker: scriptedPlugin('maker', { 'manage-users': 'makes links' }) },
    plugins: [{ module: 'maker', grants: { '*': ['manage-users'] } }],
  });
  const samples: Record<string, unknown> = {
    eml: 'alice@example.test',
    rqac: ['UPDATE_PASSWORD'],
    newEmail: 'eve@example.org',
  };
  for (const [type, [required]] of await declaredClaims()) {
    const claims = Object.fromEntries(required.map((name) => [name, samples[name] ?? 'x']));
    const { value, error } = await ask(host, 'demo', 'maker', 'actionTokens', 'issue', { type, userId: ALICE, claims });
    t.is(error, undefined, type);
    const { status, text } = await fetchAnswer((value as unknown as { link: string }).link, {
      headers: { accept: 'text/html' },
    });
    t.is(status, 400, type);
    t.notRegex(text, /password-new/);
  }
  const body = { type: 'execute-actions', claims: { rqac: ['UPDATE_PASSWORD'] } };
  const { value } = await ask(host, 'demo', 'maker', 'admin', 'request', 'POST', `/users/${ALICE}/action-tokens`, body);
  const { link } = (value as unknown as { body: { link: string } }).body;
  t.is((await fetchAnswer(link, { headers: { accept: 'text/html' } })).status, 200);
});
