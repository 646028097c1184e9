import type { Client, ScopeSelection } from '../../model/client.js';
import type { MapperModel } from '../../model/client-scope.js';
import { selectPermittedScope } from '../../model/permitted-scope.js';
import type { Realm } from '../../model/realm.js';
import { type Role, RoleGraph } from '../../model/roles.js';
import type { User } from '../../model/user.js';
import type { Users } from '../../users/users.js';
import { notFoundError } from '../admin.js';
import { type AdminCall, type AdminOperation, ok } from '../operation.js';
import { byName, createRoleConverter, rolesOf } from '../roles/role-with-client.js';
import { requireClient } from './find-client.js';

export interface ExampleSubject {
  readonly client: Client;
  readonly user: User;
  readonly selection: ScopeSelection;
}

/**
 * Computes the claims of a token without issuing it.
 * @param onMapped called for each claim that a mapper sets
 */
export type ExampleClaims = (
  call: AdminCall,
  kind: 'access' | 'id' | 'userinfo',
  subject: ExampleSubject,
  onMapped?: (claim: string, mapper: MapperModel) => void,
) => Promise<object>;

export interface EvaluateScopeParts {
  readonly users: Users;
  readonly exampleClaims: ExampleClaims;
}

const TAG = 'Clients';
export const EVALUATE_PATH = '/clients/{clientUuid}/evaluate-scopes';
export const SCOPE_PARAMETER = { scope: { type: 'string', description: 'Scopes of the request.' } } as const;
const EXAMPLES = [
  ['generate-example-access-token', 'access'],
  ['generate-example-id-token', 'id'],
  ['generate-example-userinfo', 'userinfo'],
] as const;

/** Operations that show what a client's tokens would contain with a scope (Keycloak's ClientScopeEvaluateResource). */
export function evaluateScopeOperations(parts: EvaluateScopeParts): AdminOperation[] {
  return [
    {
      method: 'GET',
      path: `${EVALUATE_PATH}/protocol-mappers`,
      tag: TAG,
      summary: 'The protocol mappers that apply',
      roles: ['view-clients'],
      query: SCOPE_PARAMETER,
      answers: { status: 200, body: { type: 'array', items: { type: 'object' } } },
      handle: (call) => ok(evaluateMappers(call)),
    },
    ...[true, false].map(
      (isGranted): AdminOperation => ({
        method: 'GET',
        path: `${EVALUATE_PATH}/scope-mappings/{roleContainerId}/${isGranted ? 'granted' : 'not-granted'}`,
        tag: TAG,
        summary: `The roles of the realm (its name) or of a client (its ID) that tokens ${isGranted ? 'can' : 'cannot'} contain`,
        roles: ['view-clients'],
        query: SCOPE_PARAMETER,
        answers: { status: 200, body: { type: 'array', items: { $ref: 'RoleRepresentation' } } },
        handle: (call) => ok(evaluateRoles(call, isGranted)),
      }),
    ),
    ...EXAMPLES.map(
      ([pathSuffix, kind]): AdminOperation => ({
        method: 'GET',
        path: `${EVALUATE_PATH}/${pathSuffix}`,
        tag: TAG,
        summary: `The claims of a user's ${kind === 'userinfo' ? 'userinfo' : `${kind} token`}; also requires view-users`,
        roles: ['view-clients'],
        query: { ...SCOPE_PARAMETER, userId: { type: 'string' } },
        answers: { status: 200, body: { type: 'object' } },
        handle: async (call) => ok(await parts.exampleClaims(call, kind, await findExampleSubject(parts, call))),
      }),
    ),
  ];
}

/**
 * Finds the user and client of an example token.
 * @throws AdminError 403 without view-users, 404
 */
export async function findExampleSubject({ users }: EvaluateScopeParts, call: AdminCall): Promise<ExampleSubject> {
  const { admin, realm, query } = call;
  admin.require(realm.name, 'view-users');
  const { client } = selectScopes(call);
  const userId = query.string('userId');
  if (userId === undefined) throw notFoundError('No userId provided');
  const user = await users.byId(realm, userId);
  if (user === undefined) throw notFoundError('No user found');
  return { client, user, selection: selectPermittedScope(realm, client, user, query.string('scope')) };
}

function selectScopes({ realm, params, query }: AdminCall): { client: Client; selection: ScopeSelection } {
  const client = realm.clientsById.get(requireClient(realm.representation, params.clientUuid).id);
  if (client === undefined) throw notFoundError('Could not find client');
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

function evaluateMappers(call: AdminCall): MapperEvaluation[] {
  return effectiveMappers(call, selectScopes(call));
}

/** The mappers of the client and of its selected client scopes, if their protocol is that of the client. */
export function effectiveMappers(
  call: AdminCall,
  { client, selection }: Omit<ExampleSubject, 'user'>,
): MapperEvaluation[] {
  const { representation } = call.realm;
  const names = new Set(selection.scopes.map(({ name }) => name));
  const storedClient = requireClient(representation, client.id);
  const containers = [
    { id: storedClient.id, name: '', type: 'client' as const, mappers: storedClient.protocolMappers ?? [] },
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

function evaluateRoles(call: AdminCall, isGranted: boolean): object[] {
  const { realm, params } = call;
  const { client, selection } = selectScopes(call);
  const clientId = roleContainerClientId(realm, params.roleContainerId ?? '');
  const scopeRoles = RoleGraph.expand([
    ...client.scopeRoles,
    ...selection.scopes.flatMap((clientScope): Role[] => clientScope.roles),
  ]);
  const canContain = (name: string) => {
    if (client.fullScopeAllowed) return true;
    const [role] = clientId === undefined ? realm.roles.find([name]) : realm.roles.find([], { [clientId]: [name] });
    return role !== undefined && scopeRoles.has(role);
  };
  const toView = createRoleConverter(realm.representation);
  return rolesOf(realm.representation, clientId)
    .filter(({ name }) => canContain(name) === isGranted)
    .map((role) => ({ clientId, role }))
    .sort(byName)
    .map((roleWithClient) => toView(roleWithClient, true));
}

/** The client ID of a role container, or undefined for the realm. @throws AdminError 404 */
function roleContainerClientId(realm: Realm, id: string): string | undefined {
  if (id === realm.name) return undefined;
  const client = realm.clientsById.get(id);
  if (client === undefined) throw notFoundError('Role Container not found');
  return client.clientId;
}
