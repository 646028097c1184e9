import { randomUUID } from 'node:crypto';
import { defined } from '../../model/defined.js';
import type { Realm } from '../../model/realm.js';
import type { ClientRepresentation, RealmRepresentation } from '../../model/representation.js';
import { type Role, RoleGraph } from '../../model/roles.js';
import type { Updater } from '../../realms/client-policies/client-policy-events.js';
import type { PolicyEvaluation } from '../../realms/client-policies/policy-evaluation.js';
import type { EditEffects } from '../../realms/realm-edits.js';
import type { Caller } from '../../registry/sessions/host-session.js';
import type { SessionFactory } from '../../registry/sessions/session-factory.js';
import { isAdminRole } from '../admin.js';
import { changeClient } from '../clients/change-client.js';
import { plainMembers } from '../clients/client-input.js';
import { type ClientParts, removeClient, requireAccountName } from '../clients/client-operations.js';
import { applyClientPolicies, editWithPolicies, updaterOf } from '../clients/client-policies.js';
import { clientResponse } from '../clients/client-response.js';
import { isBuiltIn, mayManage, requireAllowedSettings } from '../clients/client-rights.js';
import type { StoredClient } from '../clients/find-client.js';
import { createClient } from '../clients/new-client.js';
import { toMapper } from '../mappers/protocol-mapper-input.js';
import { requireSector } from '../mappers/sector-identifier.js';
import { withEscalationCheck } from '../refuse-escalation.js';
import { ClientAuthenticators } from './client-authenticators.js';
import { invalidMetadata } from './client-metadata.js';
import { initialAccess } from './initial-access.js';
import { scopesOfNewClient, setScopes } from './registered-scopes.js';
import { insufficientScope, type Registrant, requireClient } from './registrant.js';
import { type RegistrationAuth, RegistrationPolicies } from './registration-policies.js';
import { issueRegistrationToken, REGISTRATION_ACCESS, type RegistrationTokenParts } from './registration-token.js';
import { type RegistrationInput, setSubjectType } from './subject-type.js';
import { refuseUnsupportedProtections } from './unsupported-client-protections.js';

/** A client as its registrant sees it, with its next registration access token. */
export interface Registered {
  readonly client: ReturnType<typeof clientResponse>;
  /** Absent for admins: the owner's token stays valid. */
  readonly token?: string;
}

interface RegistrationParts extends ClientParts, RegistrationTokenParts {
  readonly sessions: SessionFactory;
}

/** A token holder has no administration rights. */
const NO_RIGHTS = {
  isSuperAdmin: false,
  providers: undefined,
  can: () => false,
  isRealmAdmin: () => false,
  covers: (realm: { readonly name: string }, roles: Iterable<Role>) =>
    ![...RoleGraph.expand(roles)].some((role) => isAdminRole(realm, role)),
  requireRealmAdmin(): void {
    throw insufficientScope('Forbidden');
  },
} as const;

/** Registers, reads, changes and removes clients for their owners (RFC 7591, RFC 7592). */
export class ClientRegistration {
  readonly #parts: RegistrationParts;

  constructor(parts: RegistrationParts) {
    this.#parts = parts;
  }

  /**
   * Uses up one registration of an initial access token and creates the client, in one write.
   * @throws OAuthError 400, 401, 403
   */
  async register(
    realm: Realm,
    registrant: Registrant | undefined,
    caller: Caller,
    sent: RegistrationInput,
  ): Promise<Registered> {
    const { edits, users, clock, privateNetworks, policyPlugins } = this.#parts;
    const admin = registrant?.kind === 'admin' ? registrant.admin : NO_RIGHTS;
    if (registrant?.kind === 'admin' && !admin.can(realm.name, 'create-client', 'manage-clients')) {
      throw insufficientScope('Forbidden');
    }
    requireAllowedSettings({ admin, realm }, sent);
    const tokenId = randomUUID();
    const now = () => Math.floor(clock.now() / 1000);
    const auth = registrationAuth(registrant, true);
    const plugins = policyPlugins.of(realm);
    const policies = this.#policies(realm, caller, auth, plugins);
    const judge = (among: RealmRepresentation) => policies.evaluate('beforeRegister', { realm: among, sent });
    const id = randomUUID();
    const authenticators = new ClientAuthenticators(caller.providers);
    const make = (among: RealmRepresentation, restrictions: object): StoredClient => {
      const made = createClient({ ...sent, ...scopesOfNewClient(sent, among), id }, among, clock.now());
      Object.assign(made, restrictions);
      setSubjectType(made, sent);
      refuseUnsupportedProtections(made, authenticators);
      return made;
    };
    // Fetch the sector identifier document before the realm is locked, and only for a token that is not used up.
    if (registrant?.kind === 'initial') initialAccess(realm.representation, registrant.id, now());
    await requireSector(make(realm.representation, await judge(realm.representation)), privateNetworks);
    const register = withEscalationCheck(admin, async (draft: RealmRepresentation) => {
      if (registrant?.kind === 'initial') initialAccess(draft, registrant.id, now()).remainingCount -= 1;
      const restrictions = await judge(draft);
      const created = make(draft, restrictions);
      if (draft.clients?.some(({ clientId }) => clientId === created.clientId)) {
        throw invalidMetadata('Client Identifier in use');
      }
      const updater = updaterBy(registrant, caller);
      await applyClientPolicies(draft, plugins, { client: created, sent, updater, now: clock.now() });
      Object.assign(created, restrictions);
      created.registrationTokenId = tokenId;
      draft.clients = [...(draft.clients ?? []), created];
      await requireAccountName(users, realm, created);
      return clientResponse(draft, created, true);
    });
    const client = await editWithPolicies(edits, plugins, register);
    return { client, token: await this.#token(realm, tokenId, auth) };
  }

  async read(realm: Realm, registrant: Registrant | undefined, caller: Caller, clientId: string): Promise<Registered> {
    const client = requireClient(realm.representation, clientId, registrant, ['view-clients']);
    const asked = { realm: realm.representation, before: client };
    await this.#policies(realm, caller, registrationAuth(registrant)).evaluate('beforeView', asked);
    if (registrant?.kind !== 'admin') {
      return { client: clientResponse(realm.representation, client, true), ...tokenOf(registrant) };
    }
    const manages = await mayManage(this.#parts.users, { admin: registrant.admin, realm }, client);
    return { client: clientResponse(realm.representation, client, manages) };
  }

  /**
   * Changes a client. The used registration access token becomes invalid and the response contains a new one, unless a
   * client policy preserves it.
   */
  async change(
    realm: Realm,
    registrant: Registrant | undefined,
    caller: Caller,
    clientId: string,
    sent: RegistrationInput,
  ): Promise<Registered> {
    const { edits, users, clock, privateNetworks, policyPlugins } = this.#parts;
    const before = await this.#managed(realm, registrant, clientId);
    if (sent.clientId && sent.clientId !== clientId) throw invalidMetadata('Client Identifier modified');
    const admin = registrant?.kind === 'admin' ? registrant.admin : undefined;
    requireAllowedSettings({ admin: admin ?? NO_RIGHTS, realm }, sent, before);
    const tokenId = randomUUID();
    const auth = registrationAuth(registrant);
    const plugins = policyPlugins.of(realm);
    const policies = this.#policies(realm, caller, auth, plugins);
    const judge = (among: RealmRepresentation, before: StoredClient) =>
      policies.evaluate('beforeUpdate', { realm: among, sent, before });
    await judge(realm.representation, before);
    const authenticators = new ClientAuthenticators(caller.providers);
    const isOther = sent.redirectUris || sent.protocolMappers || sent.subjects;
    if (isOther) await requireSector(changedSubjects(before, sent), privateNetworks);
    const change = withEscalationCheck(admin ?? NO_RIGHTS, async (draft: RealmRepresentation, effects: EditEffects) => {
      const found = requireClient(draft, clientId, registrant, ['manage-clients']);
      const restrictions = await judge(draft, found);
      const was = structuredClone(found);
      // Only admins may enable or disable a client.
      changeClient(draft, effects, found, admin === undefined ? { ...sent, enabled: null } : sent, clock.now());
      setSubjectType(found, sent);
      setScopes(found, sent, draft);
      refuseUnsupportedProtections(found, authenticators, was);
      const updater = updaterBy(registrant, caller);
      let isKept = false;
      const keepRegistrationToken = () => {
        isKept = true;
      };
      const changed = { client: found, before: was, sent, updater, now: clock.now(), keepRegistrationToken };
      await applyClientPolicies(draft, plugins, changed);
      Object.assign(found, restrictions);
      if (admin === undefined && !isKept) found.registrationTokenId = tokenId;
      await requireAccountName(users, realm, found);
      return { client: clientResponse(draft, found, true), isKept };
    });
    const { client, isKept } = await editWithPolicies(edits, plugins, change);
    if (isKept || registrant?.kind !== 'registered') return { client, ...tokenOf(registrant) };
    return { client, token: await this.#token(realm, tokenId, auth) };
  }

  async remove(realm: Realm, registrant: Registrant | undefined, caller: Caller, clientId: string): Promise<void> {
    const client = await this.#managed(realm, registrant, clientId);
    const asked = { realm: realm.representation, before: client };
    await this.#policies(realm, caller, registrationAuth(registrant)).evaluate('beforeDelete', asked);
    if (isBuiltIn(realm, client)) throw insufficientScope('Forbidden');
    await removeClient(this.#parts.edits, realm, (draft) =>
      requireClient(draft, clientId, registrant, ['manage-clients']),
    );
  }

  async #managed(realm: Realm, registrant: Registrant | undefined, clientId: string): Promise<StoredClient> {
    const client = requireClient(realm.representation, clientId, registrant, ['manage-clients']);
    if (registrant?.kind !== 'admin') return client;
    if (await mayManage(this.#parts.users, { admin: registrant.admin, realm }, client)) return client;
    throw insufficientScope('Forbidden');
  }

  /** @param plugins the client policy plugins that the request calls */
  #policies(realm: Realm, caller: Caller, auth: RegistrationAuth, plugins?: PolicyEvaluation): RegistrationPolicies {
    return new RegistrationPolicies(this.#parts.sessions, realm, caller, auth, plugins?.answers);
  }

  #token(realm: Realm, id: string, auth: RegistrationAuth): Promise<string> {
    return issueRegistrationToken(this.#parts, realm, { type: REGISTRATION_ACCESS, id, auth });
  }
}

/** The author of a change for client policies. A token may have no user. */
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
 * Selects the policies for a request. The token of a registered client contains how that client was registered. As in
 * Keycloak, registering a new client with it counts as anonymous.
 */
export function registrationAuth(registrant: Registrant | undefined, isNew = false): RegistrationAuth {
  if (registrant?.kind === 'registered' && !isNew) return registrant.auth;
  return registrant?.kind === 'admin' || registrant?.kind === 'initial' ? 'authenticated' : 'anonymous';
}

function tokenOf(registrant: Registrant | undefined): { token?: string } {
  return registrant?.kind === 'registered' ? { token: registrant.token } : {};
}

/** A client with the members that determine its sector. */
function changedSubjects(before: StoredClient, sent: RegistrationInput): ClientRepresentation {
  const { protocolMappers } = sent;
  const mappers = protocolMappers?.map((mapper) => toMapper(mapper));
  const client = { ...before, ...plainMembers(sent), ...defined({ protocolMappers: mappers }) };
  setSubjectType(client, sent);
  return client;
}
