import { isOfTokens } from '../../model/client-scope.js';
import { PAIRWISE } from '../../model/pairwise-subject.js';
import type { ClientRepresentation, ProtocolMapperRepresentation } from '../../model/representation.js';
import type { SentClient } from '../clients/sent-client.js';
import { sentProtocolMapper } from '../mappers/sent-protocol-mapper.js';

/** A client that is registered in OpenID Connect's words: it says by which subjects it knows its users. */
export interface SentRegistration extends SentClient {
  /** Absent where the words have none for it. */
  readonly subjects?: { readonly type: 'public' | 'pairwise'; readonly sector?: string };
  /** The optional scopes leave the client the realm's default scopes, not the basic one alone. */
  readonly addsScopes?: true;
}

const isPairwise = ({ protocolMapper }: ProtocolMapperRepresentation) => protocolMapper === PAIRWISE.mapper;

/**
 * Gives a client the mapper for subjects of its own, or takes it away (OpenID Connect Registration §2 `subject_type`). One
 * that is there keeps its salt: its users stay who they are.
 */
export function putSubjects(client: ClientRepresentation, { subjects }: SentRegistration): void {
  if (subjects === undefined) return;
  const { protocolMappers = [] } = client;
  const before = protocolMappers.find(isPairwise);
  const others = protocolMappers.filter((mapper) => !isPairwise(mapper));
  if (subjects.type === 'public') {
    if (before !== undefined) client.protocolMappers = others;
    return;
  }
  const mapper = {
    name: before?.name ?? 'pairwise subject identifier',
    protocolMapper: PAIRWISE.mapper,
    config: { [PAIRWISE.sector]: subjects.sector ?? null },
  };
  client.protocolMappers = [...others, sentProtocolMapper(mapper, before)];
}

/** What a client is told of it. */
export function subjectMetadata({ protocolMappers }: ClientRepresentation): Record<string, string> {
  const mapper = protocolMappers?.find((one) => isPairwise(one) && isOfTokens(one));
  if (mapper === undefined) return { subject_type: 'public' };
  const sector = mapper.config?.[PAIRWISE.sector];
  return { subject_type: 'pairwise', ...(sector ? { sector_identifier_uri: sector } : {}) };
}
