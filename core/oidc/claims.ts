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

export type Claims = Record<string, unknown>;
export type ClaimTarget = 'access' | 'id' | 'userinfo' | 'introspection';

/** Claims that the protocol sets: no mapper replaces or adds them, except `aud` and `sub` where they are asked for. */
const PROTOCOL_CLAIMS = new Set([
  'exp',
  'iat',
  'nbf',
  'jti',
  'iss',
  'typ',
  'azp',
  'sid',
  'scope',
  'act',
  'cnf',
  'nonce',
  'at_hash',
]);

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
        for (const target of targets) if (includes(model, target)) place(results[target], name, claims[name]);
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

/** `a.b` nests, `\.` is a dot; lists of one name are joined, as are several audiences. */
export function place(target: Claims, name: string, value: unknown): void {
  if (value === undefined || value === null) return;
  if (!name.includes('.')) {
    if (!PROTOCOL_CLAIMS.has(name) && !isPrototypeKey(name)) join(target, name, value);
    return;
  }
  const [first, ...rest] = name.split(/(?<!\\)\./).map((part) => part.replaceAll('\\.', '.'));
  if (first === undefined || PROTOCOL_CLAIMS.has(first) || [first, ...rest].some(isPrototypeKey)) return;
  let into = target;
  let key = first;
  for (const next of rest) {
    const inner = Object.hasOwn(into, key) ? into[key] : undefined;
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) into[key] = {};
    into = into[key] as Claims;
    key = next;
  }
  join(into, key, value);
}

function join(into: Claims, key: string, value: unknown): void {
  const before = Array.isArray(value) && Object.hasOwn(into, key) ? into[key] : undefined;
  into[key] = Array.isArray(before) ? [...new Set([...before, ...(value as unknown[])])] : value;
}

function isPrototypeKey(key: string): boolean {
  return key === '__proto__' || key === 'constructor' || key === 'prototype';
}
