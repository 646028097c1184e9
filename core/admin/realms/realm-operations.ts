import type { JsonPath } from '../../config/json/json-document.js';
import { FILE_SCHEMA } from '../../config/realm-file/schema/file-schema.js';
import { defined } from '../../model/defined.js';
import { isObject } from '../../model/is-object.js';
import { MASTER_REALM } from '../../model/realm.js';
import type { RealmRepresentation } from '../../model/representation.js';
import type { RealmEdits } from '../../realms/realm-edits.js';
import { RealmInvalid } from '../../realms/realm-invalid.js';
import type { RealmStore } from '../../store/store.js';
import type { Passwords } from '../../users/passwords/passwords.js';
import { badRequest } from '../admin.js';
import { type AdminOperation, created, ok } from '../operation.js';
import { REALM_MEMBERS } from '../strict-representations.js';
import { requireAllowedPasswords } from '../users/imported-passwords.js';
import { changeSettings, IGNORED_SETTINGS, SETTINGS_SCHEMA } from './change-settings.js';
import { settingsResponse } from './settings-response.js';

export interface RealmOperationParts {
  readonly edits: RealmEdits;
  readonly passwords: Passwords;
  readonly store: { readonly realms: Pick<RealmStore, 'summaries'> };
}

/** Maximum size of an import in bytes, the same as for a realm file. */
const IMPORT_LIMIT = 50 * 1024 * 1024;
const TAG = 'Realms Admin';
/** The schema check's message for a realm without a name. */
const NO_NAME = 'the body: "realm" is missing';
/** A caller with any of these roles may see the realm. */
const REALM_READERS = [
  'view-realm',
  'view-clients',
  'view-users',
  'view-events',
  'view-identity-providers',
  'view-authorization',
  'query-realms',
  'query-users',
  'query-clients',
  'query-groups',
  'create-client',
  'impersonation',
];
/** Number of realms after which other requests may run. */
const REALMS_PER_TURN = 50;

/** Operations on realms and their settings (Keycloak's RealmsAdminResource and RealmAdminResource). */
export function realmOperations({ edits, store, passwords }: RealmOperationParts): AdminOperation[] {
  return [
    {
      method: 'GET',
      path: '',
      scope: 'realms',
      tag: TAG,
      summary: 'The realms that the caller may see',
      roles: [],
      query: { briefRepresentation: { type: 'boolean', description: 'Only id, name, displayName and enabled.' } },
      answers: { status: 200, body: { type: 'array', items: { $ref: 'RealmRepresentation' } } },
      async handle({ admin, query }) {
        const isBrief = query.boolean('briefRepresentation') === true;
        const responses: object[] = [];
        const visibleRealms = (await store.realms.summaries()).filter(({ name }) => admin.can(name, ...REALM_READERS));
        for (const [index, { id, name, displayName, enabled }] of visibleRealms.entries()) {
          if (index % REALMS_PER_TURN === REALMS_PER_TURN - 1) await new Promise(setImmediate);
          const hasSettings = !isBrief && admin.can(name, 'view-realm');
          const representation = hasSettings
            ? await edits.representation(name)
            : { id, realm: name, displayName, enabled };
          if (representation === undefined) continue;
          responses.push(
            hasSettings
              ? settingsResponse(representation, admin.can(name, 'manage-realm'))
              : realmSummary(representation),
          );
        }
        return ok(responses);
      },
    },
    {
      method: 'POST',
      path: '',
      scope: 'realms',
      tag: TAG,
      summary: 'Create or import a realm from its representation',
      roles: [],
      forRealmCreators: true,
      body: FILE_SCHEMA,
      bodyIsRealm: true,
      bodyError: (problems) => badRequest(problems === NO_NAME ? 'Realm name cannot be empty' : problems),
      bodyLimit: IMPORT_LIMIT,
      sanitizeBody: (body) => {
        // As in Keycloak, a blank ID is replaced by a generated one.
        if (isObject(body) && typeof body.id === 'string' && body.id.trim() === '') Reflect.deleteProperty(body, 'id');
        return removeStaleMembers(edits, body);
      },
      answers: { status: 201 },
      event: { resourceType: 'REALM', ofMaster: true },
      async handle(call) {
        const { admin, body } = call;
        const { users = [], ...representation } = body as RealmRepresentation;
        const answer = created(call, representation.realm);
        await edits.create(representation as RealmRepresentation, users, {
          onIgnored: (ignored) => call.setEventDetails({ ignored }),
          onChecked: (checked, newUsers) => requireAllowedPasswords(passwords, checked, newUsers),
        });
        if (!admin.isSuperAdmin) await edits.grantOverRealm(representation.realm, admin.tokenAdmin.user);
        return answer;
      },
    },
    {
      method: 'GET',
      path: '',
      tag: TAG,
      summary: 'The settings of a realm',
      roles: REALM_READERS,
      etag: true,
      answers: { status: 200, body: 'RealmRepresentation' },
      handle: ({ admin, realm }) =>
        ok(
          admin.can(realm.name, 'view-realm')
            ? settingsResponse(realm.representation, admin.can(realm.name, 'manage-realm'))
            : realmSummary(realm.representation),
        ),
    },
    {
      method: 'PUT',
      path: '',
      tag: TAG,
      summary: 'Change settings of a realm; what is absent stays as it is',
      roles: ['manage-realm'],
      body: SETTINGS_SCHEMA,
      bodyIsRealm: true,
      strict: REALM_MEMBERS,
      ignoredMembers: IGNORED_SETTINGS,
      answers: { status: 204 },
      event: { resourceType: 'REALM' },
      async handle({ realm, admin, body }) {
        await edits.edit(realm.name, (draft) => changeSettings(admin, draft, body as Record<string, unknown>));
        return undefined;
      },
    },
    {
      method: 'DELETE',
      path: '',
      tag: TAG,
      summary: 'Delete a realm with everything in it',
      roles: [],
      notForPlugins: true,
      answers: { status: 204 },
      event: { resourceType: 'REALM', ofMaster: true },
      async handle({ admin, realm }) {
        // Keycloak requires manage-realm for the realm itself.
        admin.require(realm.name, 'manage-realm');
        if (realm.name === MASTER_REALM) throw badRequest('The realm master cannot be removed');
        await edits.remove(realm.name);
        return undefined;
      },
    },
  ];
}

/** Removes outdated members of an import. @throws AdminError 400 */
function removeStaleMembers(edits: RealmEdits, body: unknown): readonly JsonPath[] {
  try {
    return edits.removeStale(body).map(({ path }) => path);
  } catch (error) {
    if (error instanceof RealmInvalid) throw badRequest(error.message);
    throw error;
  }
}

function realmSummary({ id, realm, displayName, enabled }: RealmRepresentation) {
  return { id, realm, ...defined({ displayName }), enabled: enabled ?? false };
}
