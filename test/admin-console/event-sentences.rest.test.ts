import { join } from 'node:path';
import test from 'ava';
import { runnerImport } from 'vite';
import { pathOf } from '../../core/admin/admin-routes.js';
import { operations } from '../../core/build/reference/admin-api-page.js';
import { EVENT_MOMENTS } from '../../core/build/reference/event-moments.js';
import { findMatches, hostSources } from '../../core/build/reference/sources.js';
import { UNPROVEN } from '../../core/login/flows/flow-state.js';
import { KNOWN_ERRORS } from '../../core/registry/events/known-errors.js';

const SENTENCES = join(process.cwd(), 'core/admin-console/app/src/pages/events/sentences');
const LANGUAGES = ['en', 'de'] as const;
type Language = (typeof LANGUAGES)[number];

interface UserSentences {
  userSentence(event: object, names: object, language: Language): string;
}
interface Reasons {
  reasonOf(error: string, details: object, language: Language): string;
}
interface AdminSentences {
  adminSentence(event: object, lookup: object, language: Language): string;
}

const load = async <T>(name: string) => (await runnerImport<T>(join(SENTENCES, name), { configFile: false })).module;
const userSentences = load<UserSentences>('user-sentence.ts');
const reasons = load<Reasons>('reason.ts');
const adminSentences = load<AdminSentences>('admin-sentence.ts');

const ID = '0b7e0a3c-3f0e-4b8a-9a51-1a2b3c4d5e6f';
const ERIKA = { user: 'erika', client: 'Shop', details: {} };
const LOOKUP = { admin: 'root', user: () => 'erika', client: () => 'Shop' };

/** The sources whose errors become user events. */
const EVENT_SOURCES = /^core\/(account|action-tokens|broker|login|mail|oidc|tokens|users|admin\/registration)\//;
/** Error codes that are set in an event or a refusal, or are an argument of a function that creates one. */
const ERROR_CODE =
  /\b(?:eventError|error): '([a-z]+(?:_[a-z]+)*)'|, '([a-z]+(?:_[a-z]+)+)'\)|(?:Refusal|Error|failure)\((?:\w+, )?\s*'([a-z]+(?:_[a-z]+)+)'/g;

/** Parameters and flows, which are passed in the same way. */
const NO_CODES = ['direct_grant', 'id_token_hint', 'redirect_uri', 'redirect_uris'];

async function errorCodes(): Promise<string[]> {
  const sources = (await hostSources()).filter(({ path }) => EVENT_SOURCES.test(path));
  const found = findMatches(sources, ERROR_CODE).map(([, assigned, last, first]) => assigned ?? last ?? first ?? '');
  return [...new Set([UNPROVEN, ...KNOWN_ERRORS, ...found])].filter((code) => !NO_CODES.includes(code)).sort();
}

test('admin console, events: each type of event that the host writes has a sentence in both languages', async (t) => {
  const { userSentence } = await userSentences;
  for (const language of LANGUAGES) {
    for (const type of Object.keys(EVENT_MOMENTS).flatMap((name) => [name, `${name}_ERROR`])) {
      for (const names of [ERIKA, { details: {} }]) {
        const sentence = userSentence({ type }, names, language);
        t.false(sentence.includes(type.replace('_ERROR', '')), `${language}: ${sentence}`);
        t.notRegex(sentence, /undefined|null|\[object/, `${language}: ${type}`);
      }
    }
  }
});

test('admin console, events: each error code of the host has a reason in both languages', async (t) => {
  const { reasonOf } = await reasons;
  const codes = await errorCodes();
  t.true(codes.length > 80);
  for (const language of LANGUAGES)
    t.deepEqual(
      codes.filter((code) => reasonOf(code, {}, language) === code),
      [],
      language,
    );
});

test('admin console, events: a sentence names user, client and reason; an unknown code is shown as it is', async (t) => {
  const { userSentence } = await userSentences;
  const failed = { type: 'LOGIN_ERROR', error: 'invalid_user_credentials' };
  t.is(userSentence(failed, ERIKA, 'en'), 'erika could not sign in to Shop: wrong password');
  t.is(userSentence(failed, ERIKA, 'de'), 'erika konnte sich bei Shop nicht anmelden: falsches Passwort');
  const otp = { ...ERIKA, details: { credential_type: 'otp' } };
  t.is(userSentence(failed, otp, 'en'), 'erika could not sign in to Shop: wrong one-time password');
  t.is(
    userSentence({ type: 'LOGIN_ERROR', error: 'duo_refused' }, ERIKA, 'en'),
    'erika could not sign in to Shop: duo_refused',
  );
  t.is(
    userSentence({ type: 'LOGIN_ERROR', error: 'toString' }, ERIKA, 'en'),
    'erika could not sign in to Shop: toString',
  );
  t.is(userSentence({ type: 'NEWSLETTER_SENT' }, ERIKA, 'en'), 'Event NEWSLETTER_SENT of erika at Shop');
});

test('admin console, events: each change over the Admin REST API has a sentence in both languages', async (t) => {
  const { adminSentence } = await adminSentences;
  const methods = { GET: 'ACTION', POST: 'CREATE', PUT: 'UPDATE', DELETE: 'DELETE' } as const;
  let count = 0;
  for (const operation of operations()) {
    const { event, method } = operation;
    if (event === undefined) continue;
    // The ID of a provider is its name, and `clientId` that of a client.
    const isNamed = /\/providers\/|\{clientId\}/.test(pathOf(operation));
    const path = pathOf(operation)
      .replace(/^\/(realms(\/[^/]+)?\/?)?/, '')
      .replace(/\{(\w+)\}/g, (_, name: string) => (/id$/i.test(name) && !isNamed ? ID : 'auditor'));
    const types = { operationType: event.operation ?? methods[method], resourceType: event.resourceType };
    count += 1;
    for (const language of LANGUAGES) {
      const sentence = adminSentence({ ...types, resourcePath: path }, LOOKUP, language);
      t.false(sentence.includes(types.resourceType), `${language}: ${path}: ${sentence}`);
      t.notRegex(sentence, /undefined|null|\[object|0b7e0a3c| {2}| $/, `${language}: ${path}`);
    }
  }
  t.true(count > 100);
});

test('admin console, events: a change names the admin, the object and the sent names', async (t) => {
  const { adminSentence } = await adminSentences;
  const sentence = (operationType: string, resourceType: string, resourcePath: string, sent?: object) =>
    LANGUAGES.map((language) => {
      const event = { operationType, resourceType, resourcePath, representation: sent && JSON.stringify(sent) };
      return adminSentence(event, LOOKUP, language);
    });
  t.deepEqual(sentence('CREATE', 'REALM_ROLE_MAPPING', 'users/1/role-mappings/realm', [{ name: 'auditor' }]), [
    'root assigned roles to erika: auditor',
    'root hat erika Rollen zugewiesen: auditor',
  ]);
  t.deepEqual(sentence('UPDATE', 'USER', 'users/1', { firstName: 'Erika' }), [
    'root changed the user erika',
    'root hat den Benutzer erika geändert',
  ]);
  t.deepEqual(sentence('DELETE', 'GROUP_MEMBERSHIP', 'users/1/groups/2', { name: 'staff' }), [
    'root removed erika from the group staff',
    'root hat erika aus der Gruppe staff entfernt',
  ]);
  t.deepEqual(sentence('UPDATE', 'REALM_ROLE', 'clients/1/roles/clerk%20of%20orders'), [
    'root changed the role clerk of orders of Shop',
    'root hat die Rolle clerk of orders von Shop geändert',
  ]);
  t.is(sentence('MERGE', 'THING', 'things/7')[0], 'root MERGE THING things/7');
});
