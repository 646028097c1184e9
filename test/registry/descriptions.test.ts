import type { ProviderDefinition } from '@keyhost/spi';
import test from 'ava';
import { checkDefinition, schemasFault } from '../../core/registry/loading/plugin-shape.js';
import { startHost } from '../helpers/host.js';
import { pinStep } from '../helpers/pin-step.js';
import { providersFolder } from '../helpers/plugins.js';
import { testRealm } from '../helpers/realms.js';

const authenticatorPlugin = (declared: string) => `import { Authenticator, provide } from '@keyhost/spi';
export default { name: 'p', api: 1, providers: [provide(Authenticator, {
  id: 'a', ${declared}, open: () => ({ create: () => ({ authenticate: async () => ({ outcome: 'success' }) }) }),
})] };`;

const settingsOf = (property: string) => `settings: { type: 'object', properties: { a: ${property} } }`;

test('descriptions of providers: a description or settings of the wrong shape is a boot error with the reason', async (t) => {
  const cases: [declared: string, told: RegExp, hint?: string][] = [
    ['describe: {}', /describe\.displayName is required, and must be a text/],
    ["describe: { displayName: 'A', helpText: 1 }", /describe\.helpText must be a text/],
    ["describe: { displayName: 'A', category: 'conditon' }", /describe\.category must be one of step, condition/],
    [
      "describe: { displayName: 'A', requirements: ['SOMETIMES'] }",
      /describe\.requirements must be a list of REQUIRED, ALTERNATIVE, CONDITIONAL, DISABLED/,
    ],
    ["describe: { displayName: 'A', proves: 'yes' }", /describe\.proves must be true or false/],
    ["describe: { displayName: 'A', category: 'condition', proves: true }", /a condition must not set it/],
    ["describe: { displayName: 'A', label: 'a' }", /describe\.label must be a message/],
    [
      "describe: { displayName: 'A', requirments: ['REQUIRED'] }",
      /^p: authenticator\/a: unknown member "requirments" of describe/,
      'did you mean requirements?',
    ],
    ["describe: { displayName: 'A', prove: true }", /unknown member "prove" of describe/, 'did you mean proves?'],
    [
      "describe: { displayName: 'A', icon: 'x' }",
      /unknown member "icon" of describe/,
      'known members: displayName, helpText, category, proves, requirements, label',
    ],
    ["settings: { type: 'string' }", /settings must be a JSON Schema of type object/],
    [
      settingsOf("{ type: 'object' }"),
      /settings\.properties\.a must be a text, a number, a boolean, or a list of these/,
    ],
    [settingsOf("{ type: 'string', defualt: 'x' }"), /settings is not a valid JSON Schema: .*did you mean "default"\?/],
    [settingsOf("{ type: 'integer', default: 'x' }"), /settings: properties\.a\.default must be an integer/],
  ];
  for (const isolation of ['none', 'worker']) {
    for (const [declared, told, hint] of cases) {
      const argv = ['--providers-dir', await providersFolder(t, { p: authenticatorPlugin(declared) })];
      const refused = (await t.throwsAsync(
        startHost(t, { realms: [testRealm('demo')], plugins: [{ module: 'p', isolation }], argv }),
      )) as unknown as { code: string; message: string; hint?: string };
      t.is(refused?.code, 'plugin_shape', declared);
      t.regex(refused?.message ?? '', told);
      if (hint !== undefined) t.is(refused?.hint, hint);
    }
  }
});

test('descriptions of providers: settings of client policies that the host would ignore are a boot error with the reason', async (t) => {
  const settings = (more: object) => JSON.stringify({ type: 'object', ...more });
  const cases: [kind: string, settings: string, told: RegExp][] = [
    [
      'Condition',
      settings({ properties: { 'is-negative-logic': { type: 'boolean' } } }),
      /^p: client-policy-condition\/a: settings\.properties\.is-negative-logic must go: every condition has it/,
    ],
    ['Executor', settings({ additionalProperties: true }), /settings\.additionalProperties must be false/],
    [
      'Condition',
      settings({ additionalProperties: { type: 'string' } }),
      /settings\.additionalProperties must be false/,
    ],
  ];
  for (const [kind, declared, told] of cases) {
    const source = `import { ClientPolicy${kind}, provide } from '@keyhost/spi';
      export default { name: 'p', api: 1, providers: [provide(ClientPolicy${kind}, {
        id: 'a', events: ['REGISTER'], settings: ${declared}, open: () => ({ create: () => ({}) }),
      })] };`;
    const argv = ['--providers-dir', await providersFolder(t, { p: source })];
    const refused = await t.throwsAsync(
      startHost(t, { realms: [testRealm('demo')], plugins: [{ module: 'p' }], argv }),
    );
    t.regex(refused?.message ?? '', told);
  }
});

test('descriptions of providers: built-in providers keep the rules of plugins’ ones', async (t) => {
  const { registry } = await startHost(t, { plugins: [] });
  const own = registry.list().filter(({ plugin }) => plugin.builtin);
  t.true(own.length > 50);
  for (const { spi, id, realmConfig, declaration, background, schedule } of own) {
    const definition = { spi, id, realmConfig, declaration, background, schedule } as ProviderDefinition;
    t.notThrows(() => checkDefinition(definition, { name: 'keyhost', builtin: true }), `${spi.id}/${id}`);
    const schemas = { realmConfig, ...spi.schemas?.(declaration as Readonly<Record<string, unknown>>) };
    t.is(schemasFault(schemas)?.message, undefined, `${spi.id}/${id}`);
  }
});

test('descriptions of providers: a step with an unknown error code, or a condition that counts attempts, does not load, and the error says so', async (t) => {
  for (const [of, by, message] of [
    ["['wrong_pin']", "['Wrong PIN']", /countsForBruteForce must be at most 10 errors/],
    ["['wrong_pin']", "'wrong_pin'", /countsForBruteForce must be at most 10 errors/],
    ['proves: true', "category: 'condition'", /a condition must not set countsForBruteForce/],
  ] as const) {
    const pin = pinStep('pin').replace(of, by);
    const error = await t.throwsAsync(startHost(t, { realms: [], plugins: [{ module: 'pin' }], packages: { pin } }));
    t.regex(String(error?.message), message);
  }
});
