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
import { leaveOutDisabled, rolesOfEnabled } from './enabled-audience.js';
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
  /** The clients whose roles the token contains, by a token exchange; undefined: all. */
  readonly audience?: readonly string[] | undefined;
}

interface Mapper {
  readonly mapper: EnabledProvider<ProtocolMapperDeclaration, ProtocolMapperProvider>;
  readonly model: MapperModel;
  readonly targets: ReadonlySet<ClaimTarget>;
}

const MAPPERS = Symbol('mappers by scope selection');
const ROLE_MAPPERS = new WeakMap<ScopeSelection, readonly MapperModel[]>();

/** Runs protocol mappers and places the claims that they return. */
export class ClaimMapping {
  /** The mappers that add to one of these targets, found once per scope selection. */
  #mappers(
    { realm, selection }: ClaimsRequest,
    targets: readonly ClaimTarget[],
    providers: Generation,
  ): readonly Mapper[] {
    const known = providers.derive(realm, MAPPERS, () => new WeakMap<ScopeSelection, Map<string, Mapper[]>>());
    const ofSelection = known.get(selection) ?? new Map<string, Mapper[]>();
    known.set(selection, ofSelection);
    const key = targets.length === 1 ? (targets[0] ?? '') : targets.join();
    let mappers = ofSelection.get(key);
    if (mappers === undefined) {
      mappers = [];
      const leftOut = leftOutOfIdTokens(realm, selection);
      for (const model of selection.mappers) {
        const reached = targets.filter((target) => includes(model, target) && !(target === 'id' && leftOut.has(model)));
        if (reached.length === 0) continue;
        const mapper = enabledProvider(providers, realm, ProtocolMapper, model.providerId);
        if (mapper !== undefined) mappers.push({ mapper, model, targets: new Set(reached) });
      }
      ofSelection.set(key, mappers);
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
    await this.#run(request, mappers, hostSession, (of, name, value, model) => {
      for (const target of targets) {
        if (!of.has(target)) continue;
        const place = (into: Claims) => {
          if (target === 'id' && model.providerId === AUDIENCE) addAudiences(into, value);
          else placeClaim(into, name, value, request, target);
        };
        place(results[target]);
        if (onMapped === undefined) continue;
        const alone: Claims = {};
        place(alone);
        for (const claim of Object.keys(alone)) onMapped(claim, model);
      }
    });
    for (const target of targets) {
      keepRolesOf(results[target], request.audience);
      leaveOutDisabled(request.realm, results[target]);
    }
    return results;
  }

  /**
   * The claims that a login requested by name (OpenID Connect Core §5.5), from all client scopes of the client. If the
   * client requires consent, only from scopes that the user has agreed to.
   */
  async wanted(request: ClaimsRequest, wanted: WantedClaims, session: () => HostSession): Promise<Claims> {
    const { realm, client, user, selection } = request;
    const hostSession = session();
    const all = client.consentRequired ? selection.mappers : client.mappersWith(permittedScopes(realm, client, user));
    const mappers = all.flatMap((model): Mapper[] => {
      const isShown = model.inIdToken || model.inUserinfo || model.inAccessToken;
      const mapper = isShown
        ? enabledProvider(hostSession.generation, realm, ProtocolMapper, model.providerId)
        : undefined;
      return mapper === undefined ? [] : [{ mapper, model, targets: NO_TARGETS }];
    });
    const claims: Claims = {};
    await this.#run(request, mappers, hostSession, (_of, name, value) => {
      placeClaim(claims, name, value, request, 'id');
    });
    keepRolesOf(claims, request.audience);
    leaveOutDisabled(request.realm, claims);
    return Object.fromEntries(
      Object.entries(claims).filter(([name, value]) => Object.hasOwn(wanted, name) && isOneOf(value, wanted[name])),
    );
  }

  async #run(
    request: ClaimsRequest,
    mappers: readonly Mapper[],
    hostSession: HostSession,
    take: (targets: ReadonlySet<ClaimTarget>, name: string, value: unknown, model: MapperModel) => void,
  ): Promise<void> {
    const { realm, client, user, session: loginSession } = request;
    const roles = shownRoles(request);
    const groups = user?.groupPaths(realm) ?? NONE;
    const groupNames = user?.groupNames(realm) ?? NONE;
    const groupAttributes = user?.groupAttributes(realm) ?? NO_GROUPS;
    for (const { mapper, model, targets } of mappers) {
      let claims: MappedClaims;
      try {
        const mapped = createProvider(mapper, hostSession).map({
          client: client.view,
          user: user?.view,
          realmRoles: roles.realm,
          clientRoles: roles.clients,
          groups,
          groupNames,
          groupAttributes,
          webOrigins: client.webOriginList,
          session: loginSession,
          config: model.config,
        });
        claims = mapped instanceof Promise ? await hostSession.withTimeLimit(mapped) : mapped;
      } catch (error) {
        if (!(error instanceof UnfitValue)) throw error;
        warnOnce(model, client, error.message, hostSession);
        continue;
      }
      for (const name in claims) take(targets, name, claims[name], model);
    }
  }
}

const NONE: readonly string[] = Object.freeze([]);
const NO_GROUPS: MapperInput['groupAttributes'] = Object.freeze([]);
/** An ID token is for its client; only this mapper adds audiences. */
const AUDIENCE = 'oidc-audience-mapper';
const NO_TARGETS: ReadonlySet<ClaimTarget> = new Set();
/** The scopes of OpenID Connect Core §5.4. */
const OF_USERINFO = ['profile', 'email', 'address', 'phone'];
/**
 * Realm attribute; `true`: claims of these scopes are returned at userinfo, and in ID tokens only if they are requested
 * by name.
 */
const SCOPE_CLAIMS_AT_USERINFO = 'keyhost.scope.claims.at.userinfo';
const NOTHING: ReadonlySet<MapperModel> = new Set();

function leftOutOfIdTokens({ settings }: Realm, { scopes }: ScopeSelection): ReadonlySet<MapperModel> {
  if (settings.attribute(SCOPE_CLAIMS_AT_USERINFO) !== 'true') return NOTHING;
  return new Set(scopes.filter(({ name }) => OF_USERINFO.includes(name)).flatMap(({ mappers }) => mappers));
}

function isOneOf(value: unknown, wanted: WantedClaims[string] | undefined): boolean {
  return wanted === null || wanted?.some((one) => isDeepStrictEqual(one, value)) === true;
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

/** The visible roles after the role mappers. */
function shownRoles(request: ClaimsRequest): RoleNames {
  const { realm, user, selection, audience } = request;
  const roles = rolesOfEnabled(realm, visibleRoles(request));
  let mappers = ROLE_MAPPERS.get(selection);
  if (mappers === undefined) {
    mappers = roleMappers(selection.mappers);
    ROLE_MAPPERS.set(selection, mappers);
  }
  const shaped = mappers.length === 0 || user === undefined ? roles : applyRoleMappers(realm, roles, mappers);
  if (audience === undefined) return shaped;
  const clients = Object.entries(shaped.clients).filter(([clientId]) => audience.includes(clientId));
  return { realm: shaped.realm, clients: Object.fromEntries(clients) };
}

/** Removes other clients' roles that mappers added by themselves, such as by a hardcoded claim. */
function keepRolesOf({ resource_access: access }: Claims, audience: readonly string[] | undefined): void {
  if (audience === undefined || typeof access !== 'object' || access === null) return;
  for (const clientId of Object.keys(access)) {
    if (!audience.includes(clientId)) delete (access as Record<string, unknown>)[clientId];
  }
}

const WARNED = new WeakSet<MapperModel>();

/** Logs once per realm version, because every token may have the problem. */
function warnOnce(model: MapperModel, { clientId }: Client, reason: string, { logger, realm }: HostSession): void {
  if (WARNED.has(model)) return;
  WARNED.add(model);
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
