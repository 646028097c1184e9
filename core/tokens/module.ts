import { Clock } from '../di/host-tokens.js';
import { adds, module, service } from '../di/module.js';
import { BuiltInPlugins } from '../di/providers.js';
import { token } from '../di/token.js';
import { KeyRing } from '../keys/key-ring.js';
import { Store } from '../store/module.js';
import { Users } from '../users/users.js';
import { AccessTokens, type ClientAuthenticator as ClientAuthenticatorOf } from './access-tokens.js';
import { ClaimMapping } from './claims.js';
import { TokenIssuer } from './issue-tokens.js';
import { protocolMappers } from './mappers/protocol-mappers.js';
import { RefreshTokens } from './refresh-tokens.js';

/** Authenticates the client of a request. */
export const ClientAuthenticator = token<ClientAuthenticatorOf>('ClientAuthenticator');

export const tokens = module('tokens', [
  service(ClaimMapping, () => new ClaimMapping()),
  service(
    AccessTokens,
    (use) =>
      new AccessTokens({
        keys: use(KeyRing),
        users: use(Users),
        store: use(Store),
        clock: use(Clock),
        clients: use(ClientAuthenticator),
      }),
  ),
  service(
    RefreshTokens,
    (use) => new RefreshTokens({ keys: use(KeyRing), users: use(Users), store: use(Store), clock: use(Clock) }),
  ),
  service(TokenIssuer, (use) => new TokenIssuer({ keys: use(KeyRing), mapping: use(ClaimMapping), clock: use(Clock) })),
  adds(BuiltInPlugins, () => [protocolMappers]),
]);
