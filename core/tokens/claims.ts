import { isDeepStrictEqual } from 'node:util';
import {
  type MappedClaims,
  type MapperInput,
  ProtocolMapper,
  type ProtocolMapperDeclaration,
  type ProtocolMapperProvider,
} from '@keyhost/spi';
import type { Client, ScopeSelection } from '../model/client.js';
import type { MapperModel } from '../model/client-scope.js';
import { permittedScopes } from '../model/permitted-scope.js';
import type { Realm } from '../model/realm.js';
import { type Role, RoleGraph, type RoleNames } from '../model/roles.js';
import type { User } from '../model/user.js';
import type { Generation } from '../registry/generations/generation.js';
import { createProvider, type EnabledProvider, enabledProvider } from '../registry/generations/realm-providers.js';
import type { HostSession } from '../registry/sessions/host-session.js';
import { applyRoleMappers, roleMappers } from './apply-role-mappers.js';
import { removeDisabledClients, withoutDisabledClients } from './enabled-audience.js';
import { UnfitValue } from './mappers/mapped-claim.js';
import { addAudiences, type Claims, type ClaimTarget, placeClaim } from './place-claim.js';
import type { WantedClaims } from './requested-claims.js';

/** A token request as mappers see it. */
export interface ClaimsRequest {
  readonly realm: Realm;
  readonly client: Client;
  readonly user: User | undefined;
  readonly selection: ScopeSelection;
  readonly session: MapperInput['session'];
  /** The clients whose roles the token may contain, as requested by a token exchange; undefined: all. */
  readonly audience?: readonly string[] | undefined;
}

interface Mapper {
  readonly provider: EnabledProvider<ProtocolMapperDeclaration, ProtocolMapperProvider>;
  readonly model: MapperModel;
  readonly targets: readonly ClaimTarget[];
}

const MAPPERS = Symbol('mappers by scope selection');
const ROLE_MAPPERS = new WeakMap<ScopeSelection, readonly MapperModel[]>();

/** Runs protocol mappers and places the claims that they return. */
export class ClaimMapping {
  /** The mappers that add to one of these targets, computed once per scope selection. */
  #mappers(
    { realm, selection }: ClaimsRequest,
    targets: readonly ClaimTarget[],
    providers: Generation,
  ): readonly Mapper[] {
    const mappersBySelection = providers.derive(
      realm,
      MAPPERS,
      () => new WeakMap<ScopeSelection, Map<string, Mapper[]>>(),
    );
    const mappersByTargets = mappersBySelection.get(selection) ?? new Map<string, Mapper[]>();
    mappersBySelection.set(selection, mappersByTargets);
    const key = targets.length === 1 ? (targets[0] ?? '') : targets.join();
    let mappers = mappersByTargets.get(key);
    if (mappers === undefined) {
      mappers = [];
      const excludedMappers = excludedFromIdTokens(realm, selection);
      for (const model of selection.mappers) {
        const includedTargets = targets.filter(
          (target) => includes(model, target) && !(target === 'id' && excludedMappers.has(model)),
        );
        if (includedTargets.length === 0) continue;
        const provider = enabledProvider(providers, realm, ProtocolMapper, model.providerId);
        if (provider !== undefined) mappers.push({ provider, model, targets: includedTargets });
      }
      mappersByTargets.set(key, mappers);
    }
    return mappers;
  }

  /**
   * The claims for each target. Mappers run once, in the order of the realm file.
   * @param onMapped called for each top-level claim, with the mapper that set it
   */
  async map<T extends ClaimTarget>(
    request: ClaimsRequest,
    targets: readonly T[],
    session: () => HostSession,
    onMapped?: (claim: string, mapper: MapperModel) => void,
  ): Promise<Record<T, Claims>> {
    const results = {} as Record<T, Claims>;
    for (const target of targets) results[target] = {};
    const hostSession = session();
    const mappers = this.#mappers(request, targets, hostSession.generation);
    await this.#run(request, mappers, hostSession, ({ model, targets: mapperTargets }, name, value) => {
      for (const target of mapperTargets) {
        const add = target === 'id' && model.providerId === AUDIENCE_MAPPER ? addAudience : placeClaim;
        add(results[target as T], name, value, request, target);
        if (onMapped === undefined) continue;
        const claimsOfMapper: Claims = {};
        add(claimsOfMapper, name, value, request, target);
        for (const claim of Object.keys(claimsOfMapper)) onMapped(claim, model);
      }
    });
    for (const target of targets) {
      removeOtherClientRoles(results[target], request.audience);
      removeDisabledClients(request.realm, results[target]);
    }
    return results;
  }

  /**
   * The claims that a login requested by name (OpenID Connect Core §5.5), from all client scopes of the client. If the
   * client requires consent, only from scopes that the user has agreed to.
   */
  async mapRequested(request: ClaimsRequest, requested: WantedClaims, session: () => HostSession): Promise<Claims> {
    const { realm, client, user, selection } = request;
    const hostSession = session();
    const models = client.consentRequired
      ? selection.mappers
      : client.mappersWith(permittedScopes(realm, client, user));
    const mappers = models.flatMap((model): Mapper[] => {
      const isShown = model.inIdToken || model.inUserinfo || model.inAccessToken;
      const provider = isShown
        ? enabledProvider(hostSession.generation, realm, ProtocolMapper, model.providerId)
        : undefined;
      return provider === undefined ? [] : [{ provider, model, targets: NO_TARGETS }];
    });
    const claims: Claims = {};
    await this.#run(request, mappers, hostSession, (_mapper, name, value) => {
      placeClaim(claims, name, value, request, 'id');
    });
    removeOtherClientRoles(claims, request.audience);
    removeDisabledClients(request.realm, claims);
    return Object.fromEntries(
      Object.entries(claims).filter(
        ([name, value]) => Object.hasOwn(requested, name) && isAcceptable(value, requested[name]),
      ),
    );
  }

  async #run(
    request: ClaimsRequest,
    mappers: readonly Mapper[],
    hostSession: HostSession,
    onClaim: (mapper: Mapper, name: string, value: unknown) => void,
  ): Promise<void> {
    const { realm, client, user, session: loginSession } = request;
    const roles = rolesForTokens(request);
    const groups = user?.groupPaths(realm) ?? NO_NAMES;
    const groupNames = user?.groupNames(realm) ?? NO_NAMES;
    const groupAttributes = user?.groupAttributes(realm) ?? NO_GROUPS;
    const input: { -readonly [Member in keyof MapperInput]: MapperInput[Member] } = {
      config: NO_CONFIG,
      client: client.view,
      user: user?.view,
      realmRoles: roles.realm,
      clientRoles: roles.clients,
      groups,
      groupNames,
      groupAttributes,
      webOrigins: client.webOriginList,
      session: loginSession,
    };
    for (const mapper of mappers) {
      const { provider, model } = mapper;
      input.config = model.config;
      let claims: MappedClaims;
      try {
        // A plugin could keep or change its input, so only built-in mappers share one.
        const isBuiltIn = provider.registered.plugin.builtin;
        const mapped = createProvider(provider, hostSession).map(isBuiltIn ? input : { ...input });
        claims = mapped instanceof Promise ? await hostSession.withTimeLimit(mapped) : mapped;
      } catch (error) {
        if (!(error instanceof UnfitValue)) throw error;
        warnOnce(model, client, error.message, hostSession);
        continue;
      }
      for (const name in claims) onClaim(mapper, name, claims[name]);
    }
  }
}

function addAudience(claims: Claims, _name: string, value: unknown): void {
  addAudiences(claims, value);
}

const NO_NAMES: readonly string[] = Object.freeze([]);
const NO_CONFIG: MapperInput['config'] = Object.freeze({});
const NO_GROUPS: MapperInput['groupAttributes'] = Object.freeze([]);
/** The only mapper that can add audiences to an ID token, which otherwise is for its client alone. */
const AUDIENCE_MAPPER = 'oidc-audience-mapper';
const NO_TARGETS: readonly ClaimTarget[] = [];
/** The scopes of OpenID Connect Core §5.4. */
const USERINFO_SCOPES = ['profile', 'email', 'address', 'phone'];
/**
 * Realm attribute. If `true`, claims of these scopes are returned at userinfo, and in ID tokens only if they are
 * requested by name.
 */
const SCOPE_CLAIMS_AT_USERINFO = 'keyhost.scope.claims.at.userinfo';
const NO_MAPPERS: ReadonlySet<MapperModel> = new Set();

function excludedFromIdTokens({ settings }: Realm, { scopes }: ScopeSelection): ReadonlySet<MapperModel> {
  if (settings.attribute(SCOPE_CLAIMS_AT_USERINFO) !== 'true') return NO_MAPPERS;
  return new Set(scopes.filter(({ name }) => USERINFO_SCOPES.includes(name)).flatMap(({ mappers }) => mappers));
}

function isAcceptable(value: unknown, acceptable: WantedClaims[string] | undefined): boolean {
  return (
    acceptable === null || acceptable?.some((acceptableValue) => isDeepStrictEqual(acceptableValue, value)) === true
  );
}
const NO_ROLES: RoleNames = RoleGraph.names([]);

/** The roles that a token of this client with these scopes may contain (Keycloak's TokenManager.getAccess). */
export function visibleRoles({
  realm,
  client,
  user,
  selection,
}: Omit<ClaimsRequest, 'session' | 'audience'>): RoleNames {
  if (user === undefined) return NO_ROLES;
  if (client.fullScopeAllowed) return user.roleNames(realm);
  const allowed = RoleGraph.expand([...client.scopeRoles, ...selection.scopes.flatMap((scope): Role[] => scope.roles)]);
  return RoleGraph.names([...user.effectiveRoles(realm)].filter((role) => allowed.has(role)));
}

/** The visible roles of enabled clients, after the role mappers. */
function rolesForTokens(request: ClaimsRequest): RoleNames {
  const { realm, user, selection, audience } = request;
  const roles = withoutDisabledClients(realm, visibleRoles(request));
  let mappers = ROLE_MAPPERS.get(selection);
  if (mappers === undefined) {
    mappers = roleMappers(selection.mappers);
    ROLE_MAPPERS.set(selection, mappers);
  }
  const mappedRoles = mappers.length === 0 || user === undefined ? roles : applyRoleMappers(realm, roles, mappers);
  if (audience === undefined) return mappedRoles;
  const clients = Object.entries(mappedRoles.clients).filter(([clientId]) => audience.includes(clientId));
  return { realm: mappedRoles.realm, clients: Object.fromEntries(clients) };
}

/**
 * Removes roles of other clients than the audience. Mappers may have added them directly, for example as a hardcoded
 * claim.
 */
function removeOtherClientRoles({ resource_access: access }: Claims, audience: readonly string[] | undefined): void {
  if (audience === undefined || typeof access !== 'object' || access === null) return;
  for (const clientId of Object.keys(access)) {
    if (!audience.includes(clientId)) delete (access as Record<string, unknown>)[clientId];
  }
}

const warnedMappers = new WeakSet<MapperModel>();

/** Logs once per mapper and realm version, because every token may have the problem. */
function warnOnce(model: MapperModel, { clientId }: Client, reason: string, { logger, realm }: HostSession): void {
  if (warnedMappers.has(model)) return;
  warnedMappers.add(model);
  const { name, providerId, config } = model;
  const sentence = `tokens go without the claim ${config['claim.name']}: ${reason}`;
  logger.warn(`realm ${realm.name}: ${sentence}`, { mapper: name, protocolMapper: providerId, clientId });
}

function includes(model: MapperModel, target: ClaimTarget): boolean {
  switch (target) {
    case 'access':
      return model.inAccessToken;
    case 'lightweight':
      return model.inLightweightToken;
    case 'id':
      return model.inIdToken;
    case 'userinfo':
      return model.inUserinfo;
    case 'introspection':
      return model.inIntrospection;
    case 'response':
      return model.inResponse;
  }
}
