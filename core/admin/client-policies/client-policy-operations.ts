import { CLIENT_POLICIES_SCHEMA, CLIENT_PROFILES_SCHEMA } from '../../config/realm-file/schema/client-policy-schema.js';
import type {
  ClientPolicyRepresentation,
  ClientProfileRepresentation,
  RealmRepresentation,
} from '../../model/representation.js';
import { GLOBAL_PROFILES } from '../../realms/client-policies/global-profiles.js';
import { unreadConfiguration } from '../../realms/client-policies/unread-configuration.js';
import type { RealmEdits } from '../../realms/realm-edits.js';
import { badRequest } from '../admin.js';
import { type AdminOperation, ok } from '../operation.js';

interface NamedItem {
  readonly name?: string;
}

interface ProfilesInput {
  readonly profiles?: readonly ClientProfileRepresentation[];
  readonly globalProfiles?: readonly NamedItem[];
}

interface PoliciesInput {
  readonly policies?: readonly ClientPolicyRepresentation[];
  readonly globalPolicies?: readonly unknown[];
}

/** Responses may contain lists of global profiles and policies, so clients may send these back. */
const PROFILES_SCHEMA = {
  ...CLIENT_PROFILES_SCHEMA,
  properties: { ...CLIENT_PROFILES_SCHEMA.properties, globalProfiles: { type: 'array', items: { type: 'object' } } },
};
const POLICIES_SCHEMA = {
  ...CLIENT_POLICIES_SCHEMA,
  properties: { ...CLIENT_POLICIES_SCHEMA.properties, globalPolicies: { type: 'array', items: { type: 'object' } } },
};

const TAG = 'Realms Admin';
const EVENT = { resourceType: 'REALM', operation: 'UPDATE' } as const;

/**
 * A realm's client profiles and policies (Keycloak's ClientProfilesResource and ClientPoliciesResource). Keyhost has no
 * global ones, because it does not implement everything that those of Keycloak require.
 */
export function clientPolicyOperations({ edits }: { readonly edits: RealmEdits }): AdminOperation[] {
  return [
    {
      method: 'GET',
      path: '/client-policies/profiles',
      tag: TAG,
      summary: 'The client profiles of the realm',
      roles: ['view-realm'],
      query: { 'include-global-profiles': { type: 'boolean', description: 'Adds an empty list of global ones.' } },
      answers: { status: 200, body: PROFILES_SCHEMA },
      handle({ realm, query }) {
        const profiles = realm.representation.clientProfiles?.profiles ?? [];
        return ok({ profiles, ...(query.boolean('include-global-profiles') === true ? { globalProfiles: [] } : {}) });
      },
    },
    {
      method: 'PUT',
      path: '/client-policies/profiles',
      tag: TAG,
      summary: 'Replace the client profiles of the realm',
      roles: ['manage-realm'],
      body: PROFILES_SCHEMA,
      hasOptionalBody: true,
      answers: { status: 204 },
      event: EVENT,
      async handle({ realm, body, setEventDetails }) {
        if (body === undefined) throw badRequest('Passing null clientProfiles not allowed');
        const { profiles = [], globalProfiles = [] } = body as ProfilesInput;
        if (!globalProfiles.every(({ name }) => GLOBAL_PROFILES.includes(name ?? ''))) {
          throw badRequest('Global profiles cannot be updated');
        }
        requireProfileNames(profiles);
        const unread = unreadConfiguration({ realm: realm.name, clientProfiles: { profiles: [...profiles] } });
        setEventDetails({ ignored: unread.map(({ path }) => path.slice(1)) });
        await edits.edit(realm.name, (draft) => {
          draft.clientProfiles = { profiles: [...profiles] };
        });
        return undefined;
      },
    },
    {
      method: 'GET',
      path: '/client-policies/policies',
      tag: TAG,
      summary: 'The client policies of the realm',
      roles: ['view-realm'],
      query: { 'include-global-policies': { type: 'boolean', description: 'Adds an empty list of global ones.' } },
      answers: { status: 200, body: POLICIES_SCHEMA },
      handle({ realm, query }) {
        const policies = (realm.representation.clientPolicies?.policies ?? []).map(completePolicy);
        return ok({ policies, ...(query.boolean('include-global-policies') === true ? { globalPolicies: [] } : {}) });
      },
    },
    {
      method: 'PUT',
      path: '/client-policies/policies',
      tag: TAG,
      summary: 'Replace the client policies of the realm',
      roles: ['manage-realm'],
      body: POLICIES_SCHEMA,
      hasOptionalBody: true,
      answers: { status: 204 },
      event: EVENT,
      async handle({ realm, body }) {
        if (body === undefined) throw badRequest('Passing null clientPolicies not allowed');
        const { policies = [], globalPolicies = [] } = body as PoliciesInput;
        if (globalPolicies.length > 0) throw badRequest('Global policies cannot be updated');
        await edits.edit(realm.name, (draft) => {
          requireValidPolicies(policies, draft);
          draft.clientPolicies = { policies: policies.map(completePolicy) };
        });
        return undefined;
      },
    },
  ];
}

/** Returns a policy as in Keycloak's API, with defaults for absent members. */
function completePolicy(policy: ClientPolicyRepresentation): ClientPolicyRepresentation {
  return {
    ...policy,
    enabled: policy.enabled ?? false,
    conditions: policy.conditions ?? [],
    profiles: policy.profiles ?? [],
  };
}

/**
 * Checks the names of profiles. Executors and their configuration are checked when the realm is written.
 * @throws AdminError 400, with Keycloak's text
 */
function requireProfileNames(profiles: readonly ClientProfileRepresentation[]): void {
  if (profiles.some(({ name }) => !name)) throw badRequest('client profile without its name not allowed.');
  const globalProfile = profiles.find(({ name }) => GLOBAL_PROFILES.includes(name ?? ''));
  if (globalProfile !== undefined) {
    throw badRequest(`Proposed profile name '${globalProfile.name}' is duplicated as a global profile`);
  }
  if (hasDuplicateNames(profiles)) throw badRequest('proposed client profile name duplicated.');
}

/**
 * Checks the names of policies and their profiles. Conditions and their configuration are checked when the realm is
 * written.
 * @throws AdminError 400, with Keycloak's text
 */
function requireValidPolicies(
  policies: readonly ClientPolicyRepresentation[],
  { clientProfiles }: RealmRepresentation,
): void {
  if (policies.some(({ name }) => !name)) throw badRequest('client policy without name not allowed');
  if (hasDuplicateNames(policies)) throw badRequest('proposed client policy name duplicated');
  const knownNames = new Set((clientProfiles?.profiles ?? []).map(({ name }) => name));
  for (const { name, profiles = [] } of policies) {
    const unknown = profiles.find((profile) => !knownNames.has(profile) && !GLOBAL_PROFILES.includes(profile));
    if (unknown !== undefined) throw badRequest(`Policy ${name} contains invalid profile ${unknown}`);
    if (new Set(profiles).size < profiles.length) throw badRequest(`Policy ${name} contains duplicated profiles`);
  }
}

function hasDuplicateNames(items: readonly NamedItem[]): boolean {
  return new Set(items.map(({ name }) => name)).size < items.length;
}
