import type { IdentityLink, IdentityProviderAdministration, ManagedIdentityProvider } from '@keyhost/spi';
import type { Request } from './administered-realm.js';
import { expectDone, expectJson, expectOptional, pathOf } from './answer.js';

export function identityProviderAdministration(request: Request): IdentityProviderAdministration {
  return {
    async list() {
      const providers = await expectJson<readonly ManagedIdentityProvider[]>(
        request('GET', pathOf('identity-provider', 'instances')),
      );
      return providers.map(({ alias, providerId, displayName, enabled, config }) => ({
        alias,
        providerId,
        enabled,
        config,
        ...(displayName !== undefined && { displayName }),
      }));
    },
    linksOf: (userId) => expectJson<IdentityLink[]>(request('GET', pathOf('users', userId, 'federated-identity'))),
    async link(userId, { identityProvider, userId: account, userName }) {
      const path = pathOf('users', userId, 'federated-identity', identityProvider);
      await expectDone(request('POST', path, { userId: account, userName }));
    },
    unlink: async (userId, alias) =>
      (await expectOptional(request('DELETE', pathOf('users', userId, 'federated-identity', alias)))) !== undefined,
  };
}
