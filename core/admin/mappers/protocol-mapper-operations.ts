import { randomUUID } from 'node:crypto';
import { PAIRWISE } from '../../model/pairwise-subject.js';
import type { PrivateNetworks } from '../../model/private-networks.js';
import type { ProtocolMapperRepresentation } from '../../model/representation.js';
import type { RealmEdits } from '../../realms/realm-edits.js';
import type { Users } from '../../users/users.js';
import { conflict, notFound } from '../admin.js';
import { type AdminCall, type AdminOperation, created, ok } from '../operation.js';
import { withEscalationCheck } from '../refuse-escalation.js';
import { SCOPE_OWNERS, type ScopeOwner, type ScopeOwnerEndpoint } from '../scope-holders.js';
import { PROTOCOL_MAPPER_MEMBERS } from '../strict-representations.js';
import {
  mapperOfInput,
  PROTOCOL_MAPPER_SCHEMA,
  PROTOCOL_MAPPERS_SCHEMA,
  type ProtocolMapperInput,
} from './protocol-mapper-input.js';
import { requireSector } from './sector-identifier.js';

export interface ProtocolMapperParts {
  readonly edits: RealmEdits;
  readonly users: Users;
  /** The networks besides public ones where sector identifier URIs of clients may be. */
  readonly privateNetworks: PrivateNetworks;
  /** IDs of the available mapper providers for OpenID Connect. */
  readonly mapperIds: () => readonly string[];
}

const LIST = { status: 200, body: { type: 'array', items: { $ref: 'ProtocolMapperRepresentation' } } } as const;

/** The protocol mappers of clients and client scopes (Keycloak's ProtocolMappersResource). */
export function protocolMapperOperations(parts: ProtocolMapperParts): AdminOperation[] {
  return SCOPE_OWNERS.flatMap((holder): AdminOperation[] => [
    ...readOperations(holder),
    {
      ...writing(holder, 'POST', 'models'),
      summary: 'Create a protocol mapper',
      body: PROTOCOL_MAPPER_SCHEMA,
      strict: PROTOCOL_MAPPER_MEMBERS,
      answers: { status: 201 },
      async handle(call) {
        const mapper = call.body as ProtocolMapperInput;
        const id = mapper.id || randomUUID();
        const answer = created(call, id);
        await add(parts, holder, call, [{ ...mapper, id }]);
        return answer;
      },
    },
    {
      ...writing(holder, 'POST', 'add-models'),
      summary: 'Create several protocol mappers, all of them or none',
      body: PROTOCOL_MAPPERS_SCHEMA,
      strict: PROTOCOL_MAPPER_MEMBERS,
      answers: { status: 204 },
      async handle(call) {
        await add(parts, holder, call, call.body as readonly ProtocolMapperInput[]);
        return undefined;
      },
    },
    {
      ...writing(holder, 'PUT', 'models/{mapperId}'),
      summary: 'Replace a protocol mapper',
      body: PROTOCOL_MAPPER_SCHEMA,
      strict: PROTOCOL_MAPPER_MEMBERS,
      ignoredMembers: ['id'],
      answers: { status: 204 },
      async handle(call) {
        await holder.requireManaged(parts.users, call);
        await parts.edits.edit(
          call.realm.name,
          withEscalationCheck(call.admin, async (draft) => {
            const held = holder.find(call, draft);
            const before = mapperOf(held, call);
            const sent = call.body as ProtocolMapperInput;
            const after = mapperOfInput({ ...sent, name: sent.name ?? before.name }, before);
            if (after.protocolMapper !== before.protocolMapper) requireKnown(parts, after);
            const others = (held.representation.protocolMappers ?? []).filter((other) => other !== before);
            requireFree(others, after);
            held.representation.protocolMappers = (held.representation.protocolMappers ?? []).map((mapper) =>
              mapper === before ? after : mapper,
            );
            await requireSectorOf(parts, held, after);
          }),
        );
        return undefined;
      },
    },
    {
      ...writing(holder, 'DELETE', 'models/{mapperId}'),
      summary: 'Remove a protocol mapper',
      answers: { status: 204 },
      async handle(call) {
        await holder.requireManaged(parts.users, call);
        await parts.edits.edit(call.realm.name, (draft) => {
          const held = holder.find(call, draft);
          const gone = mapperOf(held, call);
          held.representation.protocolMappers =
            held.representation.protocolMappers?.filter((mapper) => mapper !== gone) ?? [];
        });
        return undefined;
      },
    },
  ]);
}

function readOperations(holder: ScopeOwnerEndpoint): AdminOperation[] {
  const shared = { method: 'GET', tag: 'Protocol Mappers', roles: ['view-clients'] } as const;
  const path = `${holder.path}/protocol-mappers`;
  const all = (call: AdminCall) => holder.find(call, call.realm.representation).representation.protocolMappers ?? [];
  return [
    {
      ...shared,
      path: `${path}/models`,
      summary: 'Protocol mappers',
      answers: LIST,
      handle: (call) => ok(all(call).map(shown)),
    },
    {
      ...shared,
      path: `${path}/protocol/{protocol}`,
      summary: 'Protocol mappers of one protocol',
      answers: LIST,
      handle: (call) =>
        ok(
          all(call)
            .map(shown)
            .filter(({ protocol }) => protocol === call.params.protocol),
        ),
    },
    {
      ...shared,
      path: `${path}/models/{mapperId}`,
      summary: 'A protocol mapper',
      etag: true,
      answers: { status: 200, body: 'ProtocolMapperRepresentation' },
      handle: (call) => ok(shown(mapperOf(holder.find(call, call.realm.representation), call))),
    },
  ];
}

function writing({ path }: ScopeOwnerEndpoint, method: 'POST' | 'PUT' | 'DELETE', below: string) {
  return {
    method,
    path: `${path}/protocol-mappers/${below}`,
    tag: 'Protocol Mappers',
    roles: ['manage-clients'],
    event: { resourceType: 'PROTOCOL_MAPPER' },
  } as const;
}

async function add(
  parts: ProtocolMapperParts,
  holder: ScopeOwnerEndpoint,
  call: AdminCall,
  sent: readonly ProtocolMapperInput[],
): Promise<void> {
  await holder.requireManaged(parts.users, call);
  await parts.edits.edit(
    call.realm.name,
    withEscalationCheck(call.admin, async (draft) => {
      const held = holder.find(call, draft);
      const { representation: target } = held;
      for (const mapper of sent) {
        const added = mapperOfInput(mapper);
        requireKnown(parts, added);
        requireFree(target.protocolMappers ?? [], added);
        target.protocolMappers = [...(target.protocolMappers ?? []), added];
        await requireSectorOf(parts, held, added);
      }
    }),
  );
}

/** @throws AdminError 400 */
async function requireSectorOf(
  { privateNetworks }: ProtocolMapperParts,
  { kind, representation: holder, name }: ScopeOwner,
  { protocolMapper }: ProtocolMapperRepresentation,
): Promise<void> {
  if (kind !== 'client' || protocolMapper !== PAIRWISE.mapper) return;
  await requireSector({ clientId: name, ...holder }, privateNetworks);
}

/** @throws AdminError 404 */
function mapperOf({ representation: holder }: ScopeOwner, { params }: AdminCall): ProtocolMapperRepresentation {
  const mapper = holder.protocolMappers?.find(({ id }) => id === params.mapperId);
  if (mapper === undefined) throw notFound('Model not found');
  return mapper;
}

/**
 * An unknown OpenID Connect mapper would silently have no effect. Mappers of other protocols are left to Keycloak.
 * @throws AdminError 404
 */
function requireKnown({ mapperIds }: ProtocolMapperParts, { protocol, protocolMapper }: ProtocolMapperRepresentation) {
  if (protocol !== 'openid-connect' || mapperIds().includes(protocolMapper)) return;
  throw notFound('ProtocolMapper provider not found');
}

/** @throws AdminError 409 */
function requireFree(
  others: readonly ProtocolMapperRepresentation[],
  { id, name, protocol }: ProtocolMapperRepresentation,
) {
  const taken = others.some(
    (other) => other.id === id || (other.name === name && (other.protocol ?? 'openid-connect') === protocol),
  );
  if (taken) throw conflict('Protocol mapper exists with same name');
}

function shown(mapper: ProtocolMapperRepresentation): ProtocolMapperRepresentation {
  return { protocol: 'openid-connect', consentRequired: false, config: {}, ...mapper };
}
