import { appliesToTokens } from '../../model/client-scope.js';
import { PAIRWISE } from '../../model/pairwise-subject.js';
import type { ClientRepresentation, ProtocolMapperRepresentation } from '../../model/representation.js';
import type { ClientInput } from '../clients/client-input.js';
import { toMapper } from '../mappers/protocol-mapper-input.js';

/** A client in a registration request, with the subject type that its tokens use. */
export interface RegistrationInput extends ClientInput {
  /** Absent in Keycloak's representation, which has no member for it. */
  readonly subjects?: { readonly type: 'public' | 'pairwise'; readonly sector?: string };
  /** True if the optional scopes are added to the realm's default scopes, and not only to `basic`. */
  readonly addsScopes?: true;
}

const isPairwise = ({ protocolMapper }: ProtocolMapperRepresentation) => protocolMapper === PAIRWISE.mapper;

/**
 * Adds or removes the mapper for pairwise subjects (OpenID Connect Registration §2 `subject_type`). The salt of an
 * existing mapper is preserved, so that the subjects of its users stay the same.
 */
export function setSubjectType(client: ClientRepresentation, { subjects }: RegistrationInput): void {
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
  client.protocolMappers = [...others, toMapper(mapper, before)];
}

/** The metadata for the subject type of a client. */
export function subjectMetadata({ protocolMappers }: ClientRepresentation): Record<string, string> {
  const mapper = protocolMappers?.find((one) => isPairwise(one) && appliesToTokens(one));
  if (mapper === undefined) return { subject_type: 'public' };
  const sector = mapper.config?.[PAIRWISE.sector];
  return { subject_type: 'pairwise', ...(sector ? { sector_identifier_uri: sector } : {}) };
}
