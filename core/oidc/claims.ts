import {
  type MappedClaims,
  type MapperInput,
  ProtocolMapper,
  type ProtocolMapperDeclaration,
  type ProtocolMapperProvider,
} from '@keyhost/spi';
import type { Client, ScopeSelection } from '../model/client.js';
import type { MapperModel } from '../model/client-scope.js';
import type { Realm } from '../model/realm.js';
import { type Role, RoleGraph, type RoleNames } from '../model/roles.js';
import type { User } from '../model/user.js';
import type { Generation } from '../registry/generation.js';
import { createProvider, type EnabledProvider, enabledProvider } from '../registry/realm-providers.js';
import type { HostSession } from '../registry/session.js';
import { type Claims, type ClaimTarget, placeClaim } from './place-claim.js';

/** Whose claims: one token request, as mappers see it. */
export interface ClaimsRequest {
  readonly realm: Realm;
  readonly client: Client;
  readonly user: User | undefined;
  readonly selection: ScopeSelection;
  readonly session: MapperInput['session'];
}

interface Mapper {
  readonly mapper: EnabledProvider<ProtocolMapperDeclaration, ProtocolMapperProvider>;
  readonly model: MapperModel;
}

const MAPPERS = Symbol('mappers by scope selection');

/** Runs protocol mappers and places what they return. */
export class ClaimMapping {
  /** The mappers that have something to say, found once per scope selection. */
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
      for (const model of selection.mappers) {
        if (!targets.some((target) => includes(model, target))) continue;
        const mapper = enabledProvider(providers, realm, ProtocolMapper, model.providerId);
        if (mapper !== undefined) mappers.push({ mapper, model });
      }
      ofSelection.set(key, mappers);
    }
    return mappers;
  }

  /** The claims for each of the targets. Mappers run once, in the order of the realm file. */
  async map<T extends ClaimTarget>(
    request: ClaimsRequest,
    targets: readonly T[],
    session: () => HostSession,
  ): Promise<Record<T, Claims>> {
    const results = {} as Record<T, Claims>;
    for (const target of targets) results[target] = {};
    const { realm, client, user, session: loginSession } = request;
    const roles = visibleRoles(request);
    const groups = user?.groups(realm) ?? NONE;
    const hostSession = session();
    for (const { mapper, model } of this.#mappers(request, targets, hostSession.providers)) {
      const mapped = createProvider(mapper, hostSession).map({
        client: client.view,
        user: user?.view,
        realmRoles: roles.realm,
        clientRoles: roles.clients,
        groups,
        webOrigins: client.webOriginList,
        session: loginSession,
        config: model.config,
      });
      const claims: MappedClaims = mapped instanceof Promise ? await hostSession.limited(mapped) : mapped;
      for (const name in claims) {
        for (const target of targets) {
          if (includes(model, target)) placeClaim(results[target], name, claims[name], request, target);
        }
      }
    }
    return results;
  }
}

const NONE: readonly string[] = Object.freeze([]);
const NO_ROLES: RoleNames = RoleGraph.names([]);

/** The roles that a token of this client with these scopes may show (Keycloak's TokenManager.getAccess). */
export function visibleRoles({ realm, client, user, selection }: Omit<ClaimsRequest, 'session'>): RoleNames {
  if (user === undefined) return NO_ROLES;
  if (client.fullScopeAllowed) return user.roleNames(realm);
  const allowed = RoleGraph.expand([...client.scopeRoles, ...selection.scopes.flatMap((scope): Role[] => scope.roles)]);
  return RoleGraph.names([...user.effectiveRoles(realm)].filter((role) => allowed.has(role)));
}

function includes(model: MapperModel, target: ClaimTarget): boolean {
  switch (target) {
    case 'access':
      return model.inAccessToken;
    case 'id':
      return model.inIdToken;
    case 'userinfo':
      return model.inUserinfo;
    case 'introspection':
      return model.inIntrospection;
  }
}
