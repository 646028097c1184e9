import { randomUUID } from 'node:crypto';
import { PAIRWISE } from '../../model/pairwise-subject.js';
import type { PrivateNetworks } from '../../model/private-networks.js';
import type { ProtocolMapperRepresentation } from '../../model/representation.js';
import type { RealmEdits } from '../../realms/realm-edits.js';
import type { Users } from '../../users/users.js';
import { conflictError, notFoundError } from '../admin.js';
import { type AdminCall, type AdminOperation, created, ok } from '../operation.js';
import { withEscalationCheck } from '../refuse-escalation.js';
import { SCOPE_OWNERS, type ScopeOwner, type ScopeOwnerEndpoint } from '../scope-owners.js';
import { PROTOCOL_MAPPER_MEMBERS } from '../strict-representations.js';
import {
  PROTOCOL_MAPPER_SCHEMA,
  PROTOCOL_MAPPERS_SCHEMA,
  type ProtocolMapperInput,
  toMapper,
} from './protocol-mapper-input.js';
import { requireSector } from './sector-identifier.js';

export interface ProtocolMapperParts {
  readonly edits: RealmEdits;
  readonly users: Users;
  /** The private networks that sector identifier URIs of clients may be in. */
  readonly privateNetworks: PrivateNetworks;
  /** IDs of the available mapper providers for OpenID Connect. */
  readonly mapperIds: () => readonly string[];
}

const LIST = { status: 200, body: { type: 'array', items: { $ref: 'ProtocolMapperRepresentation' } } } as const;

/** Operations on the protocol mappers of clients and client scopes (Keycloak's ProtocolMappersResource). */
export function protocolMapperOperations(parts: ProtocolMapperParts): AdminOperation[] {
  return SCOPE_OWNERS.flatMap((endpoint): AdminOperation[] => [
    ...readOperations(endpoint),
    {
      ...writeOperation(endpoint, 'POST', 'models'),
      summary: 'Create a protocol mapper',
      body: PROTOCOL_MAPPER_SCHEMA,
      strict: PROTOCOL_MAPPER_MEMBERS,
      answers: { status: 201 },
      async handle(call) {
        const mapper = call.body as ProtocolMapperInput;
        const id = mapper.id || randomUUID();
        const answer = created(call, id);
        await addMappers(parts, endpoint, call, [{ ...mapper, id }]);
        return answer;
      },
    },
    {
      ...writeOperation(endpoint, 'POST', 'add-models'),
      summary: 'Create several protocol mappers, all of them or none',
      body: PROTOCOL_MAPPERS_SCHEMA,
      strict: PROTOCOL_MAPPER_MEMBERS,
      answers: { status: 204 },
      async handle(call) {
        await addMappers(parts, endpoint, call, call.body as readonly ProtocolMapperInput[]);
        return undefined;
      },
    },
    {
      ...writeOperation(endpoint, 'PUT', 'models/{mapperId}'),
      summary: 'Replace a protocol mapper',
      body: PROTOCOL_MAPPER_SCHEMA,
      strict: PROTOCOL_MAPPER_MEMBERS,
      ignoredMembers: ['id'],
      answers: { status: 204 },
      async handle(call) {
        await endpoint.requireManaged(parts.users, call);
        await parts.edits.edit(
          call.realm.name,
          withEscalationCheck(call.admin, async (draft) => {
            const owner = endpoint.find(call, draft);
            const before = requireMapper(owner, call);
            const input = call.body as ProtocolMapperInput;
            const after = toMapper({ ...input, name: input.name ?? before.name }, before);
            if (after.protocolMapper !== before.protocolMapper) requireKnownType(parts, after);
            const others = (owner.representation.protocolMappers ?? []).filter((other) => other !== before);
            requireFreeName(others, after);
            owner.representation.protocolMappers = (owner.representation.protocolMappers ?? []).map((mapper) =>
              mapper === before ? after : mapper,
            );
            await requireSectorOf(parts, owner, after);
          }),
        );
        return undefined;
      },
    },
    {
      ...writeOperation(endpoint, 'DELETE', 'models/{mapperId}'),
      summary: 'Remove a protocol mapper',
      answers: { status: 204 },
      async handle(call) {
        await endpoint.requireManaged(parts.users, call);
        await parts.edits.edit(call.realm.name, (draft) => {
          const owner = endpoint.find(call, draft);
          const removedMapper = requireMapper(owner, call);
          owner.representation.protocolMappers =
            owner.representation.protocolMappers?.filter((mapper) => mapper !== removedMapper) ?? [];
        });
        return undefined;
      },
    },
  ]);
}

function readOperations(endpoint: ScopeOwnerEndpoint): AdminOperation[] {
  const readOperation = { method: 'GET', tag: 'Protocol Mappers', roles: ['view-clients'] } as const;
  const path = `${endpoint.path}/protocol-mappers`;
  const mappersOf = (call: AdminCall) =>
    endpoint.find(call, call.realm.representation).representation.protocolMappers ?? [];
  return [
    {
      ...readOperation,
      path: `${path}/models`,
      summary: 'Protocol mappers',
      answers: LIST,
      handle: (call) => ok(mappersOf(call).map(toRepresentation)),
    },
    {
      ...readOperation,
      path: `${path}/protocol/{protocol}`,
      summary: 'Protocol mappers of one protocol',
      answers: LIST,
      handle: (call) =>
        ok(
          mappersOf(call)
            .map(toRepresentation)
            .filter(({ protocol }) => protocol === call.params.protocol),
        ),
    },
    {
      ...readOperation,
      path: `${path}/models/{mapperId}`,
      summary: 'A protocol mapper',
      etag: true,
      answers: { status: 200, body: 'ProtocolMapperRepresentation' },
      handle: (call) => ok(toRepresentation(requireMapper(endpoint.find(call, call.realm.representation), call))),
    },
  ];
}

function writeOperation({ path }: ScopeOwnerEndpoint, method: 'POST' | 'PUT' | 'DELETE', pathSuffix: string) {
  return {
    method,
    path: `${path}/protocol-mappers/${pathSuffix}`,
    tag: 'Protocol Mappers',
    roles: ['manage-clients'],
    event: { resourceType: 'PROTOCOL_MAPPER' },
  } as const;
}

async function addMappers(
  parts: ProtocolMapperParts,
  endpoint: ScopeOwnerEndpoint,
  call: AdminCall,
  inputs: readonly ProtocolMapperInput[],
): Promise<void> {
  await endpoint.requireManaged(parts.users, call);
  await parts.edits.edit(
    call.realm.name,
    withEscalationCheck(call.admin, async (draft) => {
      const owner = endpoint.find(call, draft);
      const { representation: target } = owner;
      for (const mapper of inputs) {
        const addedMapper = toMapper(mapper);
        requireKnownType(parts, addedMapper);
        requireFreeName(target.protocolMappers ?? [], addedMapper);
        target.protocolMappers = [...(target.protocolMappers ?? []), addedMapper];
        await requireSectorOf(parts, owner, addedMapper);
      }
    }),
  );
}

/** Checks the sector of a client with pairwise subjects. @throws AdminError 400 */
async function requireSectorOf(
  { privateNetworks }: ProtocolMapperParts,
  { kind, representation: holder, name }: ScopeOwner,
  { protocolMapper }: ProtocolMapperRepresentation,
): Promise<void> {
  if (kind !== 'client' || protocolMapper !== PAIRWISE.mapper) return;
  await requireSector({ clientId: name, ...holder }, privateNetworks);
}

/** Finds the mapper of the path. @throws AdminError 404 */
function requireMapper({ representation: holder }: ScopeOwner, { params }: AdminCall): ProtocolMapperRepresentation {
  const mapper = holder.protocolMappers?.find(({ id }) => id === params.mapperId);
  if (mapper === undefined) throw notFoundError('Model not found');
  return mapper;
}

/**
 * Rejects unknown OpenID Connect mappers, which would silently have no effect. Those of other protocols are only
 * stored.
 * @throws AdminError 404
 */
function requireKnownType(
  { mapperIds }: ProtocolMapperParts,
  { protocol, protocolMapper }: ProtocolMapperRepresentation,
) {
  if (protocol !== 'openid-connect' || mapperIds().includes(protocolMapper)) return;
  throw notFoundError('ProtocolMapper provider not found');
}

/** Checks that no mapper has the same ID or name. @throws AdminError 409 */
function requireFreeName(
  others: readonly ProtocolMapperRepresentation[],
  { id, name, protocol }: ProtocolMapperRepresentation,
) {
  const isTaken = others.some(
    (other) => other.id === id || (other.name === name && (other.protocol ?? 'openid-connect') === protocol),
  );
  if (isTaken) throw conflictError('Protocol mapper exists with same name');
}

function toRepresentation(mapper: ProtocolMapperRepresentation): ProtocolMapperRepresentation {
  return { protocol: 'openid-connect', consentRequired: false, config: {}, ...mapper };
}
