import { appliesToTokens } from '../../model/client-scope.js';
import { PAIRWISE } from '../../model/pairwise-subject.js';
import type { ClientRepresentation, ProtocolMapperRepresentation } from '../../model/representation.js';
import type { ClientInput } from '../clients/client-input.js';
import { toMapper } from '../mappers/protocol-mapper-input.js';

/** A client in a registration request, with the type of its subjects. */
export interface RegistrationInput extends ClientInput {
  /** Absent for Keycloak's representation, which has no member for it. */
  readonly subjects?: { readonly type: 'public' | 'pairwise'; readonly sector?: string };
  /**
   * If true, the client gets the realm's default scopes in addition to the optional scopes. Otherwise it gets only
   * `basic`.
   */
  readonly addsScopes?: true;
}

const isPairwise = ({ protocolMapper }: ProtocolMapperRepresentation) => protocolMapper === PAIRWISE.mapper;

/**
 * Adds or removes the mapper for pairwise subjects (`subject_type` of OpenID Connect Registration §2). The salt of an
 * existing mapper is preserved, so that subjects do not change.
 */
export function setSubjectType(client: ClientRepresentation, { subjects }: RegistrationInput): void {
  if (subjects === undefined) return;
  const { protocolMappers = [] } = client;
  const existingMapper = protocolMappers.find(isPairwise);
  const others = protocolMappers.filter((mapper) => !isPairwise(mapper));
  if (subjects.type === 'public') {
    if (existingMapper !== undefined) client.protocolMappers = others;
    return;
  }
  const mapper = {
    name: existingMapper?.name ?? 'pairwise subject identifier',
    protocolMapper: PAIRWISE.mapper,
    config: { [PAIRWISE.sector]: subjects.sector ?? null },
  };
  client.protocolMappers = [...others, toMapper(mapper, existingMapper)];
}

/** The metadata for the subject type of a client. */
export function subjectMetadata({ protocolMappers }: ClientRepresentation): Record<string, string> {
  const mapper = protocolMappers?.find((candidate) => isPairwise(candidate) && appliesToTokens(candidate));
  if (mapper === undefined) return { subject_type: 'public' };
  const sector = mapper.config?.[PAIRWISE.sector];
  return { subject_type: 'pairwise', ...(sector ? { sector_identifier_uri: sector } : {}) };
}
