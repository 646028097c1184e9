import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { JsonSchema, Plugin, ProviderDefinition } from '@keyhost/spi';
import test from 'ava';
import type { CataloguePlugin } from '../../core/admin/plugins/plugin-catalogue.js';
import { SHIPPED_PLUGINS } from '../../core/admin/plugins/shipped-plugins.js';
import { compileSchema } from '../../core/config/json/schema-check.js';
import { adminCaller, administrator, startAdministered } from '../helpers/admin.js';
import { testRealm } from '../helpers/realms.js';

const PROVIDERS = new URL('../../../providers/', import.meta.url);

/** The names of the packages in the folder `providers`. */
async function packageNames(): Promise<string[]> {
  const folders = await readdir(fileURLToPath(PROVIDERS), { withFileTypes: true });
  const texts = await Promise.all(
    folders
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => readFile(new URL(`${name}/package.json`, PROVIDERS), 'utf8').catch(() => undefined)),
  );
  const packages = texts.flatMap((text) => (text === undefined ? [] : [JSON.parse(text)]));
  return packages.filter(({ keywords = [] }) => keywords.includes('keyhost-plugin')).map(({ name }) => name);
}

async function loaded(module: string): Promise<Plugin> {
  return ((await import(module)) as { default: Plugin }).default;
}

/** Each setting of a schema for a form of the admin console, by its path. */
function settingsIn(schema: unknown, path: string): [path: string, schema: JsonSchema][] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {}, items, additionalProperties } = schema as JsonSchema;
  return [
    ...Object.entries(properties).flatMap(([name, setting]): [string, JsonSchema][] => [
      [`${path}.${name}`, setting],
      ...settingsIn(setting, `${path}.${name}`),
    ]),
    ...settingsIn(items, `${path}[]`),
    ...settingsIn(additionalProperties, `${path}.*`),
  ];
}

test('plugin catalogue: it has every shipped package, with the providers, rights and configuration of the package', async (t) => {
  t.deepEqual(SHIPPED_PLUGINS.map(({ module }) => module).sort(), (await packageNames()).sort());
  for (const { module, needs, provides, config = {} } of SHIPPED_PLUGINS) {
    const plugin = await loaded(module);
    t.deepEqual(needs, plugin.needs as typeof needs, module);
    t.deepEqual([...provides].sort(), plugin.providers.map(({ spi, id }) => `${spi.id}/${id}`).sort(), module);
    for (const { spi, id, config: schema } of plugin.providers) {
      if (schema !== undefined) t.true(compileSchema(schema)(config[`${spi.id}/${id}`] ?? {}), `${module} ${spi.id}`);
    }
  }
});

test('plugin catalogue: each setting that an admin sees has a title, and each text has a German translation', async (t) => {
  for (const { module } of SHIPPED_PLUGINS) {
    const { providers, messages = {} } = await loaded(module);
    const isGerman = (text: string) => {
      const key = /^\$\{(.+)\}$/.exec(text)?.[1] ?? text;
      return messages.de?.[key] !== undefined;
    };
    const schemasOf = ({ realmConfig, sharesConfig, declaration }: ProviderDefinition) =>
      [realmConfig, sharesConfig?.realmConfig, declaration.settings].filter((schema) => schema !== undefined);
    for (const provider of providers) {
      const name = `${module} ${provider.spi.id}/${provider.id}`;
      const settings = schemasOf(provider).flatMap((schema) => settingsIn(schema, name));
      for (const [path, { title, description }] of settings) {
        t.is(typeof title, 'string', `${path} has a title`);
        t.true(isGerman(String(title)), `${path}: ${title}`);
        if (description !== undefined) t.true(isGerman(String(description)), `${path}: ${description}`);
      }
    }
  }
});

test('plugin catalogue: an admin of the host sees in the own language how to add what is not loaded', async (t) => {
  const host = await startAdministered(t, {
    realms: [testRealm('demo', { users: [administrator('ria', 'realm-admin')] })],
  });
  const call = await adminCaller(host);
  const read = async (language: string) =>
    JSON.parse(
      (await call('GET', '/plugins/catalogue', undefined, { 'accept-language': language })).text,
    ) as CataloguePlugin[];
  const find = (list: CataloguePlugin[], name: string) => list.find(({ module }) => module === `@keyhost/${name}`);
  const english = await read('en');
  t.like(find(english, 'newsletter'), { state: 'running' });
  t.like(find(english, 'email-otp'), {
    title: 'Email OTP',
    state: 'not loaded',
    command: 'npx keyhost plugin add @keyhost/email-otp --grant',
    entry: { module: '@keyhost/email-otp', grants: { '*': ['send-mail', 'view-users'] } },
    needs: [{ right: 'send-mail', reason: 'It mails the codes to the users.' }, { right: 'view-users' }],
  });
  t.like(find(english, 'webhooks'), {
    command: 'npx keyhost plugin add @keyhost/webhooks',
    entry: { module: '@keyhost/webhooks' },
  });
  const german = await read('de-AT,en;q=0.5');
  t.is(find(german, 'email-otp')?.title, 'E-Mail-Code');
  for (const [index, { module, purpose, needs }] of german.entries()) {
    t.not(purpose, english[index]?.purpose, module);
    for (const [at, { reason }] of needs.entries()) t.not(reason, english[index]?.needs[at]?.reason, module);
  }
  const ria = await adminCaller(host, { realm: 'demo', username: 'ria', password: 'ria' });
  t.is((await ria('GET', '/plugins/catalogue')).status, 403);
});
