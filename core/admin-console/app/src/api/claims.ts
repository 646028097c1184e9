import { queryOptions } from '@tanstack/react-query';
import { encodeSegment } from '../address.ts';
import { clientPath, clientsKey } from './clients.ts';
import { request } from './request.ts';
import type { Role } from './user-roles.ts';

/** A mapper that adds or changes a claim. */
export interface ClaimOrigin {
  readonly mapperId?: string;
  readonly mapperName: string;
  readonly protocolMapper: string;
  /** Empty for a mapper of the client itself. */
  readonly containerName: string;
}

export interface EvaluatedClaim {
  readonly claim: string;
  readonly value: unknown;
  /** Empty for claims of the protocol. */
  readonly origins: readonly ClaimOrigin[];
}

/** The tokens that a user would get: `GET …/evaluate-scopes/claims`. */
export interface EvaluatedTokens {
  readonly access: readonly EvaluatedClaim[];
  readonly id: readonly EvaluatedClaim[];
  readonly userinfo: readonly EvaluatedClaim[];
  readonly scope: string;
  readonly scopes: readonly string[];
  /** True if the client may not request these scopes, so that no user would get these tokens. */
  readonly refused: boolean;
}

const READERS = ['view-clients and view-users'];

export function evaluateTokens(realm: string, clientId: string, { userId, scope }: { userId: string; scope: string }) {
  return queryOptions({
    queryKey: [...clientsKey(realm), 'one', clientId, 'claims', userId, scope],
    queryFn: ({ signal }) =>
      request<EvaluatedTokens>(`${clientPath(realm, clientId)}/evaluate-scopes/claims`, {
        query: { userId, scope },
        roles: READERS,
        signal,
      }),
    // Evaluate again each time, since the realm may have changed.
    staleTime: 0,
    enabled: userId !== '',
  });
}

/** The realm roles that tokens of the client may contain with a scope, for any user. */
export function evaluateRoles(realm: string, clientId: string, scope: string) {
  return queryOptions({
    queryKey: [...clientsKey(realm), 'one', clientId, 'shown roles', scope],
    queryFn: ({ signal }) =>
      request<readonly Role[]>(
        `${clientPath(realm, clientId)}/evaluate-scopes/scope-mappings/${encodeSegment(realm)}/granted`,
        { query: { scope }, roles: ['view-clients'], signal },
      ),
  });
}
