import type { Client, ScopeSelection } from '../model/client.js';
import type { MapperModel } from '../model/client-scope.js';
import type { Clock } from '../model/clock.js';
import type { User } from '../model/user.js';
import type { CalledRealm } from '../registry/sessions/caller.js';
import type { SessionFactory } from '../registry/sessions/session-factory.js';
import { accessTokenExpiry } from '../sessions/lifespans.js';
import type { ClaimMapping } from './claims.js';
import { idAudience, sessionOfMappers } from './issue-tokens.js';
import type { Claims } from './place-claim.js';

/**
 * The claims that a token would contain, shown to admins. Nothing is signed and no session starts.
 * @param onMapped called for each claim that a mapper sets
 */
export async function exampleClaims(
  parts: { mapping: ClaimMapping; sessions: SessionFactory; clock: Clock },
  { realm, caller }: CalledRealm,
  kind: 'access' | 'id' | 'userinfo',
  { client, user, selection }: { client: Client; user: User; selection: ScopeSelection },
  onMapped?: (claim: string, mapper: MapperModel) => void,
): Promise<Claims> {
  const session = parts.sessions.create(realm, caller, 'keyhost');
  try {
    const request = { realm, client, user, selection, session: sessionOfMappers(realm, client, {}) };
    const target = kind === 'access' && client.settings.lightweightTokens ? 'lightweight' : kind;
    const { [target]: mapped } = await parts.mapping.map(request, [target], () => session, onMapped);
    if (kind === 'userinfo') return { ...mapped, sub: client.subjectOf(user.id) };
    const iat = Math.floor(parts.clock.now() / 1000);
    return {
      exp: accessTokenExpiry(realm, client, iat, undefined),
      iat,
      iss: realm.issuer,
      ...(kind === 'id' && { sub: client.subjectOf(user.id) }),
      typ: kind === 'id' ? 'ID' : 'Bearer',
      azp: client.clientId,
      ...mapped,
      ...(kind === 'id' && { aud: idAudience(client, mapped) }),
      ...(client.hasPairwiseSubjects && { sub: client.subjectOf(user.id) }),
      ...(kind !== 'id' && { scope: selection.tokenScope }),
    };
  } finally {
    await session.close();
  }
}
