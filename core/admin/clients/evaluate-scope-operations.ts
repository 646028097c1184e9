import type { Client, ScopeSelection } from '../../model/client.js';
import type { MapperModel } from '../../model/client-scope.js';
import { permittedScope } from '../../model/permitted-scope.js';
import type { Realm } from '../../model/realm.js';
import { type Role, RoleGraph } from '../../model/roles.js';
import type { User } from '../../model/user.js';
import type { Users } from '../../users/users.js';
import { notFound } from '../admin.js';
import { type AdminCall, type AdminOperation, ok } from '../operation.js';
import { byName, rolesOf, roleViews } from '../roles/role-with-client.js';
import { clientWithId } from './find-client.js';

export interface TokenSubject {
  readonly client: Client;
  readonly user: User;
  readonly selection: ScopeSelection;
}

/** Computes the claims of a token without issuing it. `onMapped` is called for each claim that a mapper sets. */
export type ExampleClaims = (
  call: AdminCall,
  kind: 'access' | 'id' | 'userinfo',
  whose: TokenSubject,
  onMapped?: (claim: string, mapper: MapperModel) => void,
) => Promise<object>;

export interface EvaluateScopeParts {
  readonly users: Users;
  readonly exampleClaims: ExampleClaims;
}

const TAG = 'Clients';
export const EVALUATE_PATH = '/clients/{clientUuid}/evaluate-scopes';
export const EVALUATED_SCOPE = { scope: { type: 'string', description: 'Scopes of the request.' } } as const;
const EXAMPLES = [
  ['generate-example-access-token', 'access'],
  ['generate-example-id-token', 'id'],
  ['generate-example-userinfo', 'userinfo'],
] as const;

/** Shows what a client's tokens would contain with a scope (Keycloak's ClientScopeEvaluateResource). */
export function evaluateScopeOperations(parts: EvaluateScopeParts): AdminOperation[] {
  return [
    {
      method: 'GET',
      path: `${EVALUATE_PATH}/protocol-mappers`,
      tag: TAG,
      summary: 'The protocol mappers that apply',
      roles: ['view-clients'],
      query: EVALUATED_SCOPE,
      answers: { status: 200, body: { type: 'array', items: { type: 'object' } } },
      handle: (call) => ok(mappersAtWork(call)),
    },
    ...[true, false].map(
      (granted): AdminOperation => ({
        method: 'GET',
        path: `${EVALUATE_PATH}/scope-mappings/{roleContainerId}/${granted ? 'granted' : 'not-granted'}`,
        tag: TAG,
        summary: `The roles of the realm (its name) or of a client (its ID) that tokens ${granted ? 'can' : 'cannot'} contain`,
        roles: ['view-clients'],
        query: EVALUATED_SCOPE,
        answers: { status: 200, body: { type: 'array', items: { $ref: 'RoleRepresentation' } } },
        handle: (call) => ok(rolesShown(call, granted)),
      }),
    ),
    ...EXAMPLES.map(
      ([below, kind]): AdminOperation => ({
        method: 'GET',
        path: `${EVALUATE_PATH}/${below}`,
        tag: TAG,
        summary: `The claims of a user's ${kind === 'userinfo' ? 'userinfo' : `${kind} token`}; also requires view-users`,
        roles: ['view-clients'],
        query: { ...EVALUATED_SCOPE, userId: { type: 'string' } },
        answers: { status: 200, body: { type: 'object' } },
        handle: async (call) => ok(await parts.exampleClaims(call, kind, await tokenSubject(parts, call))),
      }),
    ),
  ];
}

/**
 * The user and client that an example is made for.
 * @throws AdminError 403 without view-users, 404
 */
export async function tokenSubject({ users }: EvaluateScopeParts, call: AdminCall): Promise<TokenSubject> {
  const { admin, realm, query } = call;
  admin.require(realm.name, 'view-users');
  const { client } = selected(call);
  const userId = query.string('userId');
  if (userId === undefined) throw notFound('No userId provided');
  const user = await users.byId(realm, userId);
  if (user === undefined) throw notFound('No user found');
  return { client, user, selection: permittedScope(realm, client, user, query.string('scope')) };
}

function selected({ realm, params, query }: AdminCall): { client: Client; selection: ScopeSelection } {
  const client = realm.clientsById.get(clientWithId(realm.representation, params.clientUuid).id);
  if (client === undefined) throw notFound('Could not find client');
  return { client, selection: client.selectScope(query.string('scope')) };
}

/** Keycloak's ProtocolMapperEvaluationRepresentation. */
export interface MapperEvaluation {
  readonly mapperId: string | undefined;
  readonly mapperName: string;
  readonly containerId: string | undefined;
  /** Empty for a mapper of the client itself. */
  readonly containerName: string;
  readonly containerType: 'client' | 'client-scope';
  readonly protocolMapper: string;
}

function mappersAtWork(call: AdminCall): MapperEvaluation[] {
  return mappersOf(call, selected(call));
}

/** The mappers of a client and of the scopes that were selected. */
export function mappersOf(call: AdminCall, { client, selection }: Omit<TokenSubject, 'user'>): MapperEvaluation[] {
  const { representation } = call.realm;
  const names = new Set(selection.scopes.map(({ name }) => name));
  const own = clientWithId(representation, client.id);
  const containers = [
    { id: own.id, name: '', type: 'client' as const, mappers: own.protocolMappers ?? [] },
    ...(representation.clientScopes ?? [])
      .filter((scope) => names.has(scope.name))
      .map(({ id, name, protocolMappers = [] }) => ({
        id,
        name,
        type: 'client-scope' as const,
        mappers: protocolMappers,
      })),
  ];
  return containers.flatMap(({ id, name, type, mappers }) =>
    mappers
      .filter(({ protocol }) => (protocol ?? 'openid-connect') === client.protocol)
      .map((mapper) => ({
        mapperId: mapper.id,
        mapperName: mapper.name,
        containerId: id,
        containerName: name,
        containerType: type,
        protocolMapper: mapper.protocolMapper,
      })),
  );
}

function rolesShown(call: AdminCall, granted: boolean): object[] {
  const { realm, params } = call;
  const { client, selection } = selected(call);
  const clientId = containerOf(realm, params.roleContainerId ?? '');
  const scope = RoleGraph.expand([...client.scopeRoles, ...selection.scopes.flatMap((one): Role[] => one.roles)]);
  const shows = (name: string) => {
    if (client.fullScopeAllowed) return true;
    const [role] = clientId === undefined ? realm.roles.find([name]) : realm.roles.find([], { [clientId]: [name] });
    return role !== undefined && scope.has(role);
  };
  const view = roleViews(realm.representation);
  return rolesOf(realm.representation, clientId)
    .filter(({ name }) => shows(name) === granted)
    .map((role) => ({ clientId, role }))
    .sort(byName)
    .map((placed) => view(placed, true));
}

/** @throws AdminError 404 */
function containerOf(realm: Realm, id: string): string | undefined {
  if (id === realm.name) return undefined;
  const client = realm.clientsById.get(id);
  if (client === undefined) throw notFound('Role Container not found');
  return client.clientId;
}
