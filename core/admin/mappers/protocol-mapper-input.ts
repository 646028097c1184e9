import { randomUUID } from 'node:crypto';
import { REALM_SCHEMA } from '../../config/realm-file/schema/realm-schema.js';
import { defined } from '../../model/defined.js';
import { PAIRWISE } from '../../model/pairwise-subject.js';
import type { ProtocolMapperRepresentation } from '../../model/representation.js';
import { badRequest, notFoundError } from '../admin.js';
import { LOOSE_TEXTS, mergeTexts, partialSchema } from '../partial-schema.js';

const { items: MAPPER } = REALM_SCHEMA.properties.clientScopes.items.properties.protocolMappers;

const { consentText: _, ...members } = MAPPER.properties;

export const PROTOCOL_MAPPER_SCHEMA = partialSchema({ properties: { ...members, config: LOOSE_TEXTS } });

export const PROTOCOL_MAPPERS_SCHEMA = { type: 'array', maxItems: 1000, items: PROTOCOL_MAPPER_SCHEMA } as const;

/** A protocol mapper in a request. Null means absent. */
export interface ProtocolMapperInput {
  readonly id?: string | null;
  readonly name?: string | null;
  readonly protocol?: string | null;
  readonly protocolMapper?: string | null;
  readonly consentRequired?: boolean | null;
  readonly config?: Readonly<Record<string, unknown>> | null;
}

/**
 * Converts a mapper of a request to its stored form. Absent members are empty.
 * @param before the mapper that it replaces
 * @throws AdminError 400
 */
export function toMapper(
  input: ProtocolMapperInput,
  before?: ProtocolMapperRepresentation,
): ProtocolMapperRepresentation {
  const { name, protocolMapper, protocol, consentRequired, config } = input;
  if (!protocolMapper) throw notFoundError('ProtocolMapper provider not found');
  if (!name) throw badRequest('A protocol mapper requires a name');
  const id = before?.id ?? (input.id || undefined);
  return {
    ...defined({ id }),
    name,
    protocol: protocol ?? 'openid-connect',
    protocolMapper,
    consentRequired: consentRequired ?? false,
    config: withSalt(protocolMapper, mergeTexts({}, config ?? {}), before),
  };
}

/** Adds a salt, which pairwise subjects need. A generated salt is preserved, because the subjects depend on it. */
function withSalt(
  protocolMapper: string,
  config: Record<string, string>,
  before: ProtocolMapperRepresentation | undefined,
): Record<string, string> {
  if (protocolMapper !== PAIRWISE.mapper || config[PAIRWISE.salt]) return config;
  const existingSalt = before?.protocolMapper === protocolMapper ? before.config?.[PAIRWISE.salt] : undefined;
  return { ...config, [PAIRWISE.salt]: existingSalt || randomUUID() };
}
