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

interface Named {
  readonly name?: string;
}

interface SentProfiles {
  readonly profiles?: readonly ClientProfileRepresentation[];
  readonly globalProfiles?: readonly Named[];
}

interface SentPolicies {
  readonly policies?: readonly ClientPolicyRepresentation[];
  readonly globalPolicies?: readonly unknown[];
}

/** Responses contain members for global profiles and policies, so clients may send these back. */
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
 * A realm's client profiles and policies (Keycloak's ClientProfilesResource and ClientPoliciesResource). There are no
 * global ones, because Keyhost does not implement everything that Keycloak's require.
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
        const { profiles = [], globalProfiles = [] } = body as SentProfiles;
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
        const { policies = [], globalPolicies = [] } = body as SentPolicies;
        if (globalPolicies.length > 0) throw badRequest('Global policies cannot be updated');
        await edits.edit(realm.name, (draft) => {
          requireSoundPolicies(policies, draft);
          draft.clientPolicies = { policies: policies.map(completePolicy) };
        });
        return undefined;
      },
    },
  ];
}

/** A policy as Keycloak shows it, with defaults for absent members. */
function completePolicy(policy: ClientPolicyRepresentation): ClientPolicyRepresentation {
  return {
    ...policy,
    enabled: policy.enabled ?? false,
    conditions: policy.conditions ?? [],
    profiles: policy.profiles ?? [],
  };
}

/** Executors and their configuration are checked with the realm. @throws AdminError 400, with Keycloak's text */
function requireProfileNames(profiles: readonly ClientProfileRepresentation[]): void {
  if (profiles.some(({ name }) => !name)) throw badRequest('client profile without its name not allowed.');
  const isGlobal = profiles.find(({ name }) => GLOBAL_PROFILES.includes(name ?? ''));
  if (isGlobal !== undefined) {
    throw badRequest(`Proposed profile name '${isGlobal.name}' is duplicated as a global profile`);
  }
  if (repeats(profiles)) throw badRequest('proposed client profile name duplicated.');
}

/** Conditions and their configuration are checked with the realm. @throws AdminError 400, with Keycloak's text */
function requireSoundPolicies(
  policies: readonly ClientPolicyRepresentation[],
  { clientProfiles }: RealmRepresentation,
): void {
  if (policies.some(({ name }) => !name)) throw badRequest('client policy without name not allowed');
  if (repeats(policies)) throw badRequest('proposed client policy name duplicated');
  const known = new Set((clientProfiles?.profiles ?? []).map(({ name }) => name));
  for (const { name, profiles = [] } of policies) {
    const unknown = profiles.find((profile) => !known.has(profile) && !GLOBAL_PROFILES.includes(profile));
    if (unknown !== undefined) throw badRequest(`Policy ${name} contains invalid profile ${unknown}`);
    if (new Set(profiles).size < profiles.length) throw badRequest(`Policy ${name} contains duplicated profiles`);
  }
}

function repeats(named: readonly Named[]): boolean {
  return new Set(named.map(({ name }) => name)).size < named.length;
}
