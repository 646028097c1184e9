import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import test from 'ava';
import { compileSchema } from '../../core/config/json/schema-check.js';
import { findRealmFiles } from '../../core/config/realm-file/realm-folder.js';
import { keyhost } from '../helpers/command.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const SCHEMA_FILES = { realm: 'realms/schema/realm.schema.json', plugins: 'realms/schema/plugins.schema.json' };

const read = async (path: string) => JSON.parse(await readFile(join(ROOT, path), 'utf8'));

for (const [kind, path] of Object.entries(SCHEMA_FILES)) {
  test(`JSON schemas for editors: ${path} is the output of "keyhost schema ${kind}"`, async (t) => {
    const places = ['--plugins-file', join(ROOT, 'plugins.json'), '--providers-dir', join(ROOT, 'providers')];
    const { code, stdout: out } = await keyhost(['schema', kind, ...places]);
    t.is(code, 0);
    t.is(out, await readFile(join(ROOT, path), 'utf8'), `npx keyhost schema ${kind} > ${path}`);
  });
}

async function check(path: string) {
  const schema = await read(path);
  // Strict but for keywords of editors, as the host is with the schemas of plugins.
  const ajv = new Ajv({ allErrors: true, strict: true, strictRequired: false, strictTypes: false });
  return ajv.addVocabulary(['patternErrorMessage']).compile(schema);
}

test('JSON schemas for editors: a plugin’s schema may have editor keywords, and no unknown ones', (t) => {
  const text = { type: 'string', pattern: '^a', patternErrorMessage: 'begins with an a', markdownDescription: '*a*' };
  t.false(compileSchema(text)('b'));
  t.throws(() => compileSchema({ ...text, patern: '^b' }), { message: /unknown keyword/ });
});

test('JSON schemas for editors: the shipped files name their schemas and are valid', async (t) => {
  const demo = await read('realms/demo.json');
  const plugins = await read('plugins.json');
  t.is(join('realms', demo.$schema), SCHEMA_FILES.realm);
  t.is(join(plugins.$schema), SCHEMA_FILES.plugins);
  const ofRealm = await check(SCHEMA_FILES.realm);
  const ofPlugins = await check(SCHEMA_FILES.plugins);
  t.true(ofRealm(demo), JSON.stringify(ofRealm.errors));
  t.true(ofPlugins(plugins), JSON.stringify(ofPlugins.errors));
  t.true(ofRealm(await read('test/fixtures/keycloak-26-realm-export.json')), JSON.stringify(ofRealm.errors));
});

test('JSON schemas for editors: they contain the options of each plugin', async (t) => {
  const ofRealm = await check(SCHEMA_FILES.realm);
  const places = (providers: object) => {
    ofRealm({ realm: 'x', providers });
    return (ofRealm.errors ?? []).map(({ instancePath, keyword }) => `${instancePath} ${keyword}`);
  };
  t.deepEqual(
    places({ 'realm-restapi-extension': { newsletter: { enabled: true, config: { authentication: 'nome' } } } }),
    ['/providers/realm-restapi-extension/newsletter/config/authentication enum'],
  );
  t.deepEqual(places({ 'grpc-service': { bocks: {} } }), ['/providers/grpc-service additionalProperties']);
  t.deepEqual(places({ 'protocol-mapper': { 'oidc-full-name-mapper': { enabled: true } } }), [
    '/providers additionalProperties',
  ]);
  const ofPlugins = await check(SCHEMA_FILES.plugins);
  t.false(ofPlugins({ plugins: [{ module: '@keyhost/books', config: { 'grpc-service/books': { dats: 'x' } } }] }));
  t.true(ofPlugins({ plugins: [{ module: 'somebody-elses', config: { 'grpc-service/theirs': { any: 1 } } }] }));
  const schema = await read(SCHEMA_FILES.realm);
  t.regex(schema.properties.accessTokenLifespan.description, /seconds/);
  t.regex(schema.properties.clients.items.properties.redirectUris.description, /\w/);
});

test('JSON schemas for editors: they are outside of the folders of realm files', async (t) => {
  const found = await findRealmFiles(join(ROOT, 'realms'));
  t.deepEqual(
    found.map(({ main }) => main.path.slice(ROOT.length)),
    ['realms/demo.json', 'realms/partner.json'],
  );
});
