import { randomUUID } from 'node:crypto';
import { defined } from '../../model/defined.js';
import type { Realm } from '../../model/realm.js';
import type { ClientRepresentation, RealmRepresentation } from '../../model/representation.js';
import { type Role, RoleGraph } from '../../model/roles.js';
import type { Updater } from '../../realms/client-policies/client-policy-events.js';
import type { PolicyEvaluation } from '../../realms/client-policies/policy-evaluation.js';
import type { EditEffects } from '../../realms/edit-effects.js';
import type { Caller } from '../../registry/sessions/caller.js';
import type { SessionFactory } from '../../registry/sessions/session-factory.js';
import { isAdminRole } from '../admin.js';
import { changeClient } from '../clients/change-client.js';
import { plainMembers } from '../clients/client-input.js';
import { type ClientParts, removeClient, requireAccountName } from '../clients/client-operations.js';
import { applyClientPolicies, editWithPolicies, updaterOf } from '../clients/client-policies.js';
import { clientResponse } from '../clients/client-response.js';
import { isBuiltInClient, mayManageClient, requireAllowedSettings } from '../clients/client-rights.js';
import type { StoredClient } from '../clients/find-client.js';
import { createClient } from '../clients/new-client.js';
import { toMapper } from '../mappers/protocol-mapper-input.js';
import { requireSector } from '../mappers/sector-identifier.js';
import { withEscalationCheck } from '../refuse-escalation.js';
import { ClientAuthenticators } from './client-authenticators.js';
import { invalidMetadata } from './client-metadata.js';
import { requireInitialAccess } from './initial-access.js';
import { scopesOfNewClient, setScopes } from './registered-scopes.js';
import { insufficientScopeError, type Registrant, requireAccessibleClient } from './registrant.js';
import { type RegistrationAuth, RegistrationPolicies } from './registration-policies.js';
import { issueRegistrationToken, REGISTRATION_ACCESS, type RegistrationTokenParts } from './registration-token.js';
import { type RegistrationInput, setSubjectType } from './subject-type.js';
import { refuseUnsupportedProtections } from './unsupported-client-protections.js';

/** A client as its registrant sees it, with the registration access token that is valid from now on. */
export interface RegisteredClient {
  readonly client: ReturnType<typeof clientResponse>;
  /** Absent for admins: the existing token of the client stays valid. */
  readonly token?: string;
}

interface RegistrationParts extends ClientParts, RegistrationTokenParts {
  readonly sessions: SessionFactory;
}

/** Rights for the holder of a registration token, who has no administration rights. */
const NO_RIGHTS = {
  isSuperAdmin: false,
  providers: undefined,
  can: () => false,
  isRealmAdmin: () => false,
  covers: (realm: { readonly name: string }, roles: Iterable<Role>) =>
    ![...RoleGraph.expand(roles)].some((role) => isAdminRole(realm, role)),
  requireRealmAdmin(): void {
    throw insufficientScopeError('Forbidden');
  },
} as const;

/** Registers, reads, changes and removes clients on behalf of their registrants (RFC 7591, RFC 7592). */
export class ClientRegistration {
  readonly #parts: RegistrationParts;

  constructor(parts: RegistrationParts) {
    this.#parts = parts;
  }

  /**
   * Creates the client, and uses up one registration of an initial access token in the same write.
   * @throws OAuthError 400, 401, 403
   */
  async register(
    realm: Realm,
    registrant: Registrant | undefined,
    caller: Caller,
    input: RegistrationInput,
  ): Promise<RegisteredClient> {
    const { edits, users, clock, privateNetworks, policyPlugins } = this.#parts;
    const admin = registrant?.kind === 'admin' ? registrant.admin : NO_RIGHTS;
    if (registrant?.kind === 'admin' && !admin.can(realm.name, 'create-client', 'manage-clients')) {
      throw insufficientScopeError('Forbidden');
    }
    requireAllowedSettings({ admin, realm }, input);
    const tokenId = randomUUID();
    const now = () => Math.floor(clock.now() / 1000);
    const auth = registrationAuth(registrant, true);
    const plugins = policyPlugins.createFor(realm);
    const policies = this.#policies(realm, caller, auth, plugins);
    const evaluatePolicies = (currentRealm: RealmRepresentation) =>
      policies.evaluate('beforeRegister', { realm: currentRealm, sent: input });
    const id = randomUUID();
    const authenticators = new ClientAuthenticators(caller.providers);
    const createFor = (currentRealm: RealmRepresentation, restrictions: object): StoredClient => {
      const newClient = createClient(
        { ...input, ...scopesOfNewClient(input, currentRealm), id },
        currentRealm,
        clock.now(),
      );
      Object.assign(newClient, restrictions);
      setSubjectType(newClient, input);
      refuseUnsupportedProtections(newClient, authenticators);
      return newClient;
    };
    // The sector identifier document is fetched before the realm is locked, and only if the token is not used up.
    if (registrant?.kind === 'initial') requireInitialAccess(realm.representation, registrant.id, now());
    await requireSector(createFor(realm.representation, await evaluatePolicies(realm.representation)), privateNetworks);
    const register = withEscalationCheck(admin, async (draft: RealmRepresentation) => {
      if (registrant?.kind === 'initial') requireInitialAccess(draft, registrant.id, now()).remainingCount -= 1;
      const restrictions = await evaluatePolicies(draft);
      const newClient = createFor(draft, restrictions);
      if (draft.clients?.some(({ clientId }) => clientId === newClient.clientId)) {
        throw invalidMetadata('Client Identifier in use');
      }
      const updater = updaterBy(registrant, caller);
      await applyClientPolicies(draft, plugins, { client: newClient, sent: input, updater, now: clock.now() });
      Object.assign(newClient, restrictions);
      newClient.registrationTokenId = tokenId;
      draft.clients = [...(draft.clients ?? []), newClient];
      await requireAccountName(users, realm, newClient);
      return clientResponse(draft, newClient, true);
    });
    const client = await editWithPolicies(edits, plugins, register);
    return { client, token: await this.#issueToken(realm, tokenId, auth) };
  }

  async read(
    realm: Realm,
    registrant: Registrant | undefined,
    caller: Caller,
    clientId: string,
  ): Promise<RegisteredClient> {
    const client = requireAccessibleClient(realm.representation, clientId, registrant, ['view-clients']);
    const policyInput = { realm: realm.representation, before: client };
    await this.#policies(realm, caller, registrationAuth(registrant)).evaluate('beforeView', policyInput);
    if (registrant?.kind !== 'admin') {
      return { client: clientResponse(realm.representation, client, true), ...sameToken(registrant) };
    }
    const canManage = await mayManageClient(this.#parts.users, { admin: registrant.admin, realm }, client);
    return { client: clientResponse(realm.representation, client, canManage) };
  }

  /**
   * Changes a client. The registration access token becomes invalid and the response contains a new one, unless a
   * client policy preserves it.
   */
  async change(
    realm: Realm,
    registrant: Registrant | undefined,
    caller: Caller,
    clientId: string,
    input: RegistrationInput,
  ): Promise<RegisteredClient> {
    const { edits, users, clock, privateNetworks, policyPlugins } = this.#parts;
    const before = await this.#requireManaged(realm, registrant, clientId);
    if (input.clientId && input.clientId !== clientId) throw invalidMetadata('Client Identifier modified');
    const admin = registrant?.kind === 'admin' ? registrant.admin : undefined;
    requireAllowedSettings({ admin: admin ?? NO_RIGHTS, realm }, input, before);
    const tokenId = randomUUID();
    const auth = registrationAuth(registrant);
    const plugins = policyPlugins.createFor(realm);
    const policies = this.#policies(realm, caller, auth, plugins);
    const evaluatePolicies = (currentRealm: RealmRepresentation, before: StoredClient) =>
      policies.evaluate('beforeUpdate', { realm: currentRealm, sent: input, before });
    await evaluatePolicies(realm.representation, before);
    const authenticators = new ClientAuthenticators(caller.providers);
    const mayChangeSector = input.redirectUris || input.protocolMappers || input.subjects;
    if (mayChangeSector) await requireSector(withChangedSubjects(before, input), privateNetworks);
    const change = withEscalationCheck(admin ?? NO_RIGHTS, async (draft: RealmRepresentation, effects: EditEffects) => {
      const storedClient = requireAccessibleClient(draft, clientId, registrant, ['manage-clients']);
      const restrictions = await evaluatePolicies(draft, storedClient);
      const previousClient = structuredClone(storedClient);
      // Only admins may enable or disable a client.
      changeClient(
        draft,
        effects,
        storedClient,
        admin === undefined ? { ...input, enabled: null } : input,
        clock.now(),
      );
      setSubjectType(storedClient, input);
      setScopes(storedClient, input, draft);
      refuseUnsupportedProtections(storedClient, authenticators, previousClient);
      const updater = updaterBy(registrant, caller);
      let isTokenKept = false;
      const keepRegistrationToken = () => {
        isTokenKept = true;
      };
      const policyInput = {
        client: storedClient,
        before: previousClient,
        sent: input,
        updater,
        now: clock.now(),
        keepRegistrationToken,
      };
      await applyClientPolicies(draft, plugins, policyInput);
      Object.assign(storedClient, restrictions);
      if (admin === undefined && !isTokenKept) storedClient.registrationTokenId = tokenId;
      await requireAccountName(users, realm, storedClient);
      return { client: clientResponse(draft, storedClient, true), isTokenKept };
    });
    const { client, isTokenKept } = await editWithPolicies(edits, plugins, change);
    if (isTokenKept || registrant?.kind !== 'registered') return { client, ...sameToken(registrant) };
    return { client, token: await this.#issueToken(realm, tokenId, auth) };
  }

  async remove(realm: Realm, registrant: Registrant | undefined, caller: Caller, clientId: string): Promise<void> {
    const client = await this.#requireManaged(realm, registrant, clientId);
    const policyInput = { realm: realm.representation, before: client };
    await this.#policies(realm, caller, registrationAuth(registrant)).evaluate('beforeDelete', policyInput);
    if (isBuiltInClient(realm, client)) throw insufficientScopeError('Forbidden');
    await removeClient(this.#parts.edits, realm, (draft) =>
      requireAccessibleClient(draft, clientId, registrant, ['manage-clients']),
    );
  }

  async #requireManaged(realm: Realm, registrant: Registrant | undefined, clientId: string): Promise<StoredClient> {
    const client = requireAccessibleClient(realm.representation, clientId, registrant, ['manage-clients']);
    if (registrant?.kind !== 'admin') return client;
    if (await mayManageClient(this.#parts.users, { admin: registrant.admin, realm }, client)) return client;
    throw insufficientScopeError('Forbidden');
  }

  /**
   * Creates the registration policies for a request.
   * @param plugins the client policy plugins that the request calls
   */
  #policies(realm: Realm, caller: Caller, auth: RegistrationAuth, plugins?: PolicyEvaluation): RegistrationPolicies {
    return new RegistrationPolicies(this.#parts.sessions, realm, caller, auth, plugins?.answers);
  }

  #issueToken(realm: Realm, id: string, auth: RegistrationAuth): Promise<string> {
    return issueRegistrationToken(this.#parts, realm, { type: REGISTRATION_ACCESS, id, auth });
  }
}

/** Returns the author of a change, as client policies see it. The holder of a registration token has no user. */
function updaterBy(registrant: Registrant | undefined, caller: Caller): Updater {
  if (registrant?.kind === 'admin') return updaterOf({ admin: registrant.admin, caller });
  const context =
    registrant === undefined
      ? 'ByAnonymous'
      : registrant.kind === 'initial'
        ? 'ByInitialAccessToken'
        : 'ByRegistrationAccessToken';
  return { context, roles: [], groups: [], ip: caller.ip };
}

/**
 * Selects which policies apply to a request. The token of a registered client contains how that client was registered.
 * As in Keycloak, registering a new client with this token counts as anonymous.
 */
export function registrationAuth(registrant: Registrant | undefined, isNew = false): RegistrationAuth {
  if (registrant?.kind === 'registered' && !isNew) return registrant.auth;
  return registrant?.kind === 'admin' || registrant?.kind === 'initial' ? 'authenticated' : 'anonymous';
}

function sameToken(registrant: Registrant | undefined): { token?: string } {
  return registrant?.kind === 'registered' ? { token: registrant.token } : {};
}

/** The changed client, with the members that determine its sector. */
function withChangedSubjects(before: StoredClient, input: RegistrationInput): ClientRepresentation {
  const { protocolMappers } = input;
  const mappers = protocolMappers?.map((mapper) => toMapper(mapper));
  const client = { ...before, ...plainMembers(input), ...defined({ protocolMappers: mappers }) };
  setSubjectType(client, input);
  return client;
}
